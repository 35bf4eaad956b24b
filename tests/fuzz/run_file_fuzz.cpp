// Run files: what is read can be written, and comes back as it was.

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/model/sample_latency.hpp"
#include "tests/model/sample_run.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab::fuzz::run_file {

namespace {

/// What a listing of three timers becomes: most of it is not there.
RunData imported_run() {
  RunData run;
  run.imported = ImportInfo{};
  run.imported->title = "loaded, no ring";
  run.imported->stated = {"bound_ns", "timers.outside.count", "timers.outside.max_ns", "timers.outside.over"};
  run.bound_ns = 23'219'000;
  run.timers.outside.histogram.count = 295;
  run.timers.outside.histogram.max_ns = 971'222'000;
  run.timers.outside.over = 3;
  return run;
}

}  // namespace

std::vector<std::string> seeds() {
  RunData small = sample_run();
  small.inputs.resize(1);
  for (auto* const histogram :
       {&small.timers.ring_read.histogram, &small.timers.pcm_write.histogram, &small.timers.outside.histogram,
        &small.lateness.histogram, &small.wake_lateness.histogram, &small.io_latency,
        &small.deadline_histogram, &small.fill_histogram, &small.slack_histogram}) {
    histogram->buckets.resize(std::min<std::size_t>(histogram->buckets.size(), 2));
  }
  RunData troubled = troubled_run();
  troubled.inputs.resize(3);
  return {to_json(small),
          to_json(troubled),
          to_json(sparse_latency_run()),
          to_json(RunData{}),
          to_json(imported_run()),
          "{\"schema\": \"xrunlab/run/1\"}",
          "{\"schema\": \"other\\n\"}",
          "[]",
          "[[[[[[[[",
          "{\"a\": 1e400}"};
}

void run(const std::uint8_t* data, std::size_t size) {
  const std::string text(text_of(data, size));
  RunData run;
  const auto refusal = refusal_of(ExitCode::input_file, [&] {
    // A bracket is a list of its own in the parser's tree.
    const AllocationLimit limit((std::size_t{1} << 20) + 512 * size);
    run = run_from_json(text, "run.json");
  });
  if (!refusal.empty()) return;
  const std::string written = to_json(run);
  require(to_json(run_from_json(written, "run.json")) == written, "a run file does not come back as it was");
}

const Registered registered{{"run_file", seeds, run}};

}  // namespace xrunlab::fuzz::run_file
