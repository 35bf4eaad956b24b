// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/engine/burner.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

constexpr std::int64_t kTrialRounds = 20'000;  // some tens of microseconds
constexpr int kTrials = 20;
constexpr int kChecks = 4;
constexpr Nanoseconds kLongestCheck =
    std::chrono::milliseconds{20};              // nobody waits for minutes to be measured out
constexpr std::int64_t kBurnPiece = 1'000'000;  // some milliseconds

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
  const auto measured_out = [&](std::int64_t trial, int trials) {
    return static_cast<std::int64_t>(Int128{amount.count()} * trial / shortest(trial, trials));
  };
  rounds_ = measured_out(kTrialRounds, kTrials);
  if (rounds_ <= kTrialRounds) return;
  const Nanoseconds check = std::min(amount, kLongestCheck);
  rounds_ =
      measured_out(static_cast<std::int64_t>(Int128{rounds_} * check.count() / amount.count()), kChecks);
}

void Burner::burn(const std::atomic<bool>& stop) noexcept {
  for (std::int64_t left = rounds_; left > 0 && !stop.load(std::memory_order_relaxed); left -= kBurnPiece)
    work(std::min(left, kBurnPiece));
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
