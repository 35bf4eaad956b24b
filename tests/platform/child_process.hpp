// Runs a piece of a test in a child process, so that limits, rights and signals of the test program itself
// stay as they are. The child reports by a string; its exit status is kept.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace xrunlab::test {

struct ChildResult {
  std::string text;  ///< what the body returned
  std::string stderr_text;
  int exit_code = -1;  ///< 128 + n when signal n ended it
};

inline std::string read_to_end(int fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(fd, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  ::close(fd);
  return text;
}

/// `body` returns a string and may end the process itself.
template <typename Body>
ChildResult run_in_child(Body body) {
  int result[2];
  int errors[2];
  if (::pipe(result) != 0 || ::pipe(errors) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(result[0]);
    ::dup2(errors[1], STDERR_FILENO);
    std::string text;
    try {
      text = body();
    } catch (const std::exception& error) {
      text = std::string("threw: ") + error.what();
    }
    const bool written = ::write(result[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::_exit(written ? 0 : 99);
  }
  ::close(result[1]);
  ::close(errors[1]);
  ChildResult outcome;
  outcome.text = read_to_end(result[0]);
  outcome.stderr_text = read_to_end(errors[0]);
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

inline constexpr unsigned kNobody = 65534;

/// Gives up root's rights, as far as the process has them. Thread: the child's only one.
inline bool become_nobody() {
  if (::geteuid() != 0) return true;
  return ::setresgid(kNobody, kNobody, kNobody) == 0 && ::setresuid(kNobody, kNobody, kNobody) == 0;
}

}  // namespace xrunlab::test
