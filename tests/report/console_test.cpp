#include "xrunlab/report/console.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "tests/model/sample_run.hpp"
#include "tests/report/widest_line.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string summary_of(RunData run, ConsoleStyle style = ConsoleStyle::plain) {
  judge(run);
  return console_summary(run, style);
}

/// The first line of `text` that starts with `label`.
std::string line_of(const std::string& text, const std::string& label) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(label)) return line;
  }
  return "no line " + label;
}

TEST(Console, SaysKernelAndPreemptionInWords) {
  RunData run = sample_run();
  run.system.kernel = "6.1.0-18-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1";
  run.system.preempt = "unknown (dynamic)";
  const std::string text = summary_of(run);
  EXPECT_THAT(text, HasSubstr("Linux 6.1.0-18-amd64, preemption"));
  EXPECT_THAT(text, HasSubstr("unknown (dynamic)"));
  EXPECT_THAT(text, Not(HasSubstr("SMP")));
}

/// Everything as large as its type, or as long as a file system allows.
RunData huge_run() {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const HistogramData histogram{kMost, kMost / 2, kMost, kMost, 1, {{kMost / 2, kMost, kMost - 1}}};
  RunData run = troubled_run();
  run.inputs.assign(10'000, run.inputs.front());
  for (auto& input : run.inputs) input.channels = 1024;
  run.inputs.front().path = "/home/kai/" + std::string(255, 'w');
  run.inputs.back().path = "/home/kai/" + std::string(85, '\xe6') + ".wav";
  run.device.name = std::string(200, 'd');
  run.device.channels = 1024;
  for (auto* frames :
       {&run.device.period_frames, &run.device.buffer_frames, &run.device.fragment_frames, &run.ring.frames,
        &run.ring.bytes, &run.counters.starvation_episodes, &run.counters.starved_ns,
        &run.counters.starvation_longest_ns, &run.counters.device_xruns, &run.counters.dropouts,
        &run.counters.lost_ns, &run.counters.suspends, &run.throughput.bytes_read, &run.throughput.reads,
        &run.priming_ns, &run.startup_ns, &run.bound_ns, &run.window.length_ns, &run.ring_touch_ns}) {
    *frames = kMost;
  }
  run.ring.low_water_frames = run.ring.ring_needed_frames = run.slack_low_water_frames = kMost;
  run.throughput.device_read_bytes = kMost;
  run.throughput.bytes_per_s = 1e300;
  run.io.io_size_bytes = kMost;
  for (auto* section : {&run.timers.ring_read, &run.timers.pcm_write, &run.timers.outside, &run.lateness,
                        &run.wake_lateness}) {
    *section = {histogram, kMost};
  }
  run.io_latency = histogram;
  run.threads = {
      {std::string(64, 't'), "SCHED_OTHER", 1, kMost / 2, kMost / 2, kMost, kMost, kMost, kMost, kMost}};
  run.warnings.assign(500, std::string(300, 'w'));
  run.self_checks = {{"card_clock", false, std::string(300, 'c')}};
  return run;
}

TEST(Console, NoLineIsWiderThanEightyColumns) {
  EXPECT_LE(widest_line(summary_of(sample_run())), 80u);
  EXPECT_LE(widest_line(summary_of(troubled_run())), 80u);
  EXPECT_LE(widest_line(summary_of(RunData{})), 80u);
  EXPECT_LE(widest_line(summary_of(huge_run())), 80u) << summary_of(huge_run());
}

TEST(Console, FitsOneScreen) {
  const auto text = summary_of(sample_run());
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 50) << text;
}

TEST(Console, EndsWithTheVerdictThatStandsAlone) {
  auto text = summary_of(sample_run());
  std::replace(text.begin(), text.end(), '\n', ' ');
  EXPECT_TRUE(
      text.ends_with("PASS 48 tracks 60 s, 0 dropouts (< 180/hour, 95 %), simulated card, no load, "
                     "used 0.4 s of 5.0 s ring "))
      << text;
}

