#include "xrunlab/model/attribution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/sample_evidence.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

TEST(Attribution, ADiskThatHeldTheReadOfTheStarvedTrack) {
  auto timeline = quiet();
  timeline.reads = {read(0, -500, 400), read(1, -900, 400), read(0, -1000, -500)};
  timeline.samples.back().device_busy_ns = {495 * kMs};
  const auto found = attribute(starvation(), timeline);
  EXPECT_EQ(found.cause, Cause::disk);
  EXPECT_DOUBLE_EQ(found.confidence, 1.0);
  EXPECT_FALSE(found.evidence.bracketed);
  EXPECT_EQ(found.evidence.explained_ns, 400 * kMs);
  EXPECT_EQ(found.evidence.read.age_ns, 900 * kMs);
  EXPECT_EQ(found.evidence.read.offset_bytes, 65'536);
  EXPECT_EQ(found.evidence.read.in_flight, 4);
  EXPECT_EQ(found.evidence.bracket_ns, 500 * kMs);
  EXPECT_DOUBLE_EQ(found.evidence.device_busy_share.value(), 0.99);
  EXPECT_EQ(found.evidence.detail,
            "a.wav: the read at byte 65536 was outstanding for 900ms, 3 others in flight; vda busy 99 %");
}

TEST(Attribution, AReadOfAnotherTrackIsNoExcuse) {
  auto timeline = quiet();
  timeline.reads = {read(1, -500, 400)};
  EXPECT_EQ(attribute(starvation(0), timeline).cause, Cause::unknown);
}

TEST(Attribution, AReadOfAnotherTrackThatTookTheLastPlaceInTheQueueIsOne) {
  auto timeline = quiet();
  timeline.queue_depth = 4;
  timeline.reads = {read(1, -500, 400)};
  const auto found = attribute(starvation(0), timeline);
  EXPECT_EQ(found.cause, Cause::disk);
  EXPECT_EQ(found.evidence.read.track, 1);
  EXPECT_THAT(found.evidence.detail, HasSubstr("b.flac: the read at byte 65536"));
}

TEST(Attribution, AReaderThatCameLateAlthoughAReadWasOut) {
  auto timeline = quiet();
  timeline.reader_late = {ms(-300, 390)};
  // Seen in a late entry: the disk's up to the planned time only, which is before the window.
  timeline.reads = {read(0, -350, -300), read(0, 391, 400)};
  after(timeline, SampledThread::reader) = {380 * kMs, 2 * kMs, 1, 0};
  const auto found = attribute(starvation(), timeline);
  EXPECT_EQ(found.cause, Cause::reader);
  EXPECT_EQ(found.evidence.explained_ns, 390 * kMs);
  EXPECT_EQ(found.evidence.reader_late_ns, 390 * kMs);
  EXPECT_EQ(found.evidence.reader.run_delay_ns, 380 * kMs);
  EXPECT_THAT(found.evidence.detail, HasSubstr("the reader came 390ms late, ready but not run for 380ms"));
}

TEST(Attribution, AReaderThatReadsItselfIsJudgedByItsRunQueueDelay) {
  auto timeline = quiet();
  timeline.reader_blocks = true;
  timeline.reads = {read(0, -10, 400)};  // the time in pread, hog included
  EXPECT_EQ(attribute(starvation(), timeline).cause, Cause::disk);
  after(timeline, SampledThread::reader).run_delay_ns = 900 * kMs;
  const auto found = attribute(starvation(), timeline);
  EXPECT_EQ(found.cause, Cause::reader);
  EXPECT_TRUE(found.evidence.bracketed);
  EXPECT_EQ(found.evidence.explained_ns, 400 * kMs) << "a counter is capped at the window";

  after(timeline, SampledThread::reader).run_delay_ns = 0;
  timeline.reads.clear();
  timeline.reader_late = {ms(0, 390)};
  const auto asleep = attribute(starvation(), timeline);
  EXPECT_EQ(asleep.cause, Cause::reader) << "between its reads its lateness is seen all the same";
  EXPECT_FALSE(asleep.evidence.bracketed);
}

TEST(Attribution, ADecoderThatWasLateWithItsRawBytesThere) {
  auto timeline = quiet();
  timeline.raw_waits = {{1, ms(-90, 30)}, {0, ms(0, 400)}};
  timeline.reads = {read(1, -100, 400)};  // raw bytes for later
  after(timeline, SampledThread::decoder).cpu_ns = 400 * kMs;
  timeline.samples.back().decoded_frames = 4800;
  const auto found = attribute(starvation(1), timeline);
  EXPECT_EQ(found.cause, Cause::decoder);
  EXPECT_EQ(found.evidence.overlap.decoder_ns, 370 * kMs);
  EXPECT_EQ(found.evidence.overlap.disk_ns, 30 * kMs);
  EXPECT_DOUBLE_EQ(found.evidence.decoder_cpu_per_audio.value(), 4.0);
  EXPECT_THAT(found.evidence.detail, HasSubstr("b.flac: FLAC: raw bytes were there, decoding was late"));
}

TEST(Attribution, ADecoderWithoutRawBytesIsNotToBlame) {
  auto timeline = quiet();
  timeline.raw_waits = {{1, ms(-90, 398)}};
  timeline.reads = {read(1, -100, 397)};
  EXPECT_EQ(attribute(starvation(1), timeline).cause, Cause::disk);
}

TEST(Attribution, APlaybackThreadThatWasReadyAndNotRun) {
  auto timeline = quiet();
  after(timeline, SampledThread::playback).run_delay_ns = 600 * kMs;
  const auto found = attribute(late_fragment(), timeline);
  EXPECT_EQ(found.cause, Cause::scheduler);
  EXPECT_TRUE(found.evidence.bracketed);
  EXPECT_EQ(found.evidence.explained_ns, 400 * kMs) << "capped at the window";
  EXPECT_DOUBLE_EQ(found.confidence, 0.9);
  EXPECT_EQ(found.evidence.playback.run_delay_ns, 600 * kMs);
}

TEST(Attribution, TheSchedulersTraceSaysWhoRanAndWhenExactly) {
  auto timeline = quiet();
  timeline.sched_trace = true;
  after(timeline, SampledThread::playback).run_delay_ns = 600 * kMs;
  timeline.runnable = {{SampledThread::playback, ms(10, 390), "hog (7)"},
                       {SampledThread::playback, ms(391, 392), "fio (8)"},
                       {SampledThread::reader, ms(0, 400), "fio (8)"}};
  auto found = attribute(late_fragment(), timeline);
  EXPECT_EQ(found.cause, Cause::scheduler);
  EXPECT_FALSE(found.evidence.bracketed);
  EXPECT_EQ(found.evidence.explained_ns, 381 * kMs);
  EXPECT_EQ(found.evidence.ran_instead, "hog (7)");
  EXPECT_THAT(found.evidence.detail, HasSubstr("hog (7) ran on its processor"));
  EXPECT_TRUE(found.evidence.missing.empty());
  timeline.runnable.clear();
  found = attribute(late_fragment(), timeline);
  EXPECT_EQ(found.cause, Cause::unknown) << "the delay was not in the window";
}

TEST(Attribution, StolenTimeIsTheSchedulers) {
  auto timeline = quiet();
  timeline.samples.back().steal_ns = {0, 300 * kMs};
  const auto found = attribute(late_fragment(EpisodeKind::xrun), timeline);
  EXPECT_EQ(found.cause, Cause::scheduler);
  EXPECT_THAT(found.evidence.detail, HasSubstr("the hypervisor took 300ms (steal)"));
}

TEST(Attribution, StolenTimeMadeTheReaderLateButNoDiskSlow) {
  auto timeline = quiet();
  timeline.samples.back().steal_ns = {400 * kMs};
  timeline.reader_late = {ms(0, 300)};
  EXPECT_EQ(attribute(starvation(), timeline).cause, Cause::scheduler);
  timeline.reader_late.clear();
  timeline.reads = {read(0, 0, 400)};
  EXPECT_EQ(attribute(starvation(), timeline).cause, Cause::disk);
}

TEST(Attribution, AnyPageFaultOfAThreadThatNeitherRanNorWaitedToRun) {
  auto timeline = quiet();
  after(timeline, SampledThread::playback).minor_faults = 1;
  const auto found = attribute(late_fragment(EpisodeKind::ring_read), timeline);
  EXPECT_EQ(found.cause, Cause::page_fault);
  EXPECT_EQ(found.evidence.explained_ns, 380 * kMs);
  // A fault on the side does not hide who really held it up.
  after(timeline, SampledThread::playback).run_delay_ns = 370 * kMs;
  EXPECT_EQ(attribute(late_fragment(), timeline).cause, Cause::scheduler);
}

TEST(Attribution, ACardThatTookNothingThoughWeWereThere) {
  auto facts = late_fragment(EpisodeKind::pcm_write);
  facts.card_held = {ms(20, 399)};
  facts.wake_late_ns = 30'000;
  const auto found = attribute(facts, quiet());
  EXPECT_EQ(found.cause, Cause::card);
  EXPECT_EQ(found.evidence.explained_ns, 379 * kMs);
  EXPECT_EQ(found.evidence.wake_late_ns, 30'000);
}

TEST(Attribution, WithoutARingTheThreadsOwnReadIsTheDisks) {
  auto facts = late_fragment(EpisodeKind::ring_read);
  facts.own_reads = {ms(0, 395)};
  auto timeline = quiet();
  timeline.samples.back().device_busy_ns = {495 * kMs};
  const auto found = attribute(facts, timeline);
  EXPECT_EQ(found.cause, Cause::disk);
  EXPECT_EQ(found.evidence.detail, "the playback thread's own reads took 395ms; vda busy 99 %");
  timeline.tracks.back().device = "vdb";
  EXPECT_EQ(attribute(facts, timeline).evidence.device, "") << "which of the two is not known";
  after(timeline, SampledThread::playback).run_delay_ns = 380 * kMs;
  EXPECT_EQ(attribute(facts, timeline).cause, Cause::scheduler);
}

TEST(Attribution, ASuspendIsSeenByTheClockThatRanOn) {
  auto timeline = quiet();
  timeline.samples.back().suspended_ns = 3600'000 * kMs;
  for (const auto& facts : {late_fragment(EpisodeKind::xrun), starvation()}) {
    const auto found = attribute(facts, timeline);
    EXPECT_EQ(found.cause, Cause::suspend);
    EXPECT_EQ(found.evidence.explained_ns, facts.lost_ns);
  }
}

TEST(Attribution, AnInputThatFailed) {
  auto timeline = quiet();
  timeline.input_faults = {{0, 4096, 5, ms(-200, 400)}};
  timeline.reads = {read(0, -500, 400)};
  const auto found = attribute(starvation(), timeline);
  EXPECT_EQ(found.cause, Cause::input);
  EXPECT_THAT(found.evidence.detail, HasSubstr("a.wav: could not be read at byte 4096: Input/output error"));
  EXPECT_EQ(attribute(starvation(1), timeline).cause, Cause::decoder) << "another track's failure";
}

TEST(Attribution, TiesGoInTheOrderOfTheCauses) {
  auto timeline = quiet();
  timeline.reads = {read(1, -10, 400)};
  timeline.raw_waits = {{1, ms(200, 400)}};
  EXPECT_EQ(attribute(starvation(1), timeline).cause, Cause::decoder);  // 200 each
  timeline.reader_late = {ms(200, 398)};                                // within 5 %
  EXPECT_EQ(attribute(starvation(1), timeline).cause, Cause::reader);
  timeline.samples.back().steal_ns = {199 * kMs};
  EXPECT_EQ(attribute(starvation(1), timeline).cause, Cause::scheduler);
  timeline.samples.back().suspended_ns = 5000 * kMs;
  EXPECT_EQ(attribute(starvation(1), timeline).cause, Cause::suspend);
  timeline.input_faults = {{1, 0, 0, ms(0, 400)}};
  EXPECT_EQ(attribute(starvation(1), timeline).cause, Cause::input);
}

TEST(Attribution, ARivalThatExplainsAsMuchTakesHalfOfTheConfidence) {
  auto timeline = quiet();
  timeline.reads = {read(0, 0, 400)};
  timeline.reader_late = {ms(0, 400)};
  const auto found = attribute(starvation(), timeline);
  EXPECT_EQ(found.cause, Cause::reader);
  EXPECT_DOUBLE_EQ(found.confidence, 0.5);
}

TEST(Attribution, LessThanHalfOfTheLossIsNoExplanation) {
  auto timeline = quiet();
  timeline.reads = {read(0, 0, 199)};
  auto found = attribute(starvation(), timeline);
  EXPECT_EQ(found.cause, Cause::unknown);
  EXPECT_EQ(found.confidence, 0);
  EXPECT_EQ(found.evidence.explained_ns, 199 * kMs);
  timeline.reads = {read(0, 0, 200)};
  EXPECT_EQ(attribute(starvation(), timeline).cause, Cause::disk);
}

TEST(Attribution, WhatIsUnknownSaysWhatIsMissing) {
  EvidenceTimeline bare;
  bare.sched_trace_missing = "tracefs is not mounted";
  const auto found = attribute(late_fragment(), bare);
  EXPECT_EQ(found.cause, Cause::unknown);
  EXPECT_THAT(found.evidence.detail,
              HasSubstr("nothing that was seen explains half of 380ms; not to be had: "));
  for (const auto* const part : {"schedstat", "steal", "PSI", "who ran (tracefs is not mounted)"}) {
    EXPECT_THAT(found.evidence.detail, HasSubstr(part));
  }
  EXPECT_EQ(found.evidence.overlap.scheduler_ns, std::nullopt);
}

TEST(Attribution, JoinedWaitsAreOneWindowWithHoles) {
  auto facts = starvation();
  facts.window = {ms(0, 100), ms(300, 400)};
  facts.lost_ns = 200 * kMs;
  auto timeline = quiet();
  timeline.reads = {read(0, 50, 350)};
  const auto found = attribute(facts, timeline);
  EXPECT_EQ(found.evidence.window_ns, 200 * kMs);
  EXPECT_EQ(found.evidence.explained_ns, 100 * kMs);
  EXPECT_EQ(found.cause, Cause::disk);
}

}  // namespace
}  // namespace xrunlab
