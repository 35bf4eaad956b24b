#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>

#include "guard_protocol.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/platform/process_tree.hpp"
#include "xrunlab/platform/shared_memory.hpp"

namespace xrunlab::guard {
namespace {

constexpr std::size_t kProgram = 0;
constexpr std::size_t kDirectory = 1;
constexpr std::size_t kFirstArgument = 2;

/// exec keeps what is ignored and what is blocked.
void reset_signals() noexcept {
  for (int number = 1; number < SIGRTMIN; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void set_oom_score(int score) noexcept {
  if (score == 0) return;
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  char text[16];
  const int length = std::snprintf(text, sizeof text, "%d", score);
  [[maybe_unused]] const ssize_t written = ::write(fd, text, static_cast<std::size_t>(length));
  ::close(fd);
}

/// Becomes the program; returns the errno of what did not work.
int run_program(const Order& order) noexcept {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // when the process at the top is killed; the guard sees to the rest
  reset_signals();
  const sched_param ordinary{0};
  if (::sched_setscheduler(0, SCHED_OTHER, &ordinary) != 0) return errno;
  set_oom_score(order.request.oom_score_adj);
  for (std::size_t index = 0; index < order.descriptors.size(); ++index) {
    if (::dup2(order.descriptors[index].get(), static_cast<int>(index)) < 0) return errno;
  }
  const auto& directory = order.texts[kDirectory];
  if (!directory.empty() && ::chdir(directory.c_str()) != 0) return errno;
  const auto behind = kFirstArgument + static_cast<std::size_t>(order.request.arguments);
  std::vector<char*> argv;
  for (std::size_t index = kFirstArgument; index < behind; ++index) {
    argv.push_back(const_cast<char*>(order.texts[index].c_str()));
  }
  argv.push_back(nullptr);
  for (std::size_t index = behind; index < order.texts.size(); ++index) {
    ::putenv(const_cast<char*>(order.texts[index].c_str()));
  }
  ::execvp(order.texts[kProgram].c_str(), argv.data());
  return errno;
}

/// 0, or the errno of the start. `program` is set in either case when it could be forked.
int start_program(const Order& order, pid_t& program) noexcept {
  int result[2];
  if (::pipe2(result, O_CLOEXEC) != 0) return errno;
  const UniqueFd reads(result[0]);
  UniqueFd writes(result[1]);
  program = ::fork();
  if (program < 0) return errno;
  if (program == 0) {
    const int told =
        ::fcntl(writes.get(), F_DUPFD_CLOEXEC, kFirstMoved);  // out of the way of the low numbers
    const int error = run_program(order);
    [[maybe_unused]] const ssize_t written = ::write(told, &error, sizeof error);
    ::_exit(127);
  }
  writes.reset();
  int error = 0;  // nothing is written when exec has closed the other end
  while (::read(reads.get(), &error, sizeof error) < 0 && errno == EINTR) {
  }
  return error;
}

/// Waits until the program has ended, or has been stopped and is out of patience. Its exit code, or 137.
int outlive(pid_t program, Nanoseconds patience, const sigset_t& awaited) noexcept {
  SystemClock clock;
  std::optional<Nanoseconds> deadline;
  for (;;) {
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended == program) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    Nanoseconds left = std::chrono::hours{1};
    if (deadline) left = *deadline - clock.now();
    if (left.count() <= 0) return 128 + SIGKILL;
    const timespec time{left.count() / kNsPerSecond, left.count() % kNsPerSecond};
    if (::sigtimedwait(&awaited, nullptr, &time) != SIGTERM || deadline) continue;
    deadline = clock.now() + patience;
    ::kill(program, SIGTERM);  // its children are its own business until it is out of patience
  }
}

}  // namespace

void kill_with_shared_memory() noexcept {
  std::vector<std::filesystem::path> left;
  try {
    left = shared_memory_of_tree(::getpid());
  } catch (const std::exception&) {  // without memory it can only kill
  }
  kill_descendants();
  for (const auto& path : left) ::unlink(path.c_str());
}

void keep_program(const Order& order, int report) noexcept {
  sigset_t awaited;
  ::sigemptyset(&awaited);
  ::sigaddset(&awaited, SIGCHLD);
  ::sigaddset(&awaited, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &awaited, nullptr);
  // An ignored SIGTERM would not even become pending.
  ::signal(SIGTERM, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NAME, "xrunlab-keeper");
  pid_t program = -1;
  const int error = start_program(order, program);
  // Else whoever reads what the program writes would not see its end.
  for (const auto& descriptor : order.descriptors) ::close(descriptor.get());
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::close(report);
  int exit_code = 127;
  if (error == 0) exit_code = outlive(program, Nanoseconds{order.request.patience_ns}, awaited);
  kill_with_shared_memory();
  ::_exit(exit_code);
}

}  // namespace xrunlab::guard
