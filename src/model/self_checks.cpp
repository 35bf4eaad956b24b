#include "xrunlab/model/self_checks.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {

SelfCheck check_card_clock(std::span<const CardStretch> stretches, SampleRate rate, Frames period) {
  SelfCheck check{"card_clock", true, "no stretch of over one second"};
  double worst_excess = 0;
  bool first = true;
  for (const auto& stretch : stretches) {
    if (stretch.duration_ns <= kNsPerSecond) continue;
    const double due = static_cast<double>(stretch.duration_ns) * 1e-9 * rate.hz;
    const double off = static_cast<double>(stretch.frames_played) - due;
    const double allowed = std::max(static_cast<double>(period), due * 0.001);
    const double excess = std::fabs(off) / allowed;
    if (!first && excess <= worst_excess) continue;
    first = false;
    worst_excess = excess;
    check.passed = excess <= 1;
    check.detail = "the card played " + std::to_string(stretch.frames_played) + " frames in " +
                   spoken_duration(stretch.duration_ns) + ", " + fixed(off, 0) +
                   " against its nominal rate (at most " + fixed(allowed, 0) + " either way)";
  }
  return check;
}

SelfCheck check_outside_covers_ring_read(std::optional<std::int64_t> ring_read_max_ns,
                                         std::int64_t outside_max_ns) {
  SelfCheck check{"outside_covers_ring_read", true, "no ring read after the first write"};
  if (!ring_read_max_ns) return check;
  check.passed = outside_max_ns >= *ring_read_max_ns;
  check.detail = "longest T3 " + short_duration(outside_max_ns) +
                 (check.passed ? " covers longest T1 " : " is shorter than longest T1 ") +
                 short_duration(*ring_read_max_ns);
  return check;
}

SelfCheck check_cycle_covers_ring_read(const TimersData& timers) {
  const std::int64_t cycle_ns = timers.cycle ? timers.cycle->histogram.max_ns : 0;
  const std::int64_t read_ns = timers.ring_read.histogram.max_ns;
  const bool passed = cycle_ns >= read_ns;
  return {"cycle_covers_ring_read", passed,
          "longest cycle " + short_duration(cycle_ns) +
              (passed ? " covers longest T1 " : " is shorter than longest T1 ") + short_duration(read_ns)};
}

SelfCheck check_counts_match(const TimersData& timers) {
  if (timers.cycle) {
    const std::int64_t reads = timers.ring_read.histogram.count;
    const std::int64_t cycles = timers.cycle->histogram.count;
    return {"counts_match", reads == cycles,
            std::to_string(reads) + " T1, " + std::to_string(cycles) + " cycles"};
  }
  const auto [least, most] = std::minmax(
      {timers.ring_read.histogram.count, timers.pcm_write.histogram.count, timers.outside.histogram.count});
  return {"counts_match", most - least <= 1,
          std::to_string(timers.ring_read.histogram.count) + " T1, " +
              std::to_string(timers.pcm_write.histogram.count) + " T2, " +
              std::to_string(timers.outside.histogram.count) + " T3"};
}

}  // namespace xrunlab
