// Records of coded tracks: the decoder takes the bytes and the time that it took, and the reads are those of
// the coded bytes.
#include <gtest/gtest.h>

#include "tests/engine/recorded_run.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/lead_in.hpp"
#include "xrunlab/engine/record_cut.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/virtual_run.hpp"

namespace xrunlab::test::replay_coded_tests {
namespace {

using namespace std::chrono_literals;

constexpr auto kFragmentNs = frames_to_duration(RecordedRun::kFragment, RecordedRun::kRate).count();

/// Two coded tracks with a byte for each frame. A block of decoded audio lasts 43 ms, six of them 256 ms; a
/// block of coded bytes 85 ms, twelve of them a second, of which the decoder wants half to begin.
struct CodedRun : RecordedRun {
  static constexpr Frames kPiece = 2048;
  static constexpr Bytes kRawBlock = 4096;

  explicit CodedRun(Nanoseconds length = 8s) : RecordedRun(length) {
    std::erase_if(events, [](const Event& event) { return event.kind == EventKind::read; });
    const Frames frames = duration_to_frames_ceil(length, kRate) + 100;
    for (auto& track : header.chain->tracks) {
      track.data_begin = track.start = 86;
      track.data_end = track.file_bytes = 86 + frames;
      track.block_bytes = kPiece * 4;
      track.block_count = 6;
      track.format = SampleFormat::f32_le;
      track.decoded = true;
      track.coding = TraceCoding{.raw_block_bytes = kRawBlock,
                                 .raw_block_count = 12,
                                 .frames = frames,
                                 .valid_bits = 16,
                                 .flac = true};
    }
    for (std::uint32_t track = 0; track < 2; ++track) {
      for (Frames frame = 0; frame < frames; frame += kPiece)
        add_piece(track, frame, std::min(kPiece, frames - frame));
    }
    // What a read usually takes.
    for (std::int64_t block = 12; block < 22; ++block)
      slow_read(0, block, std::chrono::milliseconds{85 * (block - 12)}, 2ms);
  }

  void add_piece(std::uint32_t track, Frames frame, Frames frames) {
    Event event{};
    event.kind = EventKind::decoded;
    event.at_ns = (kStart + frames_to_duration(frame, kRate) - 250ms).count();
    event.decoded = {.frame = frame,
                     .frames = frames,
                     .raw_begin = frame,
                     .raw_bytes = frames,
                     .took_ns = 500'000,
                     .track = track,
                     .ends = 0};
    events.push_back(event);
  }

