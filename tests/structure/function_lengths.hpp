// Finds the functions of a C++ file by matching braces; exact enough for code that clang-format has laid out.
// Used by the style rules.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/structure/source_tree.hpp"

namespace xrunlab::structure {

/// Lines of a function, both inclusive, counted from 1; lambdas belong to the function around them.
struct FunctionLines {
  std::size_t first = 0;  ///< where the declaration begins
  std::size_t last = 0;   ///< the closing brace
};

std::vector<FunctionLines> find_functions(const SourceFile& file);

}  // namespace xrunlab::structure
