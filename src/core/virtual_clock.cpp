#include "xrunlab/core/virtual_clock.hpp"

#include <algorithm>

namespace xrunlab {

bool VirtualClock::step(Nanoseconds limit) noexcept {
  Actor* next = nullptr;
  Nanoseconds earliest = Nanoseconds::max();
  if (!acting_) {
    for (Actor* const actor : actors_) {
      const Nanoseconds due = actor->due();
      if (due >= earliest) continue;
      earliest = due;
      next = actor;
    }
  }
  if (next == nullptr || earliest > limit) {
    now_ = std::max(now_, limit);
    return false;
  }
  now_ = std::max(now_, earliest);
  acting_ = true;
  next->act();
  acting_ = false;
  return true;
}

}  // namespace xrunlab
