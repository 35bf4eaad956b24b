// Names every field of what a run that played has counted, as run_fields does for the rest of a run file.
// Included by run_json.cpp alone.
#pragma once

#include <map>
#include <string>

#include "described.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

inline std::map<std::string, std::int64_t> percentiles_of(const HistogramData& histogram) {
  static constexpr struct {
    const char* key;
    std::int64_t ppm;
  } kPercentiles[] = {
      {"p50", 500'000}, {"p90", 900'000}, {"p99", 990'000}, {"p99.9", 999'000}, {"p99.99", 999'900}};
  std::map<std::string, std::int64_t> values;
  // An imported listing has a count and a maximum, but nothing between.
  if (histogram.buckets.empty() && histogram.overflow == 0) return values;
  for (const auto& [key, ppm] : kPercentiles) {
    if (const auto percentile = histogram.percentile(ppm)) values.emplace(key, percentile->value_ns);
  }
  return values;
}

void describe_durations(auto& archive, Of<HistogramData> auto& histogram) {
  archive.field("min_ns", histogram.min_ns);
  archive.derived("mean_ns", [&] { return histogram.mean_ns(); });
  archive.field("max_ns", histogram.max_ns);
  archive.field("sum_ns", histogram.sum_ns);
  archive.derived("percentiles_ns", [&] { return percentiles_of(histogram); });
  archive.field("histogram", histogram.buckets);
  archive.field("overflow", histogram.overflow);
}

void describe(auto& archive, Of<HistogramData> auto& histogram) {
  archive.field("count", histogram.count);
  describe_durations(archive, histogram);
}

void describe(auto& archive, Of<SectionData> auto& section) {
  archive.field("count", section.histogram.count);
  archive.field("over", section.over);
  archive.derived("under", [&] { return section.under(); });
  describe_durations(archive, section.histogram);
}

void describe(auto& archive, Of<TimersData> auto& timers) {
  archive.field("ring_read", timers.ring_read);
  archive.field_or_null("pcm_write", timers.pcm_write, !timers.cycle);
  archive.field_or_null("outside", timers.outside, !timers.cycle);
  archive.field("cycle", timers.cycle);
}

void describe(auto& archive, Of<WindowData> auto& window) {
  archive.field("start_ns", window.start_ns);
  archive.field("length_ns", window.length_ns);
  archive.field("fragments", window.fragments);
  archive.field("ring_read_max_ns", window.ring_read_max_ns);
  archive.field_or_null("pcm_write_max_ns", window.pcm_write_max_ns, !window.cycle_max_ns);
  archive.field_or_null("outside_max_ns", window.outside_max_ns, !window.cycle_max_ns);
  archive.field_or_null("lateness_max_ns", window.lateness_max_ns, !window.cycle_max_ns);
  archive.field("starved_reads", window.starved_reads);
  archive.field("device_xruns", window.device_xruns);
  archive.field("ring_low_water_frames", window.ring_low_water_frames);
  archive.field("slack_low_water_frames", window.slack_low_water_frames);
  archive.field("cycle_max_ns", window.cycle_max_ns);
}

void describe(auto& archive, Of<XrunData> auto& xrun) {
  archive.field("at_ns", xrun.at_ns);
  archive.field("dry_ns", xrun.dry_ns);
}

void describe(auto& archive, Of<StarvationData> auto& starvation) {
  archive.field("at_ns", starvation.at_ns);
  archive.field("duration_ns", starvation.duration_ns);
  archive.field("span_ns", starvation.span_ns);
  archive.field("reads", starvation.reads);
  archive.field("track", starvation.track);
}

void describe(auto& archive, Of<CountersData> auto& counters) {
  archive.field("fragments", counters.fragments);
  archive.field("frames_played", counters.frames_played);
  archive.field("starved_reads", counters.starved_reads);
  archive.field("starvation_episodes", counters.starvation_episodes);
  archive.field("starved_ns", counters.starved_ns);
  archive.field("starvation_longest_ns", counters.starvation_longest_ns);
  archive.field("device_xruns", counters.device_xruns);
  archive.field("suspends", counters.suspends);
  archive.field("dropouts", counters.dropouts);
  archive.field("silent_fragments", counters.silent_fragments);
  archive.field("lost_ns", counters.lost_ns);
  archive.field("short_inputs", counters.short_inputs);
  archive.field("clipped_samples", counters.clipped_samples);
  archive.field("events_dropped", counters.events_dropped);
}

void describe(auto& archive, Of<ThroughputData> auto& throughput) {
  archive.field("bytes_read", throughput.bytes_read);
  archive.field("reads", throughput.reads);
  archive.field("short_reads", throughput.short_reads);
  archive.field("device_read_bytes", throughput.device_read_bytes);
  archive.field("time_ns", throughput.time_ns);
  archive.field("bytes_per_s", throughput.bytes_per_s);
  archive.field("needed_bytes_per_s", throughput.needed_bytes_per_s);
  archive.field("realtime_factor", throughput.realtime_factor);
  archive.field("vacant_ns", throughput.vacant_ns);
}

}  // namespace xrunlab
