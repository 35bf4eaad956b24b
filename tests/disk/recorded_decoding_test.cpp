#include "xrunlab/disk/recorded_decoding.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr CodedPass kPass{.data_begin = 50, .bytes = 10'000, .frames = 20'000};

RecordedDecoding some_decoding(std::optional<Frames> failed_at = std::nullopt) {
  return {
      kPass, {{0, 1000, 0, 600, 2ms}, {1000, 1000, 600, 400, 4ms}, {4000, 500, 2000, 100, 1ms}}, failed_at};
}

TEST(RecordedDecoding, TellsTheRawBytesOfEachFrame) {
  const auto decoding = some_decoding();
  EXPECT_EQ(decoding.raw_until(0), 0);
  EXPECT_EQ(decoding.raw_until(500), 300);
  EXPECT_EQ(decoding.raw_until(1000), 600);
  EXPECT_EQ(decoding.raw_until(1250), 700);
  EXPECT_EQ(decoding.raw_until(3000), 1500) << "between two pieces";
  EXPECT_EQ(decoding.raw_until(4500), 2100);
  EXPECT_EQ(decoding.raw_until(9000), 4200) << "behind them, by the average";
}

TEST(RecordedDecoding, TellsWhatDecodingTook) {
  const auto decoding = some_decoding();
  EXPECT_EQ(decoding.cost(0, 1000), 2ms);
  EXPECT_EQ(decoding.cost(500, 1000), 3ms);
  EXPECT_EQ(decoding.cost(2000, 1000), 2ms) << "the usual time";
  EXPECT_EQ(decoding.cost(1500, 3000), 2ms + 4ms + 1ms);
  EXPECT_EQ(decoding.cost(700, 0), 0ms);
}

TEST(RecordedDecoding, PassesOverWhatNoDecoderCanHaveDone) {
  const RecordedDecoding decoding(kPass,
                                  {{0, 1000, 0, 600, 2ms},
                                   {-5, 10, 0, 0, 1ms},
                                   {500, 1000, 600, 5, 1ms},        // overlaps
                                   {1000, 10, 100, 5, 1ms},         // takes bytes again
                                   {2000, INT64_MAX, 700, 5, 1ms},  // for ever
                                   {3000, 10, INT64_MAX, 5, 1ms},   // beyond every file
                                   {4000, 10, 900, 5, Nanoseconds::min()}},
                                  std::nullopt);
  EXPECT_EQ(decoding.pieces().size(), 1U);
  EXPECT_EQ(RecordedDecoding(kPass, {}, std::nullopt).raw_until(1000), 500) << "by the file's own length";
  EXPECT_EQ(RecordedDecoding({}, {}, std::nullopt).cost(0, 1000), 0ns);
}

/// Counts what is skipped.
struct SkippedBytes final : CodedBytes {
  Bytes read(std::byte*, Bytes) noexcept override { return 0; }
  void skip(Bytes size) noexcept override { skipped += size; }
  Bytes skipped = 0;
};

TEST(ReplayedStream, TakesTheBytesThatTheDecoderTook) {
  CodedStream stream = make_replayed_stream(std::make_shared<const RecordedDecoding>(some_decoding()));
  SkippedBytes raw;
  stream.start_streaming(raw);
  EXPECT_EQ(stream.streaming_offset(), 50);
  EXPECT_EQ(stream.cost_of(1000), 2ms);
  EXPECT_EQ(stream.read_float(nullptr, 1000), 1000);
  EXPECT_EQ(raw.skipped, 600);
  EXPECT_EQ(stream.read_float(nullptr, 500), 500);
  EXPECT_EQ(raw.skipped, 800);
  EXPECT_EQ(stream.position(), 1500);
  EXPECT_EQ(stream.failure(), "");
}

TEST(ReplayedStream, EndsWithItsPassAndBeginsAnew) {
  CodedStream stream = make_replayed_stream(std::make_shared<const RecordedDecoding>(some_decoding()));
  SkippedBytes raw;
  stream.start_streaming(raw);
  EXPECT_EQ(stream.read_float(nullptr, 19'000), 19'000);
  EXPECT_EQ(stream.read_float(nullptr, 4096), 1000);
  EXPECT_EQ(stream.read_float(nullptr, 4096), 0);
  EXPECT_LE(raw.skipped, 10'000);
  stream.begin_next_pass({});
  raw.skipped = 0;
  stream.start_streaming(raw);
  EXPECT_EQ(stream.position(), 0);
  EXPECT_EQ(stream.read_float(nullptr, 4096), 4096);
  EXPECT_LE(raw.skipped, 10'000);
}

TEST(ReplayedStream, FailsWhereItFailed) {
  CodedStream stream = make_replayed_stream(std::make_shared<const RecordedDecoding>(some_decoding(1500)));
  EXPECT_EQ(stream.read_float(nullptr, 1000), 1000);
  EXPECT_EQ(stream.failure(), "");
  EXPECT_EQ(stream.read_float(nullptr, 1000), 500);
  EXPECT_NE(stream.failure(), "");
}

}  // namespace
}  // namespace xrunlab
