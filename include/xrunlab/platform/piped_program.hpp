// Runs a program that makes something out of a text: the text is its standard input, what it prints is kept.
// No shell is involved. Used by main, for gnuplot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

struct PipedOutput {
  int exit_code = 0;  ///< 128 + n when signal n ended it
  std::string out;    ///< what it printed on standard output
  std::string err;    ///< and on standard error
};

/// Runs `argv` (its first word is looked for in PATH) to its end; after `patience` it is killed, and its exit
/// code is 137. Nothing when there is no such program. Throws Error{system} when it cannot be run.
std::optional<PipedOutput> pipe_through(const std::vector<std::string>& argv, const std::string& input,
                                        Nanoseconds patience);

}  // namespace xrunlab
