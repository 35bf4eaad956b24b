#include "xrunlab/model/fault.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// What a person reads when `text` is refused.
std::string refusal_of(const std::string& text) {
  try {
    parse_fault(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage) << text;
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "accepted";
}

TEST(Fault, ReadFaultsTakeAProbabilityOrATimeAndATrack) {
  const auto by_chance = parse_fault("read-delay:p=0.001,ms=500");
  EXPECT_EQ(by_chance.kind, FaultKind::read_delay);
  EXPECT_EQ(by_chance.probability, 0.001);
  EXPECT_EQ(by_chance.delay, 500ms);
  EXPECT_FALSE(by_chance.at || by_chance.track);
  const auto at_a_time = parse_fault("read-delay:at=3s,ms=970,track=7");
  EXPECT_EQ(at_a_time.at, 3s);
  EXPECT_EQ(at_a_time.delay, 970ms);
  EXPECT_EQ(at_a_time.track, 7u);
  EXPECT_FALSE(at_a_time.probability);
  EXPECT_EQ(at_a_time.text, "read-delay:at=3s,ms=970,track=7");
  EXPECT_EQ(parse_fault("short-read:p=1").probability, 1);
  EXPECT_EQ(parse_fault("eio:track=0,at=250ms").at, 250ms);
  EXPECT_TRUE(befalls_reads(FaultKind::eio));
}

TEST(Fault, ThreadsAreDelayedAtATime) {
  for (const auto kind : {FaultKind::playback_delay, FaultKind::reader_delay, FaultKind::decoder_delay}) {
    const auto fault = parse_fault(std::string(to_string(kind)) + ":at=1.5,ms=0.25");
    EXPECT_EQ(fault.kind, kind);
    EXPECT_EQ(fault.at, 1500ms);
    EXPECT_EQ(fault.delay, 250us);
    EXPECT_FALSE(befalls_reads(kind));
  }
}

TEST(Fault, AnUnknownFaultOrKeyIsRefusedWithThoseThereAre) {
  EXPECT_THAT(refusal_of("slow-disk:p=1"), HasSubstr("there is no fault 'slow-disk'"));
  EXPECT_THAT(refusal_of("slow-disk:p=1"), HasSubstr("read-delay, short-read, eio, playback-delay, "
                                                     "reader-delay, decoder-delay"));
  EXPECT_THAT(refusal_of(""), HasSubstr("there is no fault ''"));
  EXPECT_THAT(refusal_of("eio:at=1s,ms=5"), HasSubstr("--fault eio: there is no key 'ms'"));
  EXPECT_THAT(refusal_of("eio:at=1s,ms=5"), HasSubstr("its keys are at or p, track"));
  EXPECT_THAT(refusal_of("reader-delay:at=1s,ms=5,track=1"), HasSubstr("there is no key 'track'"));
  EXPECT_THAT(refusal_of("playback-delay:p=0.5,ms=5"), HasSubstr("its keys are at, ms"));
}

TEST(Fault, WhatIsMissingContradictsOrIsNoNumberIsNamed) {
  EXPECT_THAT(refusal_of("read-delay"), HasSubstr("when is missing"));
  EXPECT_THAT(refusal_of("read-delay:at=1s"), HasSubstr("ms, how long, is missing"));
  EXPECT_THAT(refusal_of("read-delay:at=1s,p=0.5,ms=5"), HasSubstr("p and at exclude each other"));
  EXPECT_THAT(refusal_of("read-delay:at=1s,at=2s,ms=5"), HasSubstr("at is given twice"));
  EXPECT_THAT(refusal_of("read-delay:at,ms=5"), HasSubstr("'at' has no value"));
  EXPECT_THAT(refusal_of("eio:at=1s,,track=1"), HasSubstr("'' has no value"));
  for (const char* p : {"0", "1.1", "-1", "nan", "half", "", "0.5x"}) {
    EXPECT_THAT(refusal_of(std::string("short-read:p=") + p),
                HasSubstr("is not a number above 0 and at most 1"))
        << p;
  }
  for (const char* ms : {"0", "-5", "3600001", "5s", "inf"}) {
    EXPECT_THAT(refusal_of(std::string("read-delay:at=1s,ms=") + ms), HasSubstr("at most 3600000")) << ms;
  }
  EXPECT_THAT(refusal_of("eio:at=soon"), HasSubstr("--fault eio at: 'soon'"));
  EXPECT_THAT(refusal_of("eio:at=1s,track=-1"), HasSubstr("--fault eio track: '-1'"));
}

}  // namespace
}  // namespace xrunlab
