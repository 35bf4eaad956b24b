#include "xrunlab/disk/decoder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/disk/audio_bytes.hpp"
#include "tests/disk/coded_chain.hpp"
#include "tests/disk/file_contents.hpp"
#include "tests/disk/written_by_libsndfile.hpp"

namespace xrunlab::test {
namespace {

constexpr Frames kFrames = 50'000;
constexpr int kFlac16 = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
constexpr int kFlac24 = SF_FORMAT_FLAC | SF_FORMAT_PCM_24;
constexpr int kMp3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III;

/// Rings that four chunks fill.
const ChainShape kSmallOut{.raw = std::nullopt, .out = {4096 * 8, 4}};

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

bool begins_with(const std::vector<float>& all, const std::vector<float>& part) {
  return part.size() <= all.size() && std::equal(part.begin(), part.end(), all.begin());
}

class DecoderTest : public testing::Test {
 protected:
  std::filesystem::path coded(const std::string& name, int format, Frames frames = kFrames,
                              int channels = 2) {
    return write_coded(directory_.path() / name, format, frames, channels);
  }

  TemporaryDirectory directory_;
  FakeClock clock_;
};

class DecoderCodecs : public DecoderTest, public testing::WithParamInterface<int> {};

TEST_P(DecoderCodecs, WholeChainGivesTheSamplesOfTheFile) {
  const auto path = coded("track", GetParam());
  CodedChain chain({path}, clock_);
  const auto samples = chain.play(0);
  const auto expected = decoded_by_libsndfile(path);
  ASSERT_GE(expected.size(), static_cast<std::size_t>(kFrames) * 2);
  EXPECT_TRUE(samples == expected);
  EXPECT_EQ(chain.played[0].fill().end, RingEnd::finished);
  EXPECT_EQ(chain.decoder->strayed_bytes(), 0);
  EXPECT_FALSE(chain.decoder->failure());
  EXPECT_TRUE(chain.decoder->warnings().empty());
  EXPECT_FALSE(chain.decoder->step());
}

TEST_P(DecoderCodecs, RawRingSmallerThanWhatTheCodecWantsLosesNothing) {
  const auto path = coded("track", GetParam());
  CodedChain chain({path}, clock_, {.raw = RingGeometry{4096, 4}});
  EXPECT_TRUE(chain.play(0) == decoded_by_libsndfile(path));
}

TEST_P(DecoderCodecs, LoopedTrackBeginsAgainWithoutAGap) {
  const auto path = coded("track", GetParam(), 9'000);
  const auto once = decoded_by_libsndfile(path);
  CodedChain chain({path}, clock_, {.looping = Looping::forever});
  const auto samples = chain.play(0, once.size() * 7 / 2);
  ASSERT_EQ(samples.size(), once.size() * 7 / 2);
  for (std::size_t index = 0; index < samples.size(); ++index) {
    ASSERT_EQ(samples[index], once[index % once.size()]) << "sample " << index;
  }
  // Only the headers are read again.
  EXPECT_GT(chain.decoder->strayed_bytes(), 0);
  EXPECT_EQ(chain.decoder->strayed_bytes() % chain.raw_starts[0], 0);
}

INSTANTIATE_TEST_SUITE_P(, DecoderCodecs,
                         testing::Values(kFlac16, kFlac24, kMp3, SF_FORMAT_OGG | SF_FORMAT_VORBIS,
                                         SF_FORMAT_OGG | SF_FORMAT_OPUS, SF_FORMAT_WAV | SF_FORMAT_ULAW,
                                         SF_FORMAT_WAV | SF_FORMAT_ALAW, SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM,
                                         SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM,
                                         SF_FORMAT_AIFF | SF_FORMAT_IMA_ADPCM),
                         [](const auto& test) { return format_name(test.param); });

TEST_F(DecoderTest, ChannelsThatDoNotDivideABlockStayInStep) {
  const auto path = coded("track", kFlac24, 20'000, 3);
  CodedChain chain({path}, clock_, {.out = {4096, 5}});
  EXPECT_TRUE(chain.play(0) == decoded_by_libsndfile(path));
}

TEST_F(DecoderTest, TrackWithoutRawBytesIsPassedOverWhileAnotherGoesOn) {
  const auto starved = coded("starved", kFlac16);
  const auto other = coded("other", kFlac24);
  CodedChain chain({starved, other}, clock_);
  EXPECT_TRUE(chain.play(1) == decoded_by_libsndfile(other));
  EXPECT_EQ(chain.played[0].fill().bytes, 0);
  EXPECT_EQ(chain.decoder->strayed_bytes(), 0);
  EXPECT_FALSE(chain.decoder->primed());

  EXPECT_TRUE(chain.play(0) == decoded_by_libsndfile(starved));
  EXPECT_FALSE(chain.decoder->step());
}

TEST_F(DecoderTest, TellsHowLongATrackHadRoomButNoRawBytes) {
  EventQueue<Event> events(64);
  CodedChain chain({coded("fed", kFlac16), coded("starved", kFlac16)}, clock_);
  chain.decoder->tell(std::move(events.producer), {4, 7});
  chain.read(0);
  chain.decoder->step();  // the first has its bytes
  const Nanoseconds since = clock_.now();
  clock_.advance(std::chrono::milliseconds{30});
  chain.read(1);
  const Frames before = chain.decoder->decoded_frames();
  chain.decoder->step();
  EXPECT_GT(chain.decoder->decoded_frames(), before);
  Event event{};
  ASSERT_EQ(events.consumer.pop(&event, 1), 1u);
  EXPECT_EQ(event.kind, EventKind::raw_wait);
  EXPECT_EQ(event.raw_wait.track, 7u);
  EXPECT_GE(event.raw_wait.duration_ns, (clock_.now() - since).count() - 1'000'000);
  EXPECT_EQ(events.consumer.pop(&event, 1), 0u);
}

TEST_F(DecoderTest, EmptiestTrackIsDecodedFirst) {
  CodedChain chain({coded("a", kFlac16), coded("b", kFlac16)}, clock_,
                   {.raw = std::nullopt, .out = {4096 * 8, 8}});
  chain.read(0);
  chain.read(1);
  for (int turn = 0; turn < 3; ++turn) chain.decoder->step();
  const Bytes chunk = kDecodedChunk * 8;
  EXPECT_EQ(chain.played[0].fill().bytes + chain.played[1].fill().bytes, 3 * chunk);
  EXPECT_EQ(std::max(chain.played[0].fill().bytes, chain.played[1].fill().bytes), 2 * chunk);
}

TEST_F(DecoderTest, PrimedWhenEveryRingIsFullOrHoldsItsWholeTrack) {
  CodedChain chain({coded("long", kFlac16), coded("short", kFlac16, 5'000)}, clock_, kSmallOut);
  for (int turn = 0; turn < 4; ++turn) {
    chain.read(0);
    chain.read(1);
    EXPECT_FALSE(chain.decoder->primed());
    chain.decoder->step();
  }
  for (int turn = 0; turn < 20; ++turn) {
    chain.read(0);
    chain.decoder->step();
  }
  EXPECT_TRUE(chain.decoder->primed());
  EXPECT_EQ(chain.played[0].fill().bytes, 4 * 4096 * 8);
  EXPECT_EQ(chain.played[1].fill().end, RingEnd::finished);
}

TEST_F(DecoderTest, BrokenFlacEndsAsFailedBehindItsGoodFrames) {
  const auto path = coded("broken.flac", kFlac24);
  const auto whole = decoded_by_libsndfile(path);
  std::string bytes = file_contents(path);
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2), 5000, 'U');
  write(path, bytes);
  CodedChain chain({path}, clock_);
  const auto samples = chain.play(0);
  EXPECT_EQ(chain.played[0].fill().end, RingEnd::failed);
  EXPECT_GT(samples.size(), whole.size() / 4);
  EXPECT_LT(samples.size(), whole.size() * 3 / 4);
  EXPECT_TRUE(begins_with(whole, samples));
  const auto failure = chain.decoder->failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->track, 0U);
  EXPECT_EQ(failure->frame, static_cast<Frames>(samples.size() / 2));
  EXPECT_NE(failure->text.find("broken.flac: frame " + std::to_string(failure->frame)), std::string::npos);
  EXPECT_NE(failure->text.find("lost sync"), std::string::npos) << failure->text;
}

TEST_F(DecoderTest, FileShorterThanItSaysEndsWithAWarning) {
  const auto path = coded("cut.mp3", kMp3);
  const std::string bytes = file_contents(path);
  write(path, bytes.substr(0, bytes.size() / 2));
  CodedChain chain({path}, clock_);
  const auto samples = chain.play(0);
  EXPECT_EQ(chain.played[0].fill().end, RingEnd::finished);
  EXPECT_TRUE(samples == decoded_by_libsndfile(path));
  ASSERT_EQ(chain.decoder->warnings().size(), 1U);
  EXPECT_EQ(chain.decoder->warnings()[0], "cut.mp3: ended at frame " + std::to_string(samples.size() / 2) +
                                              " of " + std::to_string(chain.files[0].frames));
}

TEST_F(DecoderTest, TagBehindTheLastFrameIsNoFailure) {
  const auto path = coded("tagged.flac", kFlac16);
  const auto whole = decoded_by_libsndfile(path);
  write(path, file_contents(path) + "TAG" + std::string(125, 'x'));
  CodedChain chain({path}, clock_);
  EXPECT_TRUE(chain.play(0) == whole);
  EXPECT_EQ(chain.played[0].fill().end, RingEnd::finished);
  EXPECT_FALSE(chain.decoder->failure());
}

TEST_F(DecoderTest, FileThatGrowsShorterWhilePlayedFails) {
  const auto path = coded("track.flac", kFlac16);
  CodedChain chain({path}, clock_);
  std::filesystem::resize_file(path, 60'000);
  chain.play(0);
  EXPECT_EQ(chain.played[0].fill().end, RingEnd::failed);
  EXPECT_TRUE(chain.readers[0]->input_failure());
  EXPECT_TRUE(chain.decoder->failure());
}

TEST_F(DecoderTest, StarvedPlaybackIsWokenOnceAllItsFramesAreThere) {
  CodedChain chain({coded("a", kFlac16), coded("b", kFlac16)}, clock_,
                   {.raw = std::nullopt, .out = {4096 * 8, 8}});
  chain.read(0);
  chain.read(1);
  const Frames wanted = kDecodedChunk + 1;
  chain.gate.announce(wanted);
  for (int turn = 0; turn < 3; ++turn) {
    chain.decoder->step();
    EXPECT_EQ(chain.gate.wanted(), wanted);
  }
  chain.decoder->step();
  EXPECT_EQ(chain.gate.wanted(), -1);
}

TEST_F(DecoderTest, ReaderOfRawBytesDoesNotWakePlayback) {
  CodedChain chain({coded("a", kFlac16)}, clock_);
  chain.gate.announce(1);
  chain.read(0);
  EXPECT_EQ(chain.gate.wanted(), 1);
}

TEST_F(DecoderTest, SleepsUntilByRateTheNextBlockFallsVacant) {
  CodedChain chain({coded("track", kFlac16)}, clock_,
                   {.raw = std::nullopt, .out = {512 * 8, 64}, .pacing = Pacing::by_rate});
  for (int turn = 0; turn < 100 && !chain.decoder->primed(); ++turn) {
    chain.readers[0]->step();
    chain.decoder->step();
  }
  ASSERT_TRUE(chain.decoder->primed());
  const Nanoseconds since_taken = std::chrono::milliseconds{2};
  const Nanoseconds before = clock_.now();
  chain.progress.at_ns = (before - since_taken).count();
  chain.decoder->step();
  const Nanoseconds due = frames_to_duration(512, {48000}) - since_taken;
  EXPECT_GE(clock_.now() - before, due);
  EXPECT_LE(clock_.now() - before, due + std::chrono::milliseconds{1});
}

TEST_F(DecoderTest, ThreadsOfTheirOwnGiveTheSameSamples) {
  const auto path = coded("a.flac", kFlac24, 200'000);
  const auto other = coded("b.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 200'000);
  SystemClock clock;
  CodedChain chain({path, other}, clock, {.raw = RingGeometry{4096, 40}, .out = {4 * 1501, 9}});
  const std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (auto& reader : chain.readers) threads.emplace_back([&] { reader->run(stop); });
  threads.emplace_back([&] { chain.decoder->run(stop); });
  std::vector<std::vector<float>> samples(2);
  const auto ended = [&](std::size_t track) {
    const auto fill = chain.played[track].fill();
    return fill.end != RingEnd::open && fill.bytes == 0;
  };
  while (!ended(0) || !ended(1)) {
    const bool took_one = chain.take(0, samples[0]);
    const bool took_other = chain.take(1, samples[1]);
    if (took_one || took_other) continue;
    chain.gate.announce(static_cast<Frames>(std::min(samples[0].size(), samples[1].size()) / 2 + 1));
    chain.gate.sleep(std::chrono::milliseconds{5});
    chain.gate.withdraw();
  }
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(chain.decoder->finished());
  EXPECT_EQ(chain.decoder->error(), nullptr);
  EXPECT_TRUE(samples[0] == decoded_by_libsndfile(path));
  EXPECT_TRUE(samples[1] == decoded_by_libsndfile(other));
}

}  // namespace
}  // namespace xrunlab::test
