#include "xrunlab/platform/piped_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kProgramLook = std::chrono::milliseconds{2};
constexpr std::size_t kReadStep = std::size_t{64} << 10;

[[noreturn]] void fail_program(const std::string& what, int error) {
  throw Error(ExitCode::system, what + ": " + errno_text(error));
}

/// In memory, so that nobody waits for the other end of a pipe.
UniqueFd memory_file() {
  UniqueFd fd(::memfd_create("xrunlab-program", MFD_CLOEXEC));
  if (!fd) fail_program("cannot make a file in memory", errno);
  return fd;
}

void fill_file(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::pwrite(fd, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno != EINTR) fail_program("cannot write into memory", errno);
    if (count > 0) done += static_cast<std::size_t>(count);
  }
}

std::string whole_file(int fd) {
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + kReadStep);
    const ssize_t count = ::pread(fd, text.data() + before, kReadStep, static_cast<off_t>(before));
    if (count < 0 && errno != EINTR) fail_program("cannot read what a program printed", errno);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(0, count)));
    if (count == 0) return text;
  }
}

/// Of a spawned program: descriptors 0, 1, 2.
class SpawnActions {
 public:
  SpawnActions(int in, int out, int err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, err, STDERR_FILENO);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  const posix_spawn_file_actions_t* get() const noexcept { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int wait_for_program(pid_t program, Nanoseconds patience) {
  SystemClock clock;
  const Nanoseconds until = clock.now() + patience;
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(program, &status, WNOHANG);
    if (ended == program) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (ended < 0 && errno != EINTR) fail_program("cannot wait for a program", errno);
    if (clock.now() >= until) ::kill(program, SIGKILL);
    clock.sleep_until(clock.now() + kProgramLook);
  }
}

}  // namespace

std::optional<PipedOutput> pipe_through(const std::vector<std::string>& argv, const std::string& input,
                                        Nanoseconds patience) {
  const UniqueFd in = memory_file();
  const UniqueFd out = memory_file();
  const UniqueFd err = memory_file();
  fill_file(in.get(), input);
  std::vector<char*> words;
  for (const auto& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const SpawnActions actions(in.get(), out.get(), err.get());
  pid_t program = 0;
  const int error = ::posix_spawnp(&program, words[0], actions.get(), nullptr, words.data(), environ);
  if (error == ENOENT) return std::nullopt;
  if (error != 0) fail_program("cannot run " + argv[0], error);
  PipedOutput output;
  output.exit_code = wait_for_program(program, patience);
  output.out = whole_file(out.get());
  output.err = whole_file(err.get());
  return output;
}

}  // namespace xrunlab
