// What the descriptions of a run file's fields share: one function for a part that is written and for one
// that is read. Included by run_fields.hpp and the headers that it is made of.
#pragma once

#include <concepts>
#include <type_traits>

namespace xrunlab {

/// `Part` itself when reading, `const Part` when writing.
template <class T, class Part>
concept Of = std::same_as<std::remove_const_t<T>, Part>;

}  // namespace xrunlab
