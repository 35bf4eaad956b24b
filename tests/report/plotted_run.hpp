// A run with round figures, for the tests of what is drawn of it.
#pragma once

#include "tests/model/sample_run.hpp"

namespace xrunlab {

inline constexpr std::int64_t kPlottedMs = 1'000'000;

/// 25 s at 48 kHz, a fragment of 4800 frames (100 ms), a card of 14400, a ring of 240000.
inline RunData plotted_run() {
  RunData run = sample_run();
  run.kind = "play";
  run.start = "2026-11-30T16:17:38.350Z";
  run.end = "2026-11-30T16:18:03.000Z";
  run.fault_injected = false;
  run.episodes.clear();
  run.starvations.clear();
  run.xruns.clear();
  run.counters.starvation_episodes = 0;
  run.counters.device_xruns = 0;
  run.device.rate_hz = 48000;
  run.device.fragment_frames = 4800;
  run.device.buffer_frames = 14400;
  run.device.paced = true;
  run.ring.used = true;
  run.ring.frames = 240'000;
  run.ring.low_water_frames = 96'000;
  run.slack_low_water_frames = 2400;
  run.bound_ns = 100 * kPlottedMs;
  run.window.exposure_ns = 25 * kNsPerSecond;
  run.windows = {
      {0, 10 * kNsPerSecond, 100, 1 * kPlottedMs, 110 * kPlottedMs, 5 * kPlottedMs, 0, 0, 0, 192'000, 9600},
      {10 * kNsPerSecond, 10 * kNsPerSecond, 100, 2 * kPlottedMs, 120 * kPlottedMs, 6 * kPlottedMs, 0, 0, 0,
       96'000, 2400},
      {20 * kNsPerSecond, 5 * kNsPerSecond, 50, 3 * kPlottedMs, 105 * kPlottedMs, 4 * kPlottedMs, 0, 0, 0,
       std::nullopt, 4800}};
  return run;
}

}  // namespace xrunlab
