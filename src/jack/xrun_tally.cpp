#include "xrun_tally.hpp"

namespace xrunlab {

GraphCounts XrunTally::counts() {
  GraphCounts counts = from_callbacks();
  if (graph_.server() == nullptr) return counts;
  const JackServerCounts& printed = graph_.server()->counts();
  counts.xruns = printed.client_not_finished;
  counts.driver_late = printed.driver_late;
  return counts;
}

GraphCounts XrunTally::from_callbacks() const noexcept {
  const CycleSeat& meter = graph_.meter();
  const auto all = static_cast<std::int64_t>(meter.xruns.load(std::memory_order_acquire));
  const auto late = static_cast<std::int64_t>(meter.driver_xruns.load(std::memory_order_relaxed));
  // A callback counts the driver's first, and may be between the two.
  return {all > late ? all - late : 0, late, meter.dsp_load_ppm.load(std::memory_order_relaxed) / 1e6};
}

std::int64_t XrunTally::callbacks() const noexcept {
  return static_cast<std::int64_t>(graph_.meter().xruns.load(std::memory_order_relaxed));
}

bool XrunTally::has_lost_lines() {
  return graph_.server() != nullptr && graph_.server()->counts().lines_lost > 0;
}

}  // namespace xrunlab
