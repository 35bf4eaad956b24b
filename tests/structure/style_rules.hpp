// The rules of style that a program can check: sizes, names, pairs of header and source, the top level,
// leftover words, and what real-time files must not contain.
#pragma once

#include "tests/structure/source_tree.hpp"

namespace xrunlab::structure {

inline constexpr std::size_t kMaxFileLines = 300;
inline constexpr std::size_t kMaxFunctionLines = 60;

/// Files and functions of C++ that are too long.
Findings check_sizes(const SourceTree& tree);

/// Catch-all file names, sources and tests without their header, headers that do not say what they are.
Findings check_names(const SourceTree& tree);

/// Real-time files: those that open with the banner, and those that must. A function is exempt when the
/// comment right above it says that it runs in set-up or allocates: it is called before the playback thread
/// runs.
Findings check_real_time(const SourceTree& tree);

/// Top-level entries that the layout does not know.
Findings check_top_level(const SourceTree& tree);

/// Words by which unfinished work is marked.
Findings check_leftovers(const SourceTree& tree);

}  // namespace xrunlab::structure
