// A run of kind "jack" with every part filled, for the tests of model and report.
#pragma once

#include "xrunlab/model/run.hpp"

namespace xrunlab {

inline HistogramData sample_microseconds() {
  return {.count = 3,
          .min_ns = 10'000,
          .max_ns = 308'500,
          .sum_ns = 340'000,
          .buckets = {{9'984, 10'047, 2}, {307'200, 309'247, 1}}};
}

inline RunData sample_jack_run() {
  RunData run;
  run.kind = "jack";
  run.complete = true;
  run.ended_by = "duration";
  run.device = {.name = "dummy", .rate_hz = 44'100, .period_frames = 64, .simulated = true, .server = "JACK"};
  run.bound_ns = 1'451'247;
  JackData jack{
      .server = "dummy", .server_name = "xrunlab-1", .clients = 20, .ports = 4, .topology = "chain"};
  jack.burn_share = 0.3;
  jack.warmup_ns = 2'000'000'000;
  jack.measured_ns = 60'000'000'000;
  jack.cycles = 41'343;
  jack.figures.timeouts = jack_count(0, jack.measured_ns);
  jack.figures.xruns = jack_count(2, jack.measured_ns);
  jack.figures.driver_late = jack_count(96, jack.measured_ns);
  jack.figures.delay_max_ns = 308'500;
  jack.figures.cycle_max_ns = 845'000;
  jack.figures.dsp_load_share = 0.44;
  jack.delay = sample_microseconds();
  jack.cycle = sample_microseconds();
  jack.wake_delay = sample_microseconds();
  jack.wake_cycle = sample_microseconds();
  jack.early_cycles = 7;
  jack.unsettled_cycles = 1'200;
  jack.spare_least_ns = 606'247;
  jack.failures = {{"client 7", "timeout", "no cycle for 1 s", 3'000'000'000}};
  jack.seconds = {{0, 1'000'000'000, 689, 308'500, 845'000, 0.44, 2, 96},
                  {1'000'000'000, 500'000'000, 0, {}, {}, {}, 0, 0}};
  jack.xruns_from = "server";
  jack.xrun_callbacks = 98;
  run.jack = jack;
  return run;
}

}  // namespace xrunlab
