#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "tests/timing/same_event.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/timing/trace_reader.hpp"
#include "xrunlab/timing/trace_writer.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

const TraceHeader kHeader{.rate = {48000},
                          .fragment = 1024,
                          .buffer = 2048,
                          .bound = Nanoseconds{21'333'333},
                          .start = Nanoseconds{5'000'000'000'000},
                          .start_unix_ns = 1'700'000'000'000'000'000,
                          .tracks = {"track-001.wav", "a,\"b\".wav"}};

class TraceFile : public ::testing::Test {
 protected:
  TraceFile() {
    std::string name = (fs::temp_directory_path() / "xrunlab-trace-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ / "run.trace";
  }
  ~TraceFile() override { fs::remove_all(folder_); }

  static std::string load(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void store(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  /// A trace of one chunk.
  void store_with_checksum(const std::vector<std::byte>& payload) const {
    const auto header = encode_trace_header(kHeader);
    std::string bytes(reinterpret_cast<const char*>(header.data()), header.size());
    const auto crc = crc32(payload);
    for (int at = 0; at < 4; ++at) bytes += static_cast<char>(payload.size() >> (8 * at));
    for (int at = 0; at < 4; ++at) bytes += static_cast<char>(crc >> (8 * at));
    store(bytes.append(reinterpret_cast<const char*>(payload.data()), payload.size()));
  }

  // Reads all there is; the number of events, or −1 when the file was refused.
  std::int64_t read_all(std::string* fault = nullptr) const {
    try {
      TraceReader reader(path_);
      while (reader.next()) {
      }
      if (fault != nullptr) *fault = reader.fault();
      return reader.events_read();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::input_file);
      return -1;
    }
  }

  fs::path folder_;
  fs::path path_;
};

Event fragment(std::int64_t index) {
  Event event{};
  event.kind = EventKind::fragment;
  event.at_ns = kHeader.start.count() + 21'333'333 * (index + 1) + index % 977;
  event.fragment = {.index = index,
                    .t1_ns = 41'000 + index % 100,
                    .t2_ns = 20'800'000 - index % 5000,
                    .t3_ns = index == 0 ? -1 : 530'000,
                    .planned_ns = index % 7 == 0 ? -1 : event.at_ns - 90'000,
                    .fill_frames = index % 11 == 0 ? -1 : 200'000 + index % 1000,
                    .slack_frames = index < 2 ? -1 : 1000};
  return event;
}

std::vector<Event> findings() {
  std::vector<Event> events(5);
  const auto at_ns = kHeader.start.count() + 9'000'000'000;
  for (auto& event : events) event.at_ns = at_ns;
  events[0].kind = EventKind::late_entry;
  events[0].late_entry = {.planned_ns = at_ns - 480'000'000};
  events[1].kind = EventKind::raw_wait;
  events[1].raw_wait = {.duration_ns = 12'000'000, .track = 7};
  events[2].kind = EventKind::input_failed;
  events[2].input_failed = {.offset = 1 << 20, .submitted_ns = at_ns - 5, .track = 2, .error_number = -1};
  events[3].kind = EventKind::episode;
  events[3].episode = {
      .duration_ns = 470'000'000, .track = -1, .confidence_ppm = 950'000, .kind = 1, .cause = 8};
  events[4].kind = EventKind::decoded;
  events[4].decoded = {.frame = 88'200,
                       .frames = 4096,
                       .raw_begin = 123'456,
                       .raw_bytes = 7890,
                       .took_ns = 1'234'567,
                       .track = 3,
                       .ends = static_cast<std::uint32_t>(DecodedEnd::failed)};
  return events;
}

std::vector<Event> one_of_each() {
  std::vector<Event> events{fragment(0)};
  Event event{};
  event.kind = EventKind::read;
  event.at_ns = kHeader.start.count() - 5;  // before the start: a priming read
  event.read = {.offset = 44,
                .size = 262'144,
                .submitted_ns = event.at_ns - 900,
                .completed_ns = event.at_ns - 7,
                .track = 1,
                .in_flight = 32,
                .fill_ns = 4'000'000'000};
  events.push_back(event);
  event = {};
  event.kind = EventKind::starvation;
  event.at_ns = INT64_MAX;
  event.starvation = {.duration_ns = 970'000'000, .track = UINT32_MAX};
  events.push_back(event);
  event = {};
  event.kind = EventKind::xrun;
  event.at_ns = 0;
  event.xrun = {.dry_ns = -1};
  events.push_back(event);
  for (auto& finding : findings()) events.push_back(finding);
  return events;
}

TEST_F(TraceFile, EveryEventAndTheHeaderComeBackAsTheyWere) {
  TraceWriter writer(path_, kHeader);
  for (const auto& event : one_of_each()) ASSERT_TRUE(writer.add(event));
  ASSERT_TRUE(writer.flush());
  ASSERT_TRUE(writer.add(fragment(1)));
  ASSERT_TRUE(writer.finish(17));
  TraceReader reader(path_);
  EXPECT_EQ(reader.header(), kHeader);
  for (const auto& event : one_of_each()) {
    const auto read = reader.next();
    ASSERT_TRUE(read.has_value());
    test::expect_same(*read, event);
  }
  test::expect_same(*reader.next(), fragment(1));
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_EQ(reader.fault(), "");
  EXPECT_EQ(reader.end()->dropped, 17);
}

TEST_F(TraceFile, AFragmentTakesLessThanFortyBytes) {
  constexpr std::int64_t kFragments = 100'000;
  TraceWriter writer(path_, kHeader);
  for (std::int64_t index = 0; index < kFragments; ++index) ASSERT_TRUE(writer.add(fragment(index)));
  ASSERT_TRUE(writer.finish(0));
  EXPECT_LT(writer.bytes_written(), 40 * kFragments);
  EXPECT_EQ(static_cast<Bytes>(fs::file_size(path_)), writer.bytes_written());
  EXPECT_EQ(read_all(), kFragments);
}

TEST_F(TraceFile, CutAnywhereItGivesItsWholeEventsAndSaysThatItWasCut) {
  TraceWriter writer(path_, kHeader);
  for (std::int64_t index = 0; index < 4; ++index) writer.add(fragment(index));
  writer.flush();
  for (std::int64_t index = 4; index < 8; ++index) writer.add(fragment(index));
  writer.finish(0);
  const auto whole = load(path_);
  std::int64_t most = -1;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    store(whole.substr(0, size));
    std::string fault;
    const auto events = read_all(&fault);
    EXPECT_GE(events, most);
    most = std::max(most, events);
    if (events >= 0) {
      EXPECT_NE(fault.find("cut off at byte " + std::to_string(size)), std::string::npos) << fault;
    }
  }
  EXPECT_EQ(most, 8);
}

TEST_F(TraceFile, WhateverStandsBehindTheEndRecordIsDamage) {
  TraceWriter writer(path_, kHeader);
  for (std::int64_t index = 0; index < 4; ++index) writer.add(fragment(index));
  writer.finish(0);
  const auto whole = load(path_);
  for (const std::string& behind : {std::string("x"), std::string(1, '\0'), whole}) {
    store(whole + behind);
    std::string fault;
    EXPECT_EQ(read_all(&fault), 4);
    EXPECT_NE(fault.find("ends at byte " + std::to_string(whole.size()) + ", but the file goes on"),
              std::string::npos)
        << fault;
  }
}

TEST_F(TraceFile, ARecordBehindTheEndRecordIsDamage) {
  std::vector<std::byte> payload;
  TraceEncoder::append_end({}, payload);
  TraceEncoder(kHeader.start).append(fragment(0), payload);
  store_with_checksum(payload);
  std::string fault;
  EXPECT_EQ(read_all(&fault), 0);
  EXPECT_NE(fault.find("records stand behind its end"), std::string::npos) << fault;
}

TEST_F(TraceFile, AnyFlippedBitIsNoticedAndNothingBehindItIsBelieved) {
  TraceWriter writer(path_, kHeader);
  for (const auto& event : one_of_each()) writer.add(event);
  writer.finish(0);
  const auto whole = load(path_);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    store(bytes);
    std::string fault;
    const auto events = read_all(&fault);
    EXPECT_TRUE(events == -1 || !fault.empty()) << "byte " << at;
    EXPECT_LE(events, static_cast<std::int64_t>(one_of_each().size()));
  }
}

TEST_F(TraceFile, RandomBytesWithValidChecksumsNeitherCrashNorRunOn) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::byte> payload(1 + random() % 200);
    for (auto& byte : payload) byte = static_cast<std::byte>(random() % (round % 2 == 0 ? 256 : 10));
    store_with_checksum(payload);
    EXPECT_LE(read_all(), 200);
  }
}

TEST_F(TraceFile, RefusesWhatIsNoTraceWithOneLineThatNamesIt) {
  store("RIFF....WAVE, and so on, long enough to hold a whole header of a trace file");
  EXPECT_EQ(read_all(), -1);
  auto huge =
      std::string(kTraceMagic) + std::string("\x02\0\0\0\xff\xff\xff\x7f", 8) + std::string(100, '\0');
  store(huge);
  EXPECT_EQ(read_all(), -1);
  EXPECT_THROW(TraceReader(folder_ / "absent"), Error);
  EXPECT_THROW(TraceReader{folder_}, Error);
  ASSERT_EQ(::mkfifo((folder_ / "fifo").c_str(), 0600), 0);
  EXPECT_THROW(TraceReader(folder_ / "fifo"), Error);
}

TEST_F(TraceFile, AFullDiskOrAWrongPathIsAnErrorBeforeTheRun) {
  EXPECT_THROW(TraceWriter("/dev/full", kHeader), Error);
  EXPECT_THROW(TraceWriter(folder_ / "no" / "folder", kHeader), Error);
}

}  // namespace
}  // namespace xrunlab
