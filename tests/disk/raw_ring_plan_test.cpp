#include "xrunlab/disk/raw_ring_plan.hpp"

#include <gtest/gtest.h>

namespace xrunlab::test {
namespace {

constexpr std::chrono::seconds kRing{5};

AudioFile coded_file(const std::string& codec, Frames frames) {
  AudioFile file;
  file.codec = codec;
  file.valid_bits = codec == "FLAC 24 bit" ? 24 : 0;
  file.rate = {48000};
  file.channels = 2;
  file.frames = frames;
  file.frames_known = frames > 0;
  return file;
}

TEST(RawRingPlan, RateIsTheAverageOverTheFile) {
  const auto file = coded_file("FLAC 24 bit", 480'000);
  const DataExtent raw{1000, 1'601'000};
  EXPECT_DOUBLE_EQ(raw_rate(file, raw).bytes_per_second, 160'000);
  EXPECT_FALSE(raw_rate(file, raw).assumed);
  EXPECT_DOUBLE_EQ(raw_ns_per_byte(file, raw), 6250);
}

TEST(RawRingPlan, UnknownLengthIsTakenForPcm) {
  EXPECT_DOUBLE_EQ(raw_rate(coded_file("FLAC 24 bit", 0), {0, 1000}).bytes_per_second, 288'000);
  EXPECT_DOUBLE_EQ(raw_rate(coded_file("Vorbis", 0), {0, 1000}).bytes_per_second, 192'000);
  EXPECT_TRUE(raw_rate(coded_file("Vorbis", 0), {0, 1000}).assumed);
}

TEST(RawRingPlan, RingHoldsTheTimeAskedFor) {
  const auto file = coded_file("FLAC 24 bit", 480'000);
  const auto ring = plan_raw_ring(file, {0, 1'600'000}, kRing);
  EXPECT_GE(ring.bytes(), 800'000);
  EXPECT_LT(ring.bytes(), 800'000 + ring.block_bytes);
  EXPECT_EQ(ring.block_bytes, 64 * 1024);
}

TEST(RawRingPlan, RingOfAThinStreamStillHoldsTwiceWhatTheDecoderReadsAhead) {
  const auto file = coded_file("Vorbis", 480'000);
  const auto ring = plan_raw_ring(file, {0, 10'000}, kRing);
  EXPECT_GE(ring.bytes(), 2 * raw_bytes_ahead(file));
  EXPECT_GE(ring.block_count, 4);
  EXPECT_GT(raw_bytes_ahead(file), 64 * 1024);
}

TEST(RawRingPlan, DecodedBlocksHoldWholeFramesOnly) {
  auto file = coded_file("Vorbis", 480'000);
  file.channels = 3;
  EXPECT_EQ(decoded_capacity(file, {4096, 10}), 3410);
}

}  // namespace
}  // namespace xrunlab::test
