// The table that cyclictest -h prints, line by line: rows of a lateness and a count for each thread, then
// lines "# Total:" to "# Histogram Overflows:". Rows that a mailer has broken are put together again. Used by
// parse_cyclictest_text; pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/import/cyclictest.hpp"

namespace xrunlab {

class CyclictestHistogram {
 public:
  /// Whether the line is a part of it; what is none ends nothing.
  bool take(std::string_view line);

  bool empty() const { return rows_.empty() && footers_.empty(); }

  /// Whether its last line has been there.
  bool is_whole() const { return footers_.contains("Histogram Overflows"); }

  /// The round that it tells of. Throws Error{input_file} naming `source` when it is cut off or its figures
  /// contradict each other.
  CyclictestRound finish(const std::string& source) const;

 private:
  using Numbers = std::vector<std::int64_t>;

  const Numbers& footer(const char* name) const;
  std::size_t row_width(std::size_t threads, const std::string& source) const;

  Numbers rows_;
  std::map<std::string, Numbers, std::less<>> footers_;
  Numbers overflow_cycles_;     ///< passed over, so it stays empty
  Numbers* current_ = nullptr;  ///< where a line of numbers alone belongs
};

}  // namespace xrunlab