TEST(Console, ShowsTheSetTheCardAndWhatEachBufferBuys) {
  const auto text = summary_of(sample_run());
  EXPECT_EQ(line_of(text, "set"), "set         48 files, 48 channels, 44100 Hz, wav S24_3LE, 60 s");
  EXPECT_THAT(text, HasSubstr("track-1.wav .. track-48.wav (ext4 on vda [mq-deadline])"));
  EXPECT_THAT(line_of(text, "card"),
              HasSubstr("sim (simulated card), S32_LE, 44100 Hz, 2 channels, map mix"));
  EXPECT_EQ(line_of(text, "  ring, each track"),
            "  ring, each track                220500     5.00s   30.3 MiB for all");
  EXPECT_EQ(line_of(text, "  card buffer"), "  card buffer                       4410     100ms   34.5 KiB");
}

TEST(Console, TimersStandBesideTheirBound) {
  const auto text = summary_of(sample_run());
  EXPECT_EQ(line_of(text, "T1 read"),
            "T1 read       2000     0  5.00us  55.0us  55.0us   104us  ~105us   105us     <1%");
  EXPECT_EQ(line_of(text, "T2 write*"),
            "T2 write*     2000     3  1.20ms  13.2ms  13.2ms  25.0ms ~25.2ms  25.2ms    108%");
  EXPECT_THAT(text, HasSubstr("* T2 waits for the card by design"));
  EXPECT_THAT(line_of(text, "disk read"), HasSubstr("2000     -"));
}

TEST(Console, PercentilesWithoutSamplesAboveThemAreDashes) {
  auto run = sample_run();
  run.timers.outside = {sample_histogram(1000, 50), 0};
  EXPECT_EQ(line_of(summary_of(run), "T3 outside"),
            "T3 outside      50     0  1.00us  1.25us  1.25us       -       -  1.49us     <1%");
  run.timers.outside = {};
  EXPECT_EQ(line_of(summary_of(run), "T3 outside"),
            "T3 outside       0     0       -       -       -       -       -       -       -");
}

TEST(Console, CountsStarvationAndXrunsApart) {
  auto run = sample_run();
  run.counters = troubled_run().counters;
  const auto text = summary_of(run);
  EXPECT_EQ(line_of(text, "starvation"), "starvation  1 episode, longest 400 ms, total 400 ms");
  EXPECT_EQ(line_of(text, "xruns"), "xruns       2, the card stood still for 70.0 ms; 1 dropout; 1 suspend");
  EXPECT_EQ(line_of(text, "low water"),
            "low water   ring 4.5 s of 5.0 s (90.7 %), card 68.0 ms of 76.8 ms slack");
  EXPECT_EQ(line_of(text, "needed"), "needed      ring 400 ms of 5.0 s; headroom 3.21; sustained");
}

TEST(Console, ARingThatWasTooSmallNeedsMoreThanItHas) {
  auto run = sample_run();
  run.ring.ring_needed_frames = 405'720;
  EXPECT_EQ(line_of(summary_of(run), "needed"),
            "needed      needs 9.2 s of ring, has 5.0 s; headroom 3.21; sustained");
}

TEST(Console, AThreadsCpuTimeIsAShareOfTheTimeInWhichItWasCounted) {
  auto run = sample_run();
  run.window.exposure_ns = 100'000'000;  // a short run after long priming
  run.threads[1].wall_ns = 800'000'000;
  EXPECT_THAT(line_of(summary_of(run), "  reader"), HasSubstr("  50.0 "));
  run.threads[1].wall_ns = 0;
  EXPECT_THAT(line_of(summary_of(run), "  reader"), HasSubstr("      - "));
}

TEST(Console, SaysThatARunIsIncomplete) {
  EXPECT_EQ(line_of(summary_of(troubled_run()), "INCOMPLETE"),
            "INCOMPLETE  this run did not come to its end: ended by signal 2 after 60 s");
  EXPECT_THAT(summary_of(sample_run()), Not(HasSubstr("INCOMPLETE")));
}

