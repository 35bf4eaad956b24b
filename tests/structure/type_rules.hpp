// No two types of one name in one namespace: the linker takes one of two inline functions of theirs for both,
// and the program breaks where it is not written. Used by the tests of this directory.
#pragma once

#include "tests/structure/source_tree.hpp"

namespace xrunlab::structure {

/// Definitions of struct, class, enum and union in include/, src/ and ringbuffer/. Those of an anonymous
/// namespace of a source may bear a name that another source uses too, but none of a header in a namespace
/// around it.
Findings check_type_names(const SourceTree& tree);

}  // namespace xrunlab::structure
