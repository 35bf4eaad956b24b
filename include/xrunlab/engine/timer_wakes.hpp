// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// The clocks of `latency` whose wake-ups are planned on CLOCK_MONOTONIC: clock_nanosleep, timerfd, and the
// periodic interrupt of /dev/rtc. Made by main in set-up, used by one measuring thread.
#pragma once

#include <atomic>
#include <memory>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/engine/rtc_request.hpp"
#include "xrunlab/engine/wake_source.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// What the three have in common: instants an interval apart.
class TimerWakes : public WakeSource {
 public:
  WakeUp wait() noexcept final;

 protected:
  /// Of a long interval it sleeps up to 50 ms before the instant in pieces, to look at `stop`.
  TimerWakes(Nanoseconds interval, Clock& clock, const std::atomic<bool>& stop) noexcept;

  /// Sleeps until the wake-up number `index` from 0, planned for `planned`. 0 or a negative errno.
  virtual int sleep(std::int64_t index, Nanoseconds planned) noexcept = 0;

  void plan_first(Nanoseconds first) noexcept;
  Clock& clock() const noexcept { return clock_; }

 private:
  bool approach() noexcept;

  Clock& clock_;
  const std::atomic<bool>& stop_;
  std::int64_t index_ = 0;
  Nanoseconds next_{};
};

/// clock_nanosleep until an absolute instant; on another clock than the system's, that one's sleep.
class NanosleepWakes final : public TimerWakes {
 public:
  NanosleepWakes(Nanoseconds interval, Clock& clock, const std::atomic<bool>& stop) noexcept
      : TimerWakes(interval, clock, stop) {}
  int start(Nanoseconds first) noexcept override;

 private:
  int sleep(std::int64_t index, Nanoseconds planned) noexcept override;
};

/// A read of a periodic timerfd.
class TimerfdWakes final : public TimerWakes {
 public:
  /// Set-up. Throws Error{system}.
  TimerfdWakes(Nanoseconds interval, Clock& clock, const std::atomic<bool>& stop);
  int start(Nanoseconds first) noexcept override;
  void stop() noexcept override;

 private:
  int sleep(std::int64_t index, Nanoseconds planned) noexcept override;

  UniqueFd timer_;
  std::int64_t expirations_ = 0;
};

/// Reads of /dev/rtc. The kernel (since 2.6.39 by a timer of its own) ticks every ⌊10^9 ÷ hz⌋ ns from the
/// moment when its interrupt is switched on; that moment is known to the length of the call that does it.
class RtcWakes final : public TimerWakes {
 public:
  /// Set-up. Throws Error{not_possible} where there is no such device or it has no periodic interrupt,
  /// Error{system} where it may not be used or is in use.
  RtcWakes(const RtcRequest& request, Clock& clock, const std::atomic<bool>& stop,
           const SysRoot& root = SysRoot());
  ~RtcWakes() override;
  int start(Nanoseconds first) noexcept override;
  void stop() noexcept override;

 private:
  int sleep(std::int64_t index, Nanoseconds planned) noexcept override;

  int ticks_;
  UniqueFd rtc_;
  bool on_ = false;
  std::int64_t seen_ = 0;
};

}  // namespace xrunlab
