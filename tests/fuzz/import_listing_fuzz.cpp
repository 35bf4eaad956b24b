// What `import` reads: listings of other programs, mailed, cut and quoted. A run that is made of one can be
// written, comes back as it was, and its figures do not contradict each other.

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/import/read_listing.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab::fuzz::import_listing {
namespace {

void check_run(const RunData& run) {
  require(run.imported.has_value(), "an import that does not say so");
  const std::string written = to_json(run);
  const RunData again = run_from_json(written, "run.json");
  require(to_json(again) == written, "an imported run does not come back as it was");
  for (const auto& round : run.latency.rounds)
    require(!contradict_each_other(round.figures), "figures of a round that contradict each other");
  require(!contradict_each_other(run.latency.all), "figures that contradict each other");
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "> policy: fifo: loadavg: 0.02 0.20 0.11 1/405 7024\n>\n"
      "> T: 0 ( 7024) P:80 I:10000 C:  10000 Min:      3 Act:   75 Avg:   54\n> Max:     121\n"
      "T: 0 ( 7027) P:80 I:10000 C:   9573 Min:      3 Act:   73 Avg:   75 Max:     126\n",
      "## kernel: 6.1.0 | 6.6.0\n## run: a\n# Histogram\n000001 000100\t000050\n000002 000700\t000800\n"
      "# Total: 000000800 000000850\n# Min Latencies: 00001 00001\n# Avg Latencies: 00001 00003\n"
      "# Max Latencies: 00002 00123\n# Histogram Overflows: 00000 00007\n# Thread 1: 00012\n",
      "{\"cmdline:\": \"cyclictest -N\", \"start_time\": \"Fri, 28 Aug 2026 23:30:00 -0500\", \"sysinfo\": "
      "{\"release\": \"6.1\", \"realtime\": 1}, \"resolution_in_ns\": 1, \"thread\": {\"0\": {\"histogram\": "
      "{\"2\": 9}, \"cycles\": 10, \"min\": 2, \"max\": 77, \"avg\": 3.5}}}",
      "  2.6.10-cko1  RT-V0.7.33-04\n XRUN Rate . . : 216.8 2.2 /hour\n Delay Rate (>1000 usecs) . : 1 2 "
      "/hour\n"
      " Timeout Count . . :( 1) ( 5)\n Total seconds ran . . : 300\n Average DSP Load. . : 37.9 % 33.6 %\n",
      "## rate: 44100\n## ring: none\nTimer-1:\nNumber of events: 15375\nEvents over bound: 328 "
      "(0.02321900sec)\nEvents under bound: 15047 (0.02321900sec)\nMin duration in seconds: 0.000504000\n"
      "Max duration in seconds: 0.0745550000000000\nAverage duration in seconds: 0.022353019\n",
      "cyclictest -v -l 3\n       0:       0:      42\n       0:       1:       0\n       1:       0:      "
      "12\n"
      "T: 0 ( 10) P:80 I:1000 C: 3 Min: 0 Act: 6 Avg: 5 Max: 50\n       0:       0:       7\n",
      "measured    2.1 s, 1412 cycles\n                      count  95 %\n"
      "XRUN Rate . . :    3428.6 /hour         2  415 to 12385\nDelay Maximum . . :     359.0 usecs\n",
      "## run: b\n## peak: 66ms\n## priority: 80\n## interval: 1e3us\n",
      "Linux studio 6.1.0 #1 SMP PREEMPT x86_64 GNU/Linux\ncyclictest -l 10 -i 99 -t2\n"
      "T: 0 (1) P: 80 I:1 C: 9223372036854775807 Min: -5 Act: 0 Avg: 1 Max: 9223372036854775807 SMI: 0\n"};
}

void run(const std::uint8_t* data, std::size_t size) {
  std::vector<RunData> runs;
  const auto refusal = refusal_of(ExitCode::input_file, [&] {
    // Each of some two hundred runs takes its own copy of the facts; a number of JSON is a node of a tree.
    const AllocationLimit limit((std::size_t{8} << 20) + 1024 * size);
    runs = read_listing(text_of(data, size), {}, "listing");
  });
  require(!refusal.empty() || !runs.empty(), "neither a run nor a word why");
  for (const auto& run : runs) check_run(run);
}

const Registered registered{{"import_listing", seeds, run}};

}  // namespace xrunlab::fuzz::import_listing
