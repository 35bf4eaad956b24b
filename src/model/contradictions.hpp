// Parts of a run file whose numbers no run can have yielded. Included by run_json.cpp alone.
#pragma once

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Numbers of which no histogram consists: percentiles could not be computed from them.
inline bool contradicts_itself(const HistogramData& histogram) {
  std::int64_t left = histogram.count;
  for (const auto& bucket : histogram.buckets) {
    if (bucket.count < 0 || bucket.count > left || bucket.low_ns > bucket.high_ns) return true;
    left -= bucket.count;
  }
  return left < 0 || histogram.overflow < 0 || histogram.min_ns > histogram.max_ns;
}
inline bool contradicts_itself(const SectionData& section) {
  return contradicts_itself(section.histogram) || section.over < 0 || section.over > section.histogram.count;
}
inline bool contradicts_itself(const LatencyFigures& figures) {
  return contradict_each_other(figures);
}
inline bool contradicts_itself(const LatencyThread& thread) {
  return contradict_each_other(thread.figures);
}
inline bool contradicts_itself(const LatencyRound& round) {
  return contradict_each_other(round.figures);
}
inline bool contradicts_itself(const LatencyData& latency) {
  return contradict_each_other(latency.all);
}
bool contradicts_itself(const auto&) {
  return false;
}

}  // namespace xrunlab