  DecodedEvent& piece(std::uint32_t track, Frames frame) {
    for (auto& event : events) {
      if (event.kind == EventKind::decoded && event.decoded.track == track && event.decoded.frame == frame)
        return event.decoded;
    }
    throw std::logic_error("no such piece");
  }
};

StreamRequest request_for(const ReplayScript& script, const ReplayChanges& changes = {},
                          StreamRequest request = {}) {
  play_again(std::make_shared<const ReplayScript>(script), changes, request);
  return request;
}

RunData run_of(const StreamRequest& request) {
  const Signals signals;
  return run_in_virtual_time(request, signals).run;
}

RunData replayed(const std::filesystem::path& record, const ReplayChanges& changes = {},
                 StreamRequest request = {}) {
  return run_of(request_for(load_replay_script(record), changes, std::move(request)));
}

void expect_same_episodes(const RunData& a, const RunData& b) {
  ASSERT_EQ(a.episodes.size(), b.episodes.size());
  for (std::size_t index = 0; index < a.episodes.size(); ++index) {
    EXPECT_EQ(a.episodes[index].kind, b.episodes[index].kind);
    EXPECT_EQ(a.episodes[index].cause, b.episodes[index].cause);
    EXPECT_EQ(a.episodes[index].evidence.track, b.episodes[index].evidence.track);
    EXPECT_NEAR(static_cast<double>(a.episodes[index].duration_ns),
                static_cast<double>(b.episodes[index].duration_ns), static_cast<double>(kFragmentNs));
  }
}

TEST(ReplayCoded, AQuietRecordIsAQuietRun) {
  const CodedRun record;
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_TRUE(run.complete) << run.error;
  EXPECT_EQ(run.counters.frames_played, 375 * RecordedRun::kFragment);
  EXPECT_EQ(run.counters.starved_reads, 0);
  EXPECT_TRUE(run.episodes.empty());
  EXPECT_EQ(run.inputs[0].format, "FLAC");
}

TEST(ReplayCoded, ADecoderThatWasSlowStarvesItsTrackAgain) {
  CodedRun record;
  record.piece(1, 40 * CodedRun::kPiece).took_ns = Nanoseconds{700ms}.count();
  record.write();
  const RunData run = replayed(record.path);
  ASSERT_EQ(run.counters.starvation_episodes, 1);
  EXPECT_GE(run.starvations[0].duration_ns, Nanoseconds{700ms - 256ms}.count() - kFragmentNs);
  EXPECT_LE(run.starvations[0].duration_ns, Nanoseconds{700ms - 170ms}.count() + kFragmentNs);
  ASSERT_FALSE(run.episodes.empty());
  EXPECT_EQ(run.episodes[0].kind, "starvation");
  EXPECT_EQ(run.episodes[0].cause, "decoder");
  StreamRequest larger;
  larger.disk.ring = Nanoseconds{2s};
  EXPECT_EQ(replayed(record.path, {.ring = true}, larger).counters.starvation_episodes, 0);
}

TEST(ReplayCoded, ASlowReadOfCodedBytesIsTheDisks) {
  CodedRun record;
  record.slow_read(1, 30, 1500ms, 1500ms);
  record.write();
  const RunData run = replayed(record.path);
  ASSERT_EQ(run.counters.starvation_episodes, 1);
  EXPECT_EQ(run.starvations[0].track, 1);
  // A second of coded bytes, of which the decoder wants half to begin, and 256 ms of decoded audio.
  EXPECT_GE(run.starvations[0].duration_ns, Nanoseconds{1500ms - 820ms}.count());
  EXPECT_LE(run.starvations[0].duration_ns, Nanoseconds{1500ms - 560ms}.count());
  ASSERT_FALSE(run.episodes.empty());
  EXPECT_EQ(run.episodes[0].cause, "disk");
}

TEST(ReplayCoded, EveryReplayIsTheSameAndSoIsThatOfItsRecord) {
  CodedRun record;
  record.piece(0, 60 * CodedRun::kPiece).took_ns = Nanoseconds{600ms}.count();
  record.slow_read(1, 60, 4500ms, 1500ms);
  record.write();
  StreamRequest recorded;
  recorded.record = record.folder / "again.trace";
  const RunData first = replayed(record.path, {}, recorded);
  ASSERT_EQ(first.counters.starvation_episodes, 2);
  EXPECT_EQ(first, replayed(record.path));
  expect_same_episodes(first, replayed(record.folder / "again.trace"));
}

TEST(ReplayCoded, LoopedTracksGoOnBehindTheirEnd) {
  CodedRun record(3s);
  record.header.chain->looping = true;
  record.write();
  StreamRequest request;
  request.duration = 20480ms;  // whole fragments
  request.record = record.folder / "looped.trace";
  const RunData run = replayed(record.path, {.duration = true}, request);
  EXPECT_TRUE(run.complete) << run.error;
  EXPECT_EQ(run.counters.frames_played, 960 * RecordedRun::kFragment);
  EXPECT_EQ(run.counters.starved_reads, 0);
  EXPECT_EQ(replayed(record.folder / "looped.trace").counters.frames_played, 960 * RecordedRun::kFragment);
}

TEST(ReplayCoded, WhatCouldNotBeDecodedCannotAgain) {
  CodedRun record;
  record.piece(1, 100 * CodedRun::kPiece).ends = static_cast<std::uint32_t>(DecodedEnd::failed);
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.ended_by, "input");
  EXPECT_NE(run.error.find("second.wav"), std::string::npos) << run.error;
}

TEST(ReplayCoded, AFileThatWasShorterThanItSaidIsSo) {
  CodedRun record;
  for (const std::uint32_t track : {0U, 1U}) {
    record.piece(track, 100 * CodedRun::kPiece).ends = static_cast<std::uint32_t>(DecodedEnd::pass);
  }
  record.write();
  StreamRequest whole;
  whole.duration = 30s;
  const RunData run = replayed(record.path, {.duration = true}, whole);
  EXPECT_TRUE(run.complete) << run.error;
  EXPECT_EQ(run.ended_by, "end");
  EXPECT_EQ(run.counters.frames_played, 101 * CodedRun::kPiece);
}

TEST(ReplayCoded, OneOfUnknownLengthEndsAsItWasEnded) {
  CodedRun record;
  for (auto& track : record.header.chain->tracks) track.coding->frames.reset();
  std::erase_if(record.events, [](const Event& event) {
    return event.kind == EventKind::fragment && event.fragment.index >= 200;
  });
  record.write();
  const RunData run = replayed(record.path);
  EXPECT_TRUE(run.complete) << run.error;
  EXPECT_EQ(run.counters.frames_played, 200 * RecordedRun::kFragment);
}

TEST(ReplayCoded, ItsWorstMomentCanBeCutOut) {
  for (const bool looping : {false, true}) {
    CodedRun record(looping ? 3s : 8s);
    record.header.chain->looping = looping;
    record.piece(0, 60 * CodedRun::kPiece).took_ns = Nanoseconds{600ms}.count();
    record.write();
    StreamRequest recorded;
    recorded.duration = 8s;
    recorded.record = record.folder / "whole.trace";  // with its episodes
    const RunData whole = replayed(record.path, {.duration = true}, recorded);
    ASSERT_EQ(whole.counters.starvation_episodes, 1);
    const auto cut =
        cut_worst_episode(record.folder / "whole.trace", record.folder / "piece.trace", TrackNames::kept);
    EXPECT_LT(cut.length, 5s);
    expect_same_episodes(whole, replayed(record.folder / "piece.trace"));
  }
}

TEST(ReplayCoded, ALeadInKeepsWhatHappens) {
  CodedRun record;
  record.piece(1, 10 * CodedRun::kPiece).took_ns = Nanoseconds{700ms}.count();
  record.write();
  const auto script = load_replay_script(record.path);
  StreamRequest ring;
  ring.disk.ring = Nanoseconds{600ms};
  const auto request =
      request_for(with_lead_in(script, lead_in_frames(script, 48'000)), {.ring = true}, ring);
  EXPECT_EQ(run_of(request).counters.starvation_episodes, 1);
  EXPECT_EQ(replayed(record.path, {.ring = true}, ring).counters.starvation_episodes, 0) << "it is primed";
}

TEST(ReplayCoded, ARecordWithoutTheDecodersWorkIsRefused) {
  CodedRun record;
  record.header.chain->tracks[1].coding.reset();
  record.write();
  EXPECT_THROW(load_replay_script(record.path), Error);
}

}  // namespace
}  // namespace xrunlab::test::replay_coded_tests
