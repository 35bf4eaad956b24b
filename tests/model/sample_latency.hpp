// A finished latency run with every field set, for the tests of model and report.
#pragma once

#include "tests/model/sample_run.hpp"
#include "xrunlab/model/latency.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {

/// Of one thread: wake-ups that are 3 us late and more, a few of them missed.
inline LatencyRound sample_round(std::int64_t count, std::int64_t max_ns) {
  auto histogram = std::make_unique<Histogram>();
  for (std::int64_t index = 1; index < count; ++index) histogram->record(3'000 + index % 50 * 100);
  histogram->record(max_ns);
  LatencyRound round{.start = "2026-01-02T03:04:05Z", .planned = 10'000};
  round.figures = figures_of(histogram->snapshot());
  round.figures.missed = 2;
  round.figures.over = 1;
  round.as_cyclictest = figures_of(histogram->snapshot());
  round.as_cyclictest->count = count - 2;
  round.as_cyclictest->histogram->front().count -= 2;
  LatencyThread thread{.cpu = 1, .id = 4711, .priority = 80, .interval_ns = 10'000'000, .last_ns = 5'000};
  thread.figures = round.figures;
  thread.figures.histogram.reset();
  thread.figures.percentiles_ns.clear();
  thread.figures.overflow.reset();
  thread.as_cyclictest = thread.figures;
  thread.as_cyclictest->missed.reset();
  round.threads = {thread};
  return round;
}

/// Three rounds on one CPU, the last of them partial.
inline RunData sample_latency_run() {
  RunData run;
  const RunData played = sample_run();
  run.kind = kLatencyKind;
  run.tool = played.tool;
  run.cmdline = {"xrunlab", "latency", "--rounds", "3"};
  run.start = "2026-01-02T03:04:05Z";
  run.end = "2026-01-02T03:09:05Z";
  run.complete = true;
  run.ended_by = "end";
  run.system = played.system;
  run.rt = {"SCHED_FIFO", 80, "all", 4'000'000, {}};
  run.threads = {played.threads.front()};
  run.machine_usage = played.machine_usage;
  auto& latency = run.latency;
  latency.probe = {.clock = "nanosleep",
                   .device = "",
                   .interval_ns = 10'000'000,
                   .loops = 10'000,
                   .duration_ns = 100'000'000'000,
                   .threads = 1,
                   .affinity = "1",
                   .rounds = 3,
                   .pause_ns = 10'000'000'000,
                   .burn_share = 0.5,
                   .limit_ns = {},
                   .clock_read_ns = 25,
                   .origin_ns = 0};
  latency.rounds = {sample_round(10'000, 141'000), sample_round(10'000, 148'000),
                    sample_round(9'573, 90'000)};
  std::vector<LatencyFigures> figures, as_cyclictest;
  for (const auto& round : latency.rounds) {
    figures.push_back(round.figures);
    as_cyclictest.push_back(*round.as_cyclictest);
  }
  latency.all = together(figures);
  latency.as_cyclictest = together(as_cyclictest);
  judge(run);
  return run;
}

/// A listing of one line, as an import makes it: what it does not say is absent.
inline RunData sparse_latency_run() {
  RunData run;
  run.kind = kLatencyKind;
  run.complete = true;
  run.system.kernel = "2.6.33.13-149.rt31";
  run.latency.rounds.resize(1);
  auto& figures = run.latency.rounds.front().figures;
  figures.count = 9'573;
  figures.min_ns = 3'000;
  figures.mean_ns = 47'000;
  figures.max_ns = 146'000;
  run.latency.all = figures;
  judge(run);
  return run;
}

}  // namespace xrunlab
