#include "xrunlab/cli/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace xrunlab {

void keep_standard_files() noexcept {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is taken. For reading only: writing to a closed stdout has to fail.
    ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print_out(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

ExitCode exit_code_after_output(ExitCode code) noexcept {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return code;
  const std::string why = errno != 0 ? ": " + errno_text(errno) : "";
  std::fprintf(stderr, "xrunlab: cannot write to standard output%s\n", why.c_str());
  return ExitCode::system;
}

}  // namespace xrunlab
