#include "xrunlab/cli/standard_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace xrunlab {
namespace {

// Why stdout failed first; the stream itself only remembers that it did.
int first_error = 0;

void note_failure() noexcept {
  if (first_error == 0) first_error = errno;
}

}  // namespace

void keep_standard_files() noexcept {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is taken. For reading only: writing to a closed stdout has to fail.
    ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print_out(std::string_view text) noexcept {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size()) note_failure();
}

void flush_out() noexcept {
  errno = 0;
  if (std::fflush(stdout) != 0) note_failure();
}

ExitCode exit_code_after_output(ExitCode code) noexcept {
  flush_out();
  if (std::ferror(stdout) == 0) return code;
  const std::string why = first_error != 0 ? ": " + errno_text(first_error) : "";
  std::fprintf(stderr, "xrunlab: cannot write to standard output%s\n", why.c_str());
  return ExitCode::system;
}

}  // namespace xrunlab
