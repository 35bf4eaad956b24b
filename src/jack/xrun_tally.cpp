#include "xrunlab/jack/xrun_tally.hpp"

#include <algorithm>

#include "xrunlab/core/clock.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kPause = std::chrono::milliseconds{50};
constexpr Nanoseconds kPausePatience = std::chrono::seconds{1};

}  // namespace

GraphCounts XrunTally::counts() {
  const CycleSeat& meter = graph_.meter();
  const JackServerCounts printed =
      graph_.server() == nullptr ? JackServerCounts{} : graph_.server()->counts();
  const std::int64_t told = callbacks();
  const auto late = static_cast<std::int64_t>(meter.driver_xruns.load(std::memory_order_relaxed));
  most_.driver_late = std::max({most_.driver_late, printed.driver_late, late});
  most_.xruns = std::max({most_.xruns, printed.client_not_finished, told_before_ - most_.driver_late});
  most_.dsp_load_share = meter.dsp_load_ppm.load(std::memory_order_relaxed) / 1e6;
  told_before_ = told;
  return most_;
}

GraphCounts XrunTally::in_a_pause(const JackGraph::InterruptedWithin& interrupted_within) {
  SystemClock clock;
  const Nanoseconds until = clock.now() + kPausePatience;
  for (;;) {
    const GraphCounts before = counts();
    const std::int64_t told = callbacks();
    const bool given_up = clock.now() > until || interrupted_within(kPause);
    const GraphCounts after = counts();
    const bool quiet =
        before.xruns == after.xruns && before.driver_late == after.driver_late && told == callbacks();
    if (quiet || given_up) return after;
  }
}

std::int64_t XrunTally::callbacks() const noexcept {
  return static_cast<std::int64_t>(graph_.meter().xruns.load(std::memory_order_relaxed));
}

std::int64_t XrunTally::lines() {
  if (graph_.server() == nullptr) return 0;
  const JackServerCounts& printed = graph_.server()->counts();
  return printed.client_not_finished + printed.driver_late;
}

}  // namespace xrunlab
