// Who may include whom: the rooms' one-way table, and which room may see which third-party library.
#pragma once

#include "tests/structure/source_tree.hpp"

namespace xrunlab::structure {

/// Looks at the #include lines of include/, src/ and ringbuffer/.
Findings check_layers(const SourceTree& tree);

}  // namespace xrunlab::structure
