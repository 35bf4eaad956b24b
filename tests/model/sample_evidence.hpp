// A quiet machine, and episodes on it, for the tests of attribution: each adds the one thing that was not
// quiet.
#pragma once

#include "xrunlab/model/attribution.hpp"

namespace xrunlab {

inline constexpr std::int64_t kMs = 1'000'000;
inline constexpr std::int64_t kStart = 100'000 * kMs;

/// From `begin` to `end` ms after an arbitrary instant.
inline Span ms(std::int64_t begin, std::int64_t end) {
  return {kStart + begin * kMs, kStart + end * kMs};
}

/// Two samples of a quiet machine, 50 ms before and after the first 400 ms.
inline EvidenceTimeline quiet() {
  EvidenceTimeline timeline;
  timeline.tracks = {{"a.wav", "", "vda", 0}, {"b.flac", "FLAC", "vda", 0}};
  timeline.rate_hz = 48'000;
  timeline.sched_trace_missing = "--blame was not given";
  for (const std::int64_t at : {-50, 450}) {
    SystemSample sample;
    sample.at_ns = kStart + at * kMs;
    for (auto& thread : sample.threads) thread = {0, 0, 0, 0};
    sample.steal_ns = {0, 0};
    sample.iowait_ns = sample.suspended_ns = 0;
    sample.cpu_pressure_ns = sample.io_pressure_ns = sample.memory_pressure_ns = 0;
    sample.device_busy_ns = {0};
    sample.decoded_frames = 0;
    timeline.samples.push_back(sample);
  }
  return timeline;
}

inline ThreadSample& after(EvidenceTimeline& timeline, SampledThread which) {
  return timeline.samples.back().threads[static_cast<std::size_t>(which)];
}

/// Starved from 0 to 400 ms.
inline EpisodeFacts starvation(std::uint32_t track = 0) {
  return {.kind = EpisodeKind::starvation,
          .start_ns = kStart,
          .duration_ns = 400 * kMs,
          .lost_ns = 400 * kMs,
          .window = {ms(0, 400)},
          .track = track};
}

/// A T3 of 400 ms where a fragment lasts 20.
inline EpisodeFacts late_fragment(EpisodeKind kind = EpisodeKind::outside) {
  return {.kind = kind,
          .start_ns = kStart,
          .duration_ns = 400 * kMs,
          .lost_ns = 380 * kMs,
          .window = {ms(0, 400)}};
}

inline ReadSpan read(std::uint32_t track, std::int64_t begin, std::int64_t end) {
  const Span span = ms(begin, end);
  return {track, 65'536, span.begin_ns, span.end_ns, span.end_ns, 4};
}

}  // namespace xrunlab
