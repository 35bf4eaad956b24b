// Reader, rings, mixer and loop together: what is in the files is what the card gets, on any disk.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/disk/audio_bytes.hpp"
#include "tests/engine/chain_bench.hpp"
#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/audio/scripted_pcm.hpp"

namespace xrunlab::test::streaming_chain_tests {
namespace {

using namespace std::chrono_literals;

constexpr Frames kFragment = 256;

PcmGrant card_with(int channels) {
  PcmGrant grant;
  grant.rate = SampleRate{48'000};
  grant.channels = channels;
  grant.period = kFragment;
  grant.buffer = 4 * kFragment;
  grant.fragment = kFragment;
  return grant;
}

/// Completions out of order, short reads, interrupted and repeated ones.
std::vector<ScriptedRead> rough_disk() {
  std::vector<ScriptedRead> script;
  for (std::int64_t read = 0; read < 2000; ++read) {
    ScriptedRead entry{.read = read, .latency = 100us * (1 + read * 7 % 11)};
    if (read % 13 == 5) entry.most = 1 + read * 97 % 4095;
    if (read % 17 == 3) entry.error_number = EINTR;
    if (read % 19 == 4) entry.error_number = EAGAIN;
    script.push_back(entry);
  }
  return script;
}

const std::vector<ChainTrack> kMixed{{SampleFormat::u8, 1, 9000, 44},
                                     {SampleFormat::s16_le, 2, 20'000, 46},
                                     {SampleFormat::s24_3le, 3, 15'001, 4091},
                                     {SampleFormat::f32_le, 1, 12'345, 0},
                                     {SampleFormat::s24_3le, 1, 20'001, 5000}};
constexpr int kMixedChannels = 8;
constexpr Frames kMixedLength = 20'001;

TEST(StreamingChain, MixedFormatsAreExactOnARoughDisk) {
  for (const Bytes alignment : {Bytes{512}, kPageBytes}) {
    for (const int depth : {1, 3, 16}) {
      FakeClock clock;
      ScriptedPcm pcm(card_with(kMixedChannels), clock, {});
      Chain chain({.tracks = kMixed,
                   .disk = {.depth = depth, .latency = 100us, .script = rough_disk()},
                   .alignment = alignment},
                  clock, pcm.grant(), StarveAnswer::waited);
      const auto result = chain.play(pcm);
      EXPECT_EQ(result.end, PlaybackEnd::data);
      EXPECT_EQ(result.frames_played, kMixedLength);
      EXPECT_GT(chain.reader->short_reads(), 5);
      chain.expect_on_card(pcm.accepted(), kMixedLength, pcm.grant());
      if (HasFatalFailure()) return;
    }
  }
}

TEST(StreamingChain, TheSimulatedCardCapturesWhatIsInTheFiles) {
  const TemporaryDirectory directory;
  const auto capture = directory.path() / "capture.wav";
  FakeClock clock;
  std::vector<std::string> warnings;
  const auto pcm = open_pcm({.device = "sim:capture=" + capture.string(),
                             .format = SampleFormat::s32_le,
                             .rate = SampleRate{48'000},
                             .channels = kMixedChannels,
                             .period = kFragment,
                             .buffer = 4 * kFragment},
                            clock, warnings);
  Chain chain({.tracks = kMixed}, clock, pcm->grant(), StarveAnswer::waited);
  const auto start = clock.now();
  const auto result = chain.play(*pcm);
  EXPECT_EQ(result.end, PlaybackEnd::data);
  EXPECT_EQ(clock.now() - start, frames_to_duration(kMixedLength, {48'000}));
  EXPECT_EQ(chain.recorder->live().xruns, 0);
  EXPECT_EQ(chain.waits, 0);
  pcm->close();
  std::vector<char> file(std::filesystem::file_size(capture));
  std::ifstream(capture, std::ios::binary).read(file.data(), static_cast<std::streamsize>(file.size()));
  const auto size = static_cast<std::size_t>(kMixedLength * kMixedChannels * 4);
  ASSERT_GE(file.size(), size);
  chain.expect_on_card(std::as_bytes(std::span(file).last(size)), kMixedLength, pcm->grant());
}

TEST(StreamingChain, FullRangeIntegersPassAsIntegers) {
  FakeClock clock;
  ScriptedPcm pcm(card_with(5), clock, {});
  Chain chain({.tracks = {{SampleFormat::s32_le, 2, 9000, 44},
                          {SampleFormat::s24_3le, 1, 7000, 45},
                          {SampleFormat::u8, 1, 9000, 47},
                          {SampleFormat::s16_le, 1, 8000, 4096}},
               .disk = {.script = rough_disk()},
               .path = SamplePath::int32},
              clock, pcm.grant(), StarveAnswer::waited);
  EXPECT_EQ(chain.play(pcm).frames_played, 9000);
  chain.expect_on_card(pcm.accepted(), 9000, pcm.grant());
}

TEST(StreamingChain, AFrameMayBeLargerThanABlock) {
  FakeClock clock;
  ScriptedPcm pcm(card_with(1500), clock, {});
  Chain chain({.tracks = {{SampleFormat::s32_le, 1500, 1000, 44}}, .path = SamplePath::int32}, clock,
              pcm.grant(), StarveAnswer::waited);
  EXPECT_EQ(chain.play(pcm).frames_played, 1000);
  chain.expect_on_card(pcm.accepted(), 1000, pcm.grant());
}

TEST(StreamingChain, TinyFilesLoopWithoutAGap) {
  FakeClock clock;
  ScriptedPcm pcm(card_with(4), clock, {});
  Chain chain({.tracks = {{SampleFormat::s24_3le, 1, 100, 44},
                          {SampleFormat::s16_le, 1, 1000, 4095},
                          {SampleFormat::s24_3le, 2, 3000, 50}},
               .disk = {.script = rough_disk()},
               .looping = Looping::forever,
               .blocks = 16},
              clock, pcm.grant(), StarveAnswer::waited);
  const auto result = chain.play(pcm, {.duration = 30'100});
  EXPECT_EQ(result.end, PlaybackEnd::duration);
  EXPECT_EQ(result.first_track_end.count(), 0);
  chain.expect_on_card(pcm.accepted(), 30'100, pcm.grant());
}

TEST(StreamingChain, ASlowDiskDelaysTheMaterialAndChangesNone) {
  for (const auto answer : {StarveAnswer::waited, StarveAnswer::silenced}) {
    FakeClock clock;
    ScriptedPcm pcm(card_with(3), clock, {});
    Chain chain({.tracks = {{SampleFormat::s24_3le, 1, 20'000, 44}, {SampleFormat::s16_le, 2, 20'000, 44}},
                 .disk = {.depth = 1, .latency = 25ms}},
                clock, pcm.grant(), answer);
    const auto result = chain.play(pcm);
    EXPECT_EQ(result.end, PlaybackEnd::data);
    const auto silent = std::count(chain.silences.begin(), chain.silences.end(), true);
    if (answer == StarveAnswer::waited) {
      EXPECT_GT(chain.waits, 5);
      EXPECT_GT(chain.recorder->live().xruns, 0);
    } else {
      EXPECT_GT(silent, 5);
      EXPECT_EQ(chain.recorder->live().xruns, 0);
      EXPECT_EQ(chain.recorder->snapshot().silent_fragments, silent);
    }
    EXPECT_EQ(result.frames_played, 20'000 + silent * kFragment);
    chain.expect_on_card(pcm.accepted(), result.frames_played, pcm.grant());
  }
}

TEST(StreamingChain, XrunsAndSuspendsChangeNoSample) {
  FakeClock clock;
  ScriptedPcm pcm(card_with(2), clock,
                  {{.fragment = 5, .fault = CardFault::xrun, .length = 40ms},
                   {.fragment = 20, .fault = CardFault::short_write, .frames = 17},
                   {.fragment = 30, .fault = CardFault::suspend, .length = 100ms},
                   {.fragment = 40, .fault = CardFault::wrong_state},
                   {.fragment = 50, .fault = CardFault::xrun, .length = 1ms}});
  Chain chain({.tracks = {{SampleFormat::s24_3le, 2, 20'000, 44}}}, clock, pcm.grant(), StarveAnswer::waited);
  EXPECT_EQ(chain.play(pcm).end, PlaybackEnd::data);
  EXPECT_EQ(chain.recorder->live().xruns, 2);
  chain.expect_on_card(pcm.accepted(), 20'000, pcm.grant());
}

TEST(StreamingChain, AReadErrorEndsThePlayBehindWhatWasRead) {
  FakeClock clock;
  ScriptedPcm pcm(card_with(1), clock, {});
  Chain chain({.tracks = {{SampleFormat::s16_le, 1, 40'000, 0}},
               .disk = {.depth = 1, .script = {{.read = 7, .error_number = EIO}}}},
              clock, pcm.grant(), StarveAnswer::waited);
  const auto result = chain.play(pcm);
  EXPECT_EQ(result.end, PlaybackEnd::input);
  EXPECT_EQ(result.frames_played, 7 * 2048);
  chain.expect_on_card(pcm.accepted(), 7 * 2048, pcm.grant());
  EXPECT_EQ(chain.reader->input_failure()->error_number, EIO);
}

}  // namespace
}  // namespace xrunlab::test::streaming_chain_tests
