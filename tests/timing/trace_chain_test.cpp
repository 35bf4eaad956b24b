#include "xrunlab/timing/trace_chain.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "xrunlab/core/error.hpp"
#include "xrunlab/timing/trace_format.hpp"

namespace xrunlab {
namespace {

TraceTrack some_track() {
  return {.data_begin = 44,
          .data_end = 600'044,
          .file_bytes = 600'100,
          .start = 5'044,
          .first_end = 8'192,
          .alignment = 4096,
          .block_bytes = 65'536,
          .block_count = 5,
          .format = SampleFormat::s24_3le,
          .channels = 2,
          .decoded = true,
          .coding = TraceCoding{.raw_block_bytes = 8192,
                                .raw_block_count = 9,
                                .frames = 44'100,
                                .start_frame = 1000,
                                .first_block = 77,
                                .valid_bits = 24,
                                .flac = true}};
}

TraceHeader some_header() {
  return {.rate = {48000},
          .fragment = 1024,
          .buffer = 2048,
          .bound = Nanoseconds{21'333'333},
          .start = Nanoseconds{5},
          .start_unix_ns = 6,
          .tracks = {"a.wav", "b.wav"},
          .pieces = true,
          .chain = TraceChain{.period = 512,
                              .start_threshold = 2048,
                              .card_format = SampleFormat::s16_le,
                              .card_channels = 6,
                              .paced = false,
                              .looping = true,
                              .silence = true,
                              .direct = true,
                              .reads_in_submit = true,
                              .queue_depth = 32,
                              .tracks = {some_track(), {.alignment = 512 * 16}}}};
}

/// The header with one byte set, and a right checksum.
std::vector<std::byte> resealed(std::vector<std::byte> bytes, std::size_t at, std::uint8_t value) {
  bytes[at] = std::byte{value};
  const auto crc = crc32(std::span(bytes).first(bytes.size() - 4));
  for (std::size_t byte = 0; byte < 4; ++byte)
    bytes[bytes.size() - 4 + byte] = static_cast<std::byte>(crc >> (8 * byte));
  return bytes;
}

TEST(TraceChain, ComesBackFromTheHeaderAsItWas) {
  const TraceHeader header = some_header();
  EXPECT_EQ(decode_trace_header(encode_trace_header(header), "x"), header);
}

TEST(TraceChain, AHeaderOfVersion2HasNone) {
  auto header = some_header();
  header.chain.reset();
  auto bytes = encode_trace_header(header);
  // Version 2 ended behind the names.
  bytes.erase(bytes.end() - 8, bytes.end() - 4);
  bytes[12] = static_cast<std::byte>(bytes.size());
  bytes = resealed(bytes, 8, 2);
  EXPECT_EQ(decode_trace_header(bytes, "x"), header);
}

TEST(TraceChain, IsLeftOutWhereNotAllNamesFit) {
  auto header = some_header();
  header.tracks.assign(300, std::string(65'000, 'x'));
  header.chain->tracks.assign(300, some_track());
  const auto bytes = encode_trace_header(header);
  EXPECT_LE(bytes.size(), kTraceLargestHeaderBytes);
  const auto back = decode_trace_header(bytes, "x");
  EXPECT_LT(back.tracks.size(), 300U);
  EXPECT_FALSE(back.chain);
}

TEST(TraceChain, RefusesWhatNoRunCanHaveBeen) {
  const auto wrong = [](auto change) {
    TraceChain chain = *some_header().chain;
    change(chain);
    return !decode_trace_chain(encode_trace_chain(chain), chain.tracks.size()).has_value();
  };
  EXPECT_FALSE(wrong([](TraceChain&) {}));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].channels = 0; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].channels = 1025; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].data_end = 600'101; })) << "beyond the file";
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].start = 43; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].first_end = 5'000; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].alignment = 5000; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].block_bytes = 5000; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].block_bytes = Bytes{1} << 40; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].block_count = Bytes{1} << 40; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.tracks[0].format = static_cast<SampleFormat>(99); }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.queue_depth = 0; }));
  EXPECT_TRUE(wrong([](TraceChain& chain) { chain.period = 0; }));
}

TEST(TraceChain, EndsTooEarlyAtEveryByte) {
  const auto bytes = encode_trace_chain(*some_header().chain);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_trace_chain(std::span(bytes).first(size), 2)) << size;
  auto more = bytes;
  more.push_back(std::byte{7});
  EXPECT_TRUE(decode_trace_chain(more, 2)) << "what a later version adds is passed over";
}

TEST(TraceSample, ComesBackAsItWas) {
  Event event{};
  event.kind = EventKind::sample;
  event.at_ns = 12'345;
  event.sample = {5'000'000'000, 3, 0, 17, -1, INT64_MAX, -1};
  std::vector<std::byte> bytes;
  TraceEncoder(Nanoseconds{5}).append(event, bytes);
  Event back{};
  TraceEnd end;
  ASSERT_EQ(TraceDecoder(bytes, Nanoseconds{5}).next(back, end), TraceDecoder::Found::event);
  EXPECT_EQ(back.at_ns, event.at_ns);
  EXPECT_EQ(std::memcmp(&back.sample, &event.sample, sizeof event.sample), 0);
}

}  // namespace
}  // namespace xrunlab
