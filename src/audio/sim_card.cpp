// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/audio/sim_card.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

/// Frames in 10^15 ns: rate * 10^6 at the drifted speed.
Int128 speed(const SimClockwork& clockwork) noexcept {
  return static_cast<Int128>(clockwork.rate.hz) * (kMillion + clockwork.ppm);
}

}  // namespace

// The one function here that allocates: it runs in set-up.
SimCard::SimCard(SimClockwork clockwork, std::vector<SimStall> stalls) : clockwork_(clockwork) {
  std::sort(stalls.begin(), stalls.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  for (const auto& stall : stalls) {
    if (stall.length.count() <= 0) continue;
    if (!stalls_.empty() && stall.at <= stalls_.back().at + stalls_.back().length) {
      auto& last = stalls_.back();
      last.length = std::max(last.length, stall.at + stall.length - last.at);
    } else {
      stalls_.push_back(stall);
    }
  }
}

void SimCard::start(Nanoseconds now) noexcept {
  if (!started_once_) first_start_ = now;
  started_once_ = true;
  start_ = now;
  running_ = true;
}

Frames SimCard::position(Nanoseconds now) const noexcept {
  if (!running_ || now <= start_) return 0;
  Nanoseconds ran = now - start_;
  for (const auto& stall : stalls_) {
    const Nanoseconds begin = std::max(first_start_ + stall.at, start_);
    const Nanoseconds end = std::min(first_start_ + stall.at + stall.length, now);
    if (begin < end) ran -= end - begin;
  }
  return static_cast<Frames>(ran.count() * speed(clockwork_) /
                             (static_cast<Int128>(kNsPerSecond) * kMillion));
}

Nanoseconds SimCard::reached(Frames frames) const noexcept {
  if (frames <= 0) return start_;
  const Int128 divisor = speed(clockwork_);
  const Int128 scaled = static_cast<Int128>(frames) * kNsPerSecond * kMillion;
  Nanoseconds instant = start_ + Nanoseconds{static_cast<std::int64_t>((scaled + divisor - 1) / divisor)};
  for (const auto& stall : stalls_) {
    const Nanoseconds begin = std::max(first_start_ + stall.at, start_);
    const Nanoseconds end = first_start_ + stall.at + stall.length;
    if (begin < end && begin < instant) instant += end - begin;
  }
  return instant;
}

Nanoseconds SimCard::past_stall(Nanoseconds instant) const noexcept {
  if (!started_once_) return instant;
  for (const auto& stall : stalls_) {
    const Nanoseconds begin = first_start_ + stall.at;
    if (begin <= instant && instant < begin + stall.length) return begin + stall.length;
  }
  return instant;
}

}  // namespace xrunlab
