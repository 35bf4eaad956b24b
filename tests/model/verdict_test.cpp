#include "xrunlab/model/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/model/sample_run.hpp"

namespace xrunlab {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunData judged(const std::function<void(RunData&)>& change) {
  RunData run = sample_run();
  change(run);
  judge(run);
  return run;
}

Verdict verdict_of(const std::function<void(RunData&)>& change) {
  return judged(change).verdict;
}

TEST(Verdict, PassIsOneLineThatStandsAlone) {
  const auto run = judged([](RunData&) {});
  EXPECT_EQ(run.verdict_line,
            "PASS 48 tracks 60 s, 0 dropouts (< 180/hour, 95 %), simulated card, no load, used 0.4 s of 5.0 "
            "s ring");
  EXPECT_THAT(run.reasons, IsEmpty());
  EXPECT_EQ(exit_code_for(run), ExitCode::ok);
}

TEST(Verdict, PassNamesTheServerTheLoadAndAMissingRing) {
  const auto run = judged([](RunData& data) {
    data.device.simulated = false;
    data.device.name = "default";
    data.device.server = "PipeWire";
    data.load = "fio";
    data.ring = {};
    data.ring.used = false;
    data.inputs.resize(1);
  });
  EXPECT_EQ(
      run.verdict_line,
      "PASS 1 track 60 s, 0 dropouts (< 180/hour, 95 %), default (PipeWire's buffer), load fio, no ring");
}

TEST(Verdict, XrunsFailOnlyAboveTheAllowedNumber) {
  const auto allowed = judged([](RunData& data) {
    data.counters.device_xruns = 2;
    data.counters.dropouts = 2;
    data.limits.max_xruns = 2;
  });
  EXPECT_EQ(allowed.verdict, Verdict::pass);
  EXPECT_THAT(allowed.verdict_line, HasSubstr("2 dropouts (120/hour, 14.5 to 433 at 95 %)"));
  const auto broken = judged([](RunData& data) {
    data.counters.device_xruns = 3;
    data.limits.max_xruns = 2;
  });
  EXPECT_EQ(broken.verdict, Verdict::fail);
  EXPECT_THAT(broken.reasons, ElementsAre("3 xruns, 2 allowed"));
  EXPECT_THAT(broken.verdict_line, HasSubstr("ring: 3 xruns, 2 allowed"));
  EXPECT_EQ(exit_code_for(broken), ExitCode::limit_broken);
}

TEST(Verdict, StarvationFailsOnlyAboveTheAllowedNumber) {
  const auto starve = [](std::int64_t allowed) {
    return judged([allowed](RunData& data) {
      data.counters.starvation_episodes = 1;
      data.counters.starvation_longest_ns = 970'000'000;
      data.limits.max_starved = allowed;
    });
  };
  EXPECT_EQ(starve(1).verdict, Verdict::pass);
  EXPECT_THAT(starve(0).reasons, ElementsAre("1 starvation episode, 0 allowed (longest 1.0 s)"));
}

TEST(Verdict, NotSustainedFailsAndSaysWhenTheRingWillBeEmpty) {
  const auto run = judged([](RunData& data) {
    data.throughput.sustained = false;
    data.throughput.headroom = 0.984;
  });
  EXPECT_EQ(run.verdict, Verdict::fail);
  EXPECT_EQ(run.reasons.front(),
            "not sustained: disk gives 98.4 % of the need; the ring would be empty after about 5 min 13 s");
  const auto enough = judged([](RunData& data) {
    data.throughput.sustained = false;
    data.throughput.headroom = 1.0;
  });
  EXPECT_THAT(enough.reasons.front(), HasSubstr("never all full"));
}

TEST(Verdict, NotSustainedSaysWhenTheRingWasEmptyOnceItWas) {
  const auto run = judged([](RunData& data) {
    data.throughput.sustained = false;
    data.throughput.headroom = 0.1;
    data.starvations = {{4'000'000'000, 9'000'000'000, 9'000'000'000, 9, 0},
                        {30'000'000'000, 1'000'000, 1'000'000, 1, 0}};
  });
  EXPECT_EQ(run.reasons.front(),
            "not sustained: disk gives 10.0 % of the need; the ring was empty after 4.0 s");
  const auto unknown = judged([](RunData& data) {
    data.throughput.sustained = false;
    data.throughput.headroom = 1.2;
    data.starvations = {{4'000'000'000, 9'000'000, 9'000'000, 1, 0}};
  });
  EXPECT_THAT(unknown.reasons.front(),
              HasSubstr("gives 120.0 % of the need; the ring was empty after 4.0 s"));
}

TEST(Verdict, ARingThatWasTooSmallIsNotSaidToHaveBeenUsed) {
  const auto run = judged([](RunData& data) { data.ring.ring_needed_frames = 405'720; });
  EXPECT_THAT(run.verdict_line, HasSubstr(", needs 9.2 s of ring, has 5.0 s: "));
  EXPECT_THAT(run.verdict_line, ::testing::Not(HasSubstr("used")));
  EXPECT_THAT(run.reasons, ElementsAre("the ring of 5.0 s was too small by 4.2 s"));
  const auto whole = judged([](RunData& data) { data.ring.ring_needed_frames = 220'500; });
  EXPECT_THAT(whole.verdict_line, HasSubstr("used 5.0 s of 5.0 s ring"));
}

TEST(Verdict, SustainedIsNotAskedWithoutARingOrWithEverythingPrimed) {
  EXPECT_EQ(verdict_of([](RunData& data) {
              data.ring.used = false;
              data.throughput.sustained = false;
            }),
            Verdict::pass);
  EXPECT_EQ(verdict_of([](RunData& data) {
              data.window.primed_whole = true;
              data.throughput.sustained = false;
            }),
            Verdict::no_verdict);
}

TEST(Verdict, RingNeededIsMarginalAboveFourFifths) {
  const auto needed = [](std::int64_t frames) {
    return judged([frames](RunData& data) { data.ring.ring_needed_frames = frames; });
  };
  EXPECT_EQ(needed(176'400).verdict, Verdict::pass);
  EXPECT_EQ(needed(176'401).verdict, Verdict::marginal);
  EXPECT_THAT(needed(176'401).reasons, ElementsAre("the ring needed 4.0 s of its 5.0 s (over 80 %)"));
}

TEST(Verdict, HeadroomIsMarginalBelowOnePointOne) {
  EXPECT_EQ(verdict_of([](RunData& data) { data.throughput.headroom = 1.1; }), Verdict::pass);
  EXPECT_EQ(verdict_of([](RunData& data) { data.throughput.headroom = 1.0999; }), Verdict::marginal);
  EXPECT_EQ(verdict_of([](RunData& data) { data.throughput.headroom.reset(); }), Verdict::pass);
}

TEST(Verdict, SlackIsMarginalBelowAFifthOfWhatTheCardCanHold) {
  const auto slack = [](std::int64_t frames) {
    return verdict_of([frames](RunData& data) {
      data.device.buffer_frames = 2024;  // B − F = 1000
      data.slack_low_water_frames = frames;
    });
  };
  EXPECT_EQ(slack(200), Verdict::pass);
  EXPECT_EQ(slack(199), Verdict::marginal);
}

TEST(Verdict, MarginalIsExitZeroUnlessAskedOtherwise) {
  auto run = judged([](RunData& data) { data.throughput.headroom = 1.05; });
  EXPECT_EQ(exit_code_for(run), ExitCode::ok);
  run.limits.fail_marginal = true;
  EXPECT_EQ(exit_code_for(run), ExitCode::limit_broken);
}

TEST(Verdict, IncompleteLeavesNoVerdictEvenWithDropouts) {
  const auto run = judged([](RunData& data) {
    data.complete = false;
    data.ended_by = "signal 2";
    data.counters.device_xruns = 9;
  });
  EXPECT_EQ(run.verdict, Verdict::no_verdict);
  EXPECT_THAT(run.reasons, ElementsAre("incomplete: ended after 60 s by signal 2", "9 xruns, 0 allowed"));
  EXPECT_EQ(exit_code_for(run), ExitCode::limit_broken);
}

TEST(Verdict, StoppingAtTheFirstXrunAsAskedIsAFailure) {
  const auto stop = [](std::int64_t allowed) {
    return verdict_of([allowed](RunData& data) {
      data.complete = false;
      data.ended_by = "xrun";
      data.counters.device_xruns = 1;
      data.limits.max_xruns = allowed;
    });
  };
  EXPECT_EQ(stop(0), Verdict::fail);
  EXPECT_EQ(stop(1), Verdict::no_verdict);
}

TEST(Verdict, FailedSelfCheckInjectedFaultAndDeadLoadOutweighXruns) {
  const auto check = judged([](RunData& data) {
    data.self_checks.at(0) = {"card_clock", false, "off by 3 s"};
    data.counters.device_xruns = 1;
  });
  EXPECT_EQ(check.verdict, Verdict::no_verdict);
  EXPECT_THAT(check.verdict_line, HasSubstr(": self-check card_clock failed: off by 3 s"));
  EXPECT_EQ(verdict_of([](RunData& data) {
              data.fault_injected = true;
              data.counters.device_xruns = 1;
            }),
            Verdict::no_verdict);
  EXPECT_EQ(verdict_of([](RunData& data) { data.load_error = "exit 1"; }), Verdict::no_verdict);
}

TEST(Verdict, TheLineNamesTheFaultsThatWereInjected) {
  std::vector<FaultData> faults;
  for (const char* named : {"", " (eio:at=3s)", " (eio:at=3s, eio:at=3s)", " (eio:at=3s, eio:at=3s, ...)"}) {
    const auto run = judged([&](RunData& data) { data.fault_injected = true, data.faults = faults; });
    EXPECT_THAT(run.verdict_line, HasSubstr(std::string(": a fault was injected") + named));
    faults.push_back({"eio:at=3s", 1, 3'000'000'000});
  }
}

TEST(Verdict, WhatARecordLoadLostFailsTheRun) {
  const auto run = judged([](RunData& data) {
    data.load = "record:takes,tracks=2";
    data.loads = {{.kind = "record", .spec = "record:takes,tracks=2", .alive = true, .overruns = 3}};
  });
  EXPECT_EQ(run.verdict, Verdict::fail);
  EXPECT_THAT(run.verdict_line, HasSubstr(": the load 'record:takes,tracks=2' lost 3 fragments"));
  EXPECT_EQ(exit_code_for(run), ExitCode::limit_broken);
}

TEST(Verdict, DataFromTheCacheLeavesNoVerdictWithEvictOnly) {
  const auto from_device = [](std::int64_t bytes, const char* cache) {
    return judged([=](RunData& data) {
      data.io.cache = cache;
      data.throughput.bytes_read = 1000;
      data.throughput.device_read_bytes = bytes;
    });
  };
  EXPECT_EQ(from_device(900, "evict").verdict, Verdict::pass);
  EXPECT_EQ(from_device(899, "evict").verdict, Verdict::no_verdict);
  EXPECT_EQ(from_device(899, "keep").verdict, Verdict::pass);
  EXPECT_THAT(from_device(0, "evict").reasons.front(),
              HasSubstr("only 0.0 % of the data came from the device"));
  EXPECT_EQ(verdict_of([](RunData& data) { data.throughput.device_read_bytes.reset(); }),
            Verdict::no_verdict);
}

TEST(Verdict, ShortWindowLeavesNoVerdict) {
  const auto window = [](std::int64_t ns, std::int64_t ring_frames) {
    return verdict_of([=](RunData& data) {
      data.window.length_ns = ns;
      data.ring.frames = ring_frames;
    });
  };
  EXPECT_EQ(window(10'000'000'000, 44'100), Verdict::pass);
  EXPECT_EQ(window(9'999'999'999, 44'100), Verdict::no_verdict);
  EXPECT_EQ(window(15'000'000'000, 220'500), Verdict::pass);
  EXPECT_EQ(window(14'999'999'999, 220'500), Verdict::no_verdict);
}

TEST(Verdict, DropoutsInAnEasyRunStillFail) {
  const auto run = judged([](RunData& data) {
    data.window.length_ns = 2'000'000'000;
    data.throughput.sustained = false;  // a short window cannot tell
    data.counters.device_xruns = 1;
  });
  EXPECT_EQ(run.verdict, Verdict::fail);
  EXPECT_EQ(run.reasons.front(), "1 xrun, 0 allowed");
  EXPECT_THAT(run.reasons, Contains(HasSubstr("too short: at least 15 s, three times the ring")));
  EXPECT_THAT(run.reasons, ::testing::Not(Contains(HasSubstr("not sustained"))));
}

TEST(Verdict, UnpacedCardGivesThroughputWithoutLimitsOrSelfChecks) {
  const auto run = judged([](RunData& data) {
    data.device.paced = false;
    data.device.simulated = false;
    data.counters.starvation_episodes = 40;
    data.self_checks.at(0).passed = false;
    data.throughput.realtime_factor = 512.34;
    data.throughput.bytes_per_s = 3'250'000'000.0;
    data.window.length_ns = 17'000'000;
    data.throughput.time_ns = 117'000'000;  // priming too: what the other figures are of
  });
  EXPECT_EQ(run.verdict_line,
            "THROUGHPUT 48 tracks 0.1 s, 512 x real time, 3250 MB/s read, unpaced card, no load");
  EXPECT_EQ(exit_code_for(run), ExitCode::ok);
  EXPECT_EQ(verdict_of([](RunData& data) {
              data.device.paced = false;
              data.complete = false;
            }),
            Verdict::no_verdict);
}

TEST(Verdict, JudgingTwiceChangesNothing) {
  auto once = judged([](RunData& data) { data.counters.device_xruns = 1; });
  auto twice = once;
  judge(twice);
  EXPECT_EQ(once, twice);
}

}  // namespace
}  // namespace xrunlab
