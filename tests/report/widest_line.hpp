// How wide a text is on a terminal, for the tests of everything that must fit into 80 columns.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>

#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {

/// In columns, of the widest line of `text`.
inline std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_columns(line));
  return widest;
}

}  // namespace xrunlab