TEST(Console, ShowsBaseNamesOnlyAndNoControlCharacters) {
  auto run = sample_run();
  run.warnings.emplace_back("/home/kai/sets/48/\x1b[2J.wav: odd");
  const auto text = summary_of(run);
  EXPECT_THAT(text, Not(HasSubstr("kai")));
  EXPECT_THAT(text, HasSubstr("warning     track-07.wav: 1.2 % of the data was still cached"));
  EXPECT_THAT(text, HasSubstr("?[2J.wav: odd"));
}

TEST(Console, ManyWarningsAreCutAndCounted) {
  auto run = sample_run();
  run.warnings.assign(20, "again");
  EXPECT_THAT(summary_of(run), HasSubstr("and 12 more warnings, in the run file"));
}

TEST(Console, AFailedSelfCheckIsShownWithItsFigures) {
  auto run = sample_run();
  run.self_checks.push_back({"outside_covers_ring_read", false, "T3 5us, T1 6us"});
  EXPECT_THAT(summary_of(run), HasSubstr("outside_covers_ring_read FAILED: T3 5us, T1 6us"));
}

TEST(Console, AnUnpacedCardShowsItsSpeedAndNoLateness) {
  auto run = sample_run();
  run.device.paced = false;
  run.device.simulated = false;
  run.device.name = "null";
  run.throughput.realtime_factor = 512.3;
  const auto text = summary_of(run);
  EXPECT_EQ(line_of(text, "speed"), "speed       512 x real time");
  EXPECT_EQ(line_of(text, "lateness"), "no line lateness");
  EXPECT_THAT(text, HasSubstr("THROUGHPUT 48 tracks"));
}

TEST(Console, OnlyTheVerdictIsColoured) {
  const auto plain = summary_of(sample_run());
  const auto coloured = summary_of(sample_run(), ConsoleStyle::colour);
  EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
  EXPECT_THAT(coloured, HasSubstr("\x1b[32mPASS\x1b[0m 48 tracks"));
  EXPECT_EQ(coloured.size(), plain.size() + 9);
}

TEST(Console, ARunWithFaultsSaysSoInItsSecondLineAndInItsLast) {
  auto run = sample_run();
  EXPECT_THAT(summary_of(run), Not(HasSubstr("INJECTED")));
  run.fault_injected = true;
  run.faults = troubled_run().faults;
  run.fault_seed = 1;
  auto text = summary_of(run);
  EXPECT_THAT(text,
              HasSubstr("\nINJECTED    faults, so no measurement: read-delay:p=0.001,ms=500 (12 times,\n"
                        "            first before the start); eio:at=90s,track=7 (never); seed 1\n"
                        "set         48 files"));
  EXPECT_THAT(text, HasSubstr("\nNO VERDICT 48 tracks"));
  std::replace(text.begin(), text.end(), '\n', ' ');
  EXPECT_THAT(text, HasSubstr("a fault was injected (read-delay:p=0.001,ms=500"));
}

TEST(Console, ClippedSamplesAreToldOnlyWhenThereWereAny) {
  RunData run = sample_run();
  run.counters.clipped_samples = 0;
  EXPECT_EQ(line_of(summary_of(run), "clipped"), "no line clipped");
  run.counters.clipped_samples = 2;
  EXPECT_EQ(line_of(summary_of(run), "clipped"), "clipped     2 samples beyond full scale");
}

TEST(Console, LengthsThatNoHeaderTellsAreNotMadeUp) {
  RunData run = sample_run();
  run.inputs.resize(1);
  run.inputs[0].frames_known = false;
  EXPECT_THAT(summary_of(run), HasSubstr("length unknown"));
  run.inputs.push_back(run.inputs[0]);
  run.inputs[1].frames_known = true;
  run.inputs[1].frames = 30 * run.device.rate_hz;
  EXPECT_THAT(summary_of(run), HasSubstr("at least 30 s"));
}

}  // namespace
}  // namespace xrunlab
