// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/burner.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

constexpr std::int64_t kTrialRounds = 20'000;  // some tens of microseconds
constexpr int kTrials = 20;
constexpr int kChecks = 4;

}  // namespace

Burner::Burner(Nanoseconds amount, const Clock& clock) noexcept {
  const auto shortest = [&](std::int64_t rounds, int trials) {
    Nanoseconds best = Nanoseconds::max();
    for (int trial = 0; trial < trials; ++trial) {
      const Nanoseconds before = clock.now();
      work(rounds);
      best = std::min(best, clock.now() - before);
    }
    return std::max<std::int64_t>(1, best.count());
  };
  // The shortest of many was disturbed least. A second step corrects what a short trial cannot see.
  rounds_ =
      static_cast<std::int64_t>(Int128{amount.count()} * kTrialRounds / shortest(kTrialRounds, kTrials));
  if (rounds_ <= kTrialRounds) return;
  rounds_ = static_cast<std::int64_t>(Int128{amount.count()} * rounds_ / shortest(rounds_, kChecks));
}

/// Xorshift: each number needs the one before, so the CPU cannot hurry.
void Burner::work(std::int64_t rounds) noexcept {
  std::uint64_t state = state_;
  for (std::int64_t round = 0; round < rounds; ++round) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
  }
  state_ = state;
}

}  // namespace xrunlab
