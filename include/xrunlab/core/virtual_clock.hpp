// A clock for whole runs in virtual time on one thread: it stands still while somebody works, and moves while
// somebody sleeps, from one happening to the next. What would be other threads are actors here, which say
// when they are due and act then. One thread only.
#pragma once

#include <vector>

#include "xrunlab/core/clock.hpp"

namespace xrunlab {

class VirtualClock final : public Clock {
 public:
  /// Something that happens by itself.
  class Actor {
   public:
    virtual ~Actor() = default;
    /// When it wants to act next; Nanoseconds::max(): never. An instant that is past counts as now.
    virtual Nanoseconds due() const noexcept = 0;
    /// Called with the clock at due(); must leave due() later, or time stands still. Must not sleep.
    virtual void act() noexcept = 0;
  };

  explicit VirtualClock(Nanoseconds start = std::chrono::seconds{1000}) noexcept : now_(start) {}

  /// Of actors that are due at one instant the one that was added first acts first. `actor` must outlive the
  /// clock's last move.
  void add(Actor& actor) { actors_.push_back(&actor); }

  Nanoseconds now() const noexcept override { return now_; }

  /// Everything that is due up to then, included, has happened.
  void sleep_until(Nanoseconds instant) noexcept override {
    while (step(instant)) {
    }
  }

  /// Moves to the next happening and lets it happen: true. With none up to `limit`, included, moves there:
  /// false.
  bool step(Nanoseconds limit) noexcept;

 private:
  Nanoseconds now_;
  std::vector<Actor*> actors_;
  bool acting_ = false;
};

}  // namespace xrunlab
