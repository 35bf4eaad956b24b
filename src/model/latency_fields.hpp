// Names every field of a latency run, as run_fields does for the rest of a run file. Included by run_json.cpp
// alone.
#pragma once

#include "described.hpp"
#include "xrunlab/model/latency.hpp"

namespace xrunlab {

void describe(auto& archive, Of<LatencyProbe> auto& probe) {
  archive.field("clock", probe.clock);
  archive.field("device", probe.device);
  archive.field("interval_ns", probe.interval_ns);
  archive.field("loops", probe.loops);
  archive.field("duration_ns", probe.duration_ns);
  archive.field("threads", probe.threads);
  archive.field("affinity", probe.affinity);
  archive.field("rounds", probe.rounds);
  archive.field("pause_ns", probe.pause_ns);
  archive.field("burn_share", probe.burn_share);
  archive.field("limit_ns", probe.limit_ns);
  archive.field("clock_read_ns", probe.clock_read_ns);
  archive.field("origin_ns", probe.origin_ns);
}

void describe(auto& archive, Of<LatencyFigures> auto& figures) {
  archive.field("count", figures.count);
  archive.field("missed", figures.missed);
  archive.field("over", figures.over);
  archive.field("min_ns", figures.min_ns);
  archive.field("mean_ns", figures.mean_ns);
  archive.field("max_ns", figures.max_ns);
  archive.field("percentiles_ns", figures.percentiles_ns);
  archive.field("histogram", figures.histogram);
  archive.field("overflow", figures.overflow);
}

void describe(auto& archive, Of<LatencyThread> auto& thread) {
  archive.field("cpu", thread.cpu);
  archive.field("id", thread.id);
  archive.field("priority", thread.priority);
  archive.field("interval_ns", thread.interval_ns);
  archive.field("last_ns", thread.last_ns);
  describe(archive, thread.figures);
  archive.field("as_cyclictest", thread.as_cyclictest);
}

void describe(auto& archive, Of<LatencyRound> auto& round) {
  archive.field("start", round.start);
  archive.field("planned", round.planned);
  archive.derived("whole", [&] { return is_whole(round); });
  describe(archive, round.figures);
  archive.field("as_cyclictest", round.as_cyclictest);
  archive.field("threads", round.threads);
}

/// Of the key "latency"; probe and rounds have keys of their own beside it.
void describe(auto& archive, Of<LatencyData> auto& latency) {
  describe(archive, latency.all);
  archive.field("as_cyclictest", latency.as_cyclictest);
}

}  // namespace xrunlab
