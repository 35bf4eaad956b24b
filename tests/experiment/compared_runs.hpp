// Runs as `compare` reads them, of a sweep or not, with one figure that the test chooses. Used by the tests
// of what is made of them.
#pragma once

#include <string>
#include <vector>

#include "tests/model/sample_run.hpp"
#include "xrunlab/experiment/run_summary.hpp"

namespace xrunlab::test {

/// A complete PASS of a minute that needed so many frames of ring.
inline RunData run_needing(std::int64_t frames, int number = 0) {
  RunData run = sample_run();
  run.start = "2026-01-02T03:" + std::to_string(number) + "Z";
  run.verdict = Verdict::pass;
  run.ring.ring_needed_frames = frames;
  return run;
}

/// Of a sweep that varied the scheduler, mq-deadline being the one that was found.
inline RunData swept_run(const std::string& scheduler, std::int64_t combination, std::int64_t block,
                         std::int64_t frames) {
  RunData run = run_needing(frames, static_cast<int>(combination * 1000 + block));
  for (auto& input : run.inputs) input.io_scheduler = scheduler;
  run.experiment = ExperimentInfo{.sweep_id = "s",
                                  .seed = 1,
                                  .block = block,
                                  .combination = combination,
                                  .planned_runs = 10,
                                  .warmup = false,
                                  .varied = {{"scheduler", scheduler, "mq-deadline", true}},
                                  .fixed = {}};
  return run;
}

inline std::vector<RunSummary> summaries(const std::vector<RunData>& runs) {
  std::vector<RunSummary> result;
  for (const auto& run : runs)
    result.push_back(summarise_run(run, "run-" + std::to_string(result.size()) + ".json", "dir"));
  return result;
}

/// Ten blocks; bfq needs twice the ring that mq-deadline needs, none as much.
inline std::vector<RunData> sweep_of_schedulers(std::int64_t blocks = 10) {
  std::vector<RunData> runs;
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t frames = 10'000 + 777 * ((block * 7) % 10);
    runs.push_back(swept_run("bfq", 2, block, 2 * frames));
    runs.push_back(swept_run("none", 0, block, block % 2 == 0 ? frames + 50 : frames - 50));
    runs.push_back(swept_run("mq-deadline", 1, block, frames));
  }
  return runs;
}

}  // namespace xrunlab::test
