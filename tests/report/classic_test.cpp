#include "xrunlab/report/classic.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

SectionData section(std::int64_t count, std::int64_t over, std::int64_t min_ns, std::int64_t max_ns,
                    std::int64_t sum_ns) {
  SectionData data;
  data.histogram = {count, min_ns, max_ns, sum_ns, 0, {}};
  data.over = over;
  return data;
}

// Figures published in November 2000: 10 tracks, 1024 frames at 44.1 kHz, a loaded disk behind a ring.
TEST(Classic, PrintsAPublishedListingToTheLetter) {
  RunData run;
  run.bound_ns = 23'219'954;
  run.timers.ring_read = section(15'375, 0, 5'000, 1'319'000, 15'375 * INT64_C(395'750) + 15'374);
  run.timers.pcm_write = section(15'375, 328, 504'000, 74'555'000, 15'375 * INT64_C(22'353'019) + 1);
  run.timers.outside = section(15'375, 0, 4'000, 1'857'000, 15'375 * INT64_C(807'193));
  EXPECT_EQ(classic_listing(run),
            "Timer-1:\n"
            "Number of events: 15375\n"
            "Events over bound: 0 (0.02321900sec)\n"
            "Events under bound: 15375 (0.02321900sec)\n"
            "Min duration in seconds: 0.000005000\n"
            "Max duration in seconds: 0.001319000\n"
            "Average duration in seconds: 0.000395750\n"
            "\n"
            "Timer-2:\n"
            "Number of events: 15375\n"
            "Events over bound: 328 (0.02321900sec)\n"
            "Events under bound: 15047 (0.02321900sec)\n"
            "Min duration in seconds: 0.000504000\n"
            "Max duration in seconds: 0.074555000\n"
            "Average duration in seconds: 0.022353019\n"
            "\n"
            "Timer-3:\n"
            "Number of events: 15375\n"
            "Events over bound: 0 (0.02321900sec)\n"
            "Events under bound: 15375 (0.02321900sec)\n"
            "Min duration in seconds: 0.000004000\n"
            "Max duration in seconds: 0.001857000\n"
            "Average duration in seconds: 0.000807193\n");
}

TEST(Classic, CutsAndDoesNotRound) {
  RunData run;
  run.bound_ns = 1'999'999'999;
  run.timers.ring_read = section(3, 1, 999'999'999, 3'000'000'001, 5'999'999'999);
  const auto text = classic_listing(run);
  EXPECT_NE(text.find("Events over bound: 1 (1.99999900sec)"), std::string::npos);
  EXPECT_NE(text.find("Max duration in seconds: 3.000000001"), std::string::npos);
  EXPECT_NE(text.find("Average duration in seconds: 1.999999999"), std::string::npos);
}

TEST(Classic, ARunWithoutEventsShowsZeros) {
  const auto text = classic_listing(RunData{});
  EXPECT_NE(text.find("Average duration in seconds: 0.000000000"), std::string::npos);
}

TEST(Classic, ARunWithFaultsSaysSoAboveTheListing) {
  RunData run;
  run.fault_injected = true;
  run.faults = {{"playback-delay:at=1s,ms=60", 1, 1'002'000'000}};
  run.fault_seed = 7;
  const auto text = classic_listing(run);
  EXPECT_TRUE(text.starts_with("INJECTED    faults, so no measurement: playback-delay:at=1s,ms=60 (once, at"))
      << text;
  EXPECT_NE(text.find("seed 7\n\nTimer-1:\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace xrunlab
