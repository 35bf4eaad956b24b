#include "xrunlab/platform/signals.hpp"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/wake_event.hpp"
#include "xrunlab/platform/last_resort.hpp"

namespace xrunlab {
namespace {

constexpr std::int64_t kRepeatNs = 300'000'000;  // two presses of a key lie further apart
constexpr std::array kHandled = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE};

// A handler has no object, so what it needs stands here; it is set before the handlers are installed.
//
// Memory ordering: the first signal is claimed by compare-exchange on `first_signal`; its time is stored
// before (release) and read by a later handler (acquire). All are lock-free, as a handler needs.
std::atomic<int> first_signal{0};
std::atomic<std::int64_t> first_signal_ns{0};
std::atomic<const WakeEvent*> wake{nullptr};
std::atomic<bool> in_use{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free &&
              std::atomic<const WakeEvent*>::is_always_lock_free);

std::array<struct sigaction, kHandled.size()> previous_actions;
char xcpu_text[320];

std::int64_t now_ns() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kNsPerSecond + time.tv_nsec;
}

/// What cannot be written cannot be reported either, in a handler.
void write_best_effort(int fd, const void* bytes, std::size_t size) noexcept {
  [[maybe_unused]] const ssize_t written = ::write(fd, bytes, size);
}

/// True when this is the first signal of all.
bool claim(int number) noexcept {
  const std::int64_t now = now_ns();
  std::int64_t unset = 0;
  first_signal_ns.compare_exchange_strong(unset, now, std::memory_order_release, std::memory_order_relaxed);
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, number, std::memory_order_acq_rel)) return false;
  if (const auto* const event = wake.load(std::memory_order_relaxed)) event->set();
  return true;
}

void on_end_signal(int number) noexcept {
  const int saved_errno = errno;
  if (!claim(number) && number == SIGINT &&
      now_ns() - first_signal_ns.load(std::memory_order_acquire) >= kRepeatNs) {
    put_back_as_last_resort();
    ::_exit(128 + number);
  }
  errno = saved_errno;
}

/// Runs in the thread that overran: it stops being real-time, or the hard limit would kill the process a
/// little later.
void on_xcpu(int) noexcept {
  const int saved_errno = errno;
  const sched_param none{0};
  ::sched_setscheduler(0, SCHED_OTHER, &none);
  if (claim(SIGXCPU)) write_best_effort(STDERR_FILENO, xcpu_text, ::strnlen(xcpu_text, sizeof xcpu_text));
  errno = saved_errno;
}

/// The line is made beforehand: a handler may not format.
void prepare_xcpu_text() {
  rlimit limit{};
  const bool finite = ::getrlimit(RLIMIT_RTTIME, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  const std::string text =
      finite ? "xrunlab: a real-time thread ran longer than " + std::to_string(limit.rlim_cur) +
                   " us without a wait (RLIMIT_RTTIME, SIGXCPU): it is no longer real-time and the run ends; "
                   "`ulimit -R unlimited`, LimitRTTIME=infinity in a systemd service, or a larger "
                   "--period-size\n"
             : "xrunlab: the limit of CPU time is used up (SIGXCPU): the run ends; `ulimit -t unlimited`\n";
  const std::size_t size = std::min(text.size(), sizeof xcpu_text - 1);
  std::memcpy(xcpu_text, text.data(), size);
  xcpu_text[size] = '\0';
}

struct sigaction action_for(int number) noexcept {
  struct sigaction action {};
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  if (number == SIGPIPE) {
    action.sa_handler = SIG_IGN;
  } else {
    action.sa_handler = number == SIGXCPU ? on_xcpu : on_end_signal;
  }
  return action;
}

}  // namespace

Signals::Signals() {
  if (in_use.exchange(true)) throw Error(ExitCode::system, "the signal handlers are installed already");
  first_signal = 0;
  first_signal_ns = 0;
  wake = &wake_;
  prepare_xcpu_text();
  for (std::size_t index = 0; index < kHandled.size(); ++index) {
    const int number = kHandled[index];
    const struct sigaction action = action_for(number);
    ::sigaction(number, &action, &previous_actions[index]);
    if (number == SIGHUP && previous_actions[index].sa_handler == SIG_IGN) {
      ::sigaction(number, &previous_actions[index], nullptr);
    }
  }
}

Signals::~Signals() {
  for (std::size_t index = 0; index < kHandled.size(); ++index) {
    ::sigaction(kHandled[index], &previous_actions[index], nullptr);
  }
  wake = nullptr;
  in_use = false;
}

int Signals::caught() const noexcept {
  return first_signal.load(std::memory_order_acquire);
}

int Signals::exit_code() const noexcept {
  const int number = caught();
  if (number == 0) return 0;
  return number == SIGXCPU ? static_cast<int>(ExitCode::system) : 128 + number;
}

int Signals::fd() const noexcept {
  return wake_.fd();
}

bool Signals::wait_for(Nanoseconds timeout, const std::vector<int>& other_fds) const {
  std::vector<pollfd> waited{{wake_.fd(), POLLIN, 0}};
  for (const int fd : other_fds) waited.push_back({fd, POLLIN, 0});
  const std::int64_t until = now_ns() + std::max<std::int64_t>(0, timeout.count());
  for (;;) {
    if (caught() != 0) return true;
    const std::int64_t left = until - now_ns();
    if (left <= 0) return false;
    const timespec time{left / kNsPerSecond, left % kNsPerSecond};
    ::ppoll(waited.data(), waited.size(), &time, nullptr);
    const auto is_ready = [](const pollfd& one) { return one.revents != 0; };
    if (std::any_of(waited.begin() + 1, waited.end(), is_ready)) return caught() != 0;
  }
}

}  // namespace xrunlab
