// The one exception of set-up code and the program's exit codes. An error says what failed with its likely
// cause, and the remedy as an exact command or setting; only main catches it.
#pragma once

#include <stdexcept>
#include <string>

namespace xrunlab {

/// The program's exit codes; a run ended by signal n gives 128 + n.
enum class ExitCode : int {
  ok = 0,            ///< ran and stayed within its limits
  limit_broken = 1,  ///< ran, a limit was broken or no verdict was possible
  usage = 2,
  system = 3,  ///< rights, io_uring, memory, block device
  input_file = 4,
  audio_device = 5,
  not_possible = 77,
};

class Error : public std::runtime_error {
 public:
  /// `what`: what was attempted and the likely cause, one line. `remedy`: what mends it, one line, may be
  /// empty.
  Error(ExitCode code, const std::string& what, std::string remedy = {})
      : std::runtime_error(what), code_(code), remedy_(std::move(remedy)) {}

  ExitCode code() const noexcept { return code_; }
  const std::string& remedy() const noexcept { return remedy_; }

 private:
  ExitCode code_;
  std::string remedy_;
};

/// "No such file or directory" for ENOENT, and so on; independent of the locale and safe on any thread.
std::string errno_text(int error_number);

}  // namespace xrunlab
