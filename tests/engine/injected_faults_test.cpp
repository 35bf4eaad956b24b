#include "xrunlab/engine/injected_faults.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab::test::injected_faults_tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

FaultPlan plan_of(const std::vector<std::string>& specs) {
  FaultPlan plan;
  for (const auto& spec : specs) plan.specs.push_back(parse_fault(spec));
  return plan;
}

std::string refusal_of(const std::string& spec, RingUse ring = RingUse::ring) {
  StreamRequest request;
  request.files.resize(3);
  for (auto& file : request.files) file.raw_format = SampleFormat::s16_le;
  request.disk.ring_use = ring;
  request.faults = plan_of({spec});
  try {
    check_faults(request);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "accepted";
}

TEST(InjectedFaults, WhatNothingCouldMeetIsRefused) {
  EXPECT_EQ(refusal_of("read-delay:at=1s,ms=5,track=2"), "accepted");
  EXPECT_THAT(refusal_of("read-delay:at=1s,ms=5,track=3"), HasSubstr("there are 3 tracks"));
  EXPECT_THAT(refusal_of("read-delay:at=1s,ms=5,track=3"), HasSubstr("the last one is 2"));
  EXPECT_THAT(refusal_of("decoder-delay:at=1s,ms=5"), HasSubstr("every file is raw PCM"));
  for (const char* spec : {"eio:at=1s", "short-read:p=1", "reader-delay:at=1s,ms=5"})
    EXPECT_THAT(refusal_of(spec, RingUse::none), HasSubstr("with --no-ring there is no reader")) << spec;
  EXPECT_EQ(refusal_of("playback-delay:at=1s,ms=5", RingUse::none), "accepted");
}

TEST(InjectedFaults, EachPartGetsItsOwnAndTheAccountKeepsTheOrder) {
  FakeClock clock;
  std::atomic<bool> stop{false};
  InjectedFaults faults(plan_of({"eio:at=9s", "reader-delay:at=1s,ms=5", "short-read:p=1"}), clock, stop);
  EXPECT_EQ(faults.playback(), nullptr);
  EXPECT_EQ(faults.decoder(), nullptr);
  ASSERT_NE(faults.reader(), nullptr);
  const auto reads = faults.of_reads();
  ASSERT_EQ(reads.size(), 2u);
  const auto started = clock.now();
  reads[1].count->note(started - 3ms);
  reads[1].count->note(started + 3ms);
  faults.reader()->pass(started + 1s, started);
  const std::vector<FaultData> expected{
      {"eio:at=9s", 0, {}}, {"reader-delay:at=1s,ms=5", 1, 1'000'000'000}, {"short-read:p=1", 2, -3'000'000}};
  EXPECT_EQ(faults.account(started), expected);
  EXPECT_EQ(faults.account(Nanoseconds{0})[2].first_ns, std::nullopt);
  EXPECT_FALSE(faults.failed_a_read());
  reads[0].count->note(started);
  EXPECT_TRUE(faults.failed_a_read());
}

TEST(InjectedFaults, WhatIsPutDownToNothingNamesWhatWasInjectedThen) {
  const auto episode = [](const char* cause, std::int64_t start_ns) {
    EpisodeData made{
        .kind = "xrun", .start_ns = start_ns, .duration_ns = 100, .cause = cause, .evidence = {}};
    made.evidence.detail = "why";
    made.evidence.window_ns = 250;
    return made;
  };
  std::vector<EpisodeData> episodes{episode("unknown", 1000), episode("disk", 1000),
                                    episode("unknown", 2000)};
  const std::vector<FaultData> faults{{.spec = "playback-delay:at=1", .count = 1, .first_ns = 850},
                                      {.spec = "before", .count = 1, .first_ns = 849},
                                      {.spec = "at the end", .count = 1, .first_ns = 1100},
                                      {.spec = "behind", .count = 1, .first_ns = 1101},
                                      {.spec = "never", .count = 0, .first_ns = {}}};
  name_injected(episodes, faults);
  EXPECT_EQ(episodes[0].evidence.detail,
            "why; injected then: playback-delay:at=1; injected then: at the end");
  EXPECT_EQ(episodes[1].evidence.detail, "why") << "the evidence was enough";
  EXPECT_EQ(episodes[2].evidence.detail, "why");
}

TEST(InjectedFaults, StallsOfTheSimulatedCardAreFaultsToo) {
  PcmGrant card;
  card.simulated = true;
  card.name = "sim:ppm=50,stall=1s+70ms,capture=/tmp/stall=2,stall=9s+1s";
  const std::vector<FaultData> expected{{"sim:stall=1s+70ms", 1, 1'000'000'000}, {"sim:stall=9s+1s", 0, {}}};
  EXPECT_EQ(stalls_of(card, 5s), expected);
  card.name = "sim";
  EXPECT_TRUE(stalls_of(card, 5s).empty());
  card.name = "hw:stall=1";
  card.simulated = false;
  EXPECT_TRUE(stalls_of(card, 5s).empty());
}

}  // namespace
}  // namespace xrunlab::test::injected_faults_tests
