// Standard output that may be full or closed: no result may get lost without a word. Used by main, play and
// gen.
#pragma once

#include <string_view>

#include "xrunlab/core/error.hpp"

namespace xrunlab {

/// Gives a closed stdin, stdout or stderr back its number, so that no track or run file gets it and what is
/// printed into it. Writing to such a stdout fails. To be called before any file is opened.
void keep_standard_files() noexcept;

/// Prints on stdout. What fails is told by exit_code_after_output().
void print_out(std::string_view text) noexcept;

/// Brings what was printed to where stdout goes. What fails is told by exit_code_after_output().
void flush_out() noexcept;

/// Flushes stdout. Returns `code`, or ExitCode::system with one line on stderr when anything printed was not
/// written.
ExitCode exit_code_after_output(ExitCode code) noexcept;

}  // namespace xrunlab
