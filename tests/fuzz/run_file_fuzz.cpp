// Run files: what is read can be written, and comes back as it was.

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/model/sample_latency.hpp"
#include "tests/model/sample_run.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab::fuzz {

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
          "{\"schema\": \"xrunlab/run/1\"}",
          "{\"schema\": \"other\\n\"}",
          "[]",
          "[[[[[[[[",
          "{\"a\": 1e400}"};
}

}  // namespace xrunlab::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace xrunlab;
  using namespace xrunlab::fuzz;
  const std::string text(text_of(data, size));
  RunData run;
  const auto refusal = refusal_of(ExitCode::input_file, [&] {
    // A bracket is a list of its own in the parser's tree.
    const AllocationLimit limit((std::size_t{1} << 20) + 512 * size);
    run = run_from_json(text, "run.json");
  });
  if (!refusal.empty()) return 0;
  const std::string written = to_json(run);
  require(to_json(run_from_json(written, "run.json")) == written, "a run file does not come back as it was");
  return 0;
}
