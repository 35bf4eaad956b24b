// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/timer_wakes.hpp"

#include <fcntl.h>
#include <linux/rtc.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLongInterval = 100ms;  // a shorter one ends within the time that a signal may take
constexpr Nanoseconds kApproachPiece = 50ms;
constexpr int kFlagBits = 8;  // of what is read from /dev/rtc; above them stands the number of interrupts

timespec as_timespec(Nanoseconds time) noexcept {
  return {time.count() / kNsPerSecond, time.count() % kNsPerSecond};
}

/// Set-up. Why the rtc cannot be had.
Error rtc_refusal(const std::string& device, const std::string& attempt, int error) {
  const std::string what = device + ": " + attempt + ": " + errno_text(error);
  switch (error) {
    case EACCES:
      return {ExitCode::system, what,
              "run as root, or 'chgrp audio " + device + "; chmod g+r " + device + "'"};
    case EBUSY:
      return {ExitCode::system, what + " (another program has it open)",
              "fuser " + device + " names the program; --clock nanosleep needs no device"};
    default:
      return {ExitCode::not_possible, what,
              "there is no real-time clock here that interrupts; --clock nanosleep or timerfd needs none"};
  }
}

}  // namespace

TimerWakes::TimerWakes(Nanoseconds interval, Clock& clock, const std::atomic<bool>& stop) noexcept
    : clock_(clock), stop_(stop) {
  interval_ = interval;
}

void TimerWakes::plan_first(Nanoseconds first) noexcept {
  next_ = first;
  index_ = 0;
}

/// False when the run is to end.
bool TimerWakes::approach() noexcept {
  if (interval_ <= kLongInterval) return !stop_.load(std::memory_order_relaxed);
  while (!stop_.load(std::memory_order_relaxed)) {
    const Nanoseconds now = clock_.now();
    if (next_ - now <= kApproachPiece) return true;
    clock_.sleep_until(std::min(now + kApproachPiece, next_ - kApproachPiece));
  }
  return false;
}

WakeUp TimerWakes::wait() noexcept {
  if (!approach()) return {.status = WakeStatus::stopped};
  const int error = sleep(index_, next_);
  WakeUp wake{.at = clock_.now()};
  if (error != 0) return {.status = WakeStatus::failed, .error = error, .at = wake.at};
  wake.late = wake.at - next_;
  wake.missed = missed_behind(wake.late, interval_);
  index_ += 1 + wake.missed;
  next_ += (1 + wake.missed) * interval_;
  return wake;
}

int NanosleepWakes::start(Nanoseconds first) noexcept {
  plan_first(first);
  return 0;
}

int NanosleepWakes::sleep(std::int64_t, Nanoseconds planned) noexcept {
  clock().sleep_until(planned);
  return 0;
}

/// Set-up.
TimerfdWakes::TimerfdWakes(Nanoseconds interval, Clock& clock, const std::atomic<bool>& stop)
    : TimerWakes(interval, clock, stop), timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)) {
  if (!timer_) throw Error(ExitCode::system, "cannot make a timerfd: " + errno_text(errno), "ulimit -n 1024");
}

int TimerfdWakes::start(Nanoseconds first) noexcept {
  plan_first(first);
  expirations_ = 0;
  const itimerspec times{as_timespec(interval_), as_timespec(first)};
  return ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &times, nullptr) == 0 ? 0 : -errno;
}

void TimerfdWakes::stop() noexcept {
  const itimerspec never{};
  ::timerfd_settime(timer_.get(), 0, &never, nullptr);
}

int TimerfdWakes::sleep(std::int64_t index, Nanoseconds) noexcept {
  while (expirations_ <= index) {
    std::uint64_t count = 0;
    if (::read(timer_.get(), &count, sizeof count) == sizeof count) {
      expirations_ += static_cast<std::int64_t>(count);
    } else if (errno != EINTR) {
      return -errno;
    }
  }
  return 0;
}

/// Set-up.
RtcWakes::RtcWakes(const RtcRequest& request, Clock& clock, const std::atomic<bool>& stop,
                   const SysRoot& root)
    : TimerWakes(Nanoseconds{kNsPerSecond / request.hz} * request.ticks, clock, stop),
      ticks_(request.ticks),
      rtc_(::open(root.path(request.device).c_str(), O_RDONLY | O_CLOEXEC)) {
  if (!rtc_) throw rtc_refusal(request.device, "cannot be opened", errno);
  if (::ioctl(rtc_.get(), RTC_IRQP_SET, static_cast<unsigned long>(request.hz)) != 0)
    throw rtc_refusal(request.device, std::to_string(request.hz) + " Hz refused", errno);
}

RtcWakes::~RtcWakes() {
  stop();
}

int RtcWakes::start(Nanoseconds) noexcept {
  seen_ = 0;
  const Nanoseconds before = clock().now();
  if (::ioctl(rtc_.get(), RTC_PIE_ON, 0) != 0) return -errno;
  origin_error_ = clock().now() - before;
  on_ = true;
  plan_first(before + interval_);
  return 0;
}

void RtcWakes::stop() noexcept {
  if (on_) ::ioctl(rtc_.get(), RTC_PIE_OFF, 0);
  on_ = false;
}

int RtcWakes::sleep(std::int64_t index, Nanoseconds) noexcept {
  while (seen_ < (index + 1) * ticks_) {
    unsigned long data = 0;
    if (::read(rtc_.get(), &data, sizeof data) == sizeof data) {
      seen_ += static_cast<std::int64_t>(data >> kFlagBits);
    } else if (errno != EINTR) {
      return -errno;
    }
  }
  return 0;
}

}  // namespace xrunlab
