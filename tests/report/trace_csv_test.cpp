#include "xrunlab/report/trace_csv.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "xrunlab/timing/trace_writer.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

class TraceCsv : public ::testing::Test {
 protected:
  TraceCsv() {
    std::string name = (fs::temp_directory_path() / "xrunlab-csv-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ / "run.trace";
    TraceWriter writer(path_, {.rate = {48000},
                               .fragment = 1024,
                               .buffer = 2048,
                               .bound = Nanoseconds{21'333'333},
                               .start = Nanoseconds{1000},
                               .start_unix_ns = 0,
                               .tracks = {"plain.wav", "a,\"b\".wav"}});
    Event event{};
    event.kind = EventKind::fragment;
    event.at_ns = 5000;
    event.fragment = {.index = 0,
                      .t1_ns = 11,
                      .t2_ns = 12,
                      .t3_ns = -1,
                      .planned_ns = -1,
                      .fill_frames = 240'000,
                      .slack_frames = -1};
    writer.add(event);
    event.at_ns = 6000;
    event.fragment = {.index = 1,
                      .t1_ns = 21,
                      .t2_ns = 22,
                      .t3_ns = 23,
                      .planned_ns = 5500,
                      .fill_frames = -1,
                      .slack_frames = 7};
    writer.add(event);
    event = {};
    event.kind = EventKind::read;
    event.at_ns = 900;
    event.read = {.offset = 44,
                  .size = 4096,
                  .submitted_ns = 600,
                  .completed_ns = 800,
                  .track = 1,
                  .in_flight = 3,
                  .fill_ns = 70};
    writer.add(event);
    event = {};
    event.kind = EventKind::starvation;
    event.at_ns = 7000;
    event.starvation = {.duration_ns = 970, .track = 0};
    writer.add(event);
    event = {};
    event.kind = EventKind::xrun;
    event.at_ns = 8000;
    event.xrun = {.dry_ns = -1};
    writer.add(event);
    event.xrun = {.dry_ns = 0};
    writer.add(event);
    add_findings(writer);
    writer.finish(0);
  }
  static void add_findings(TraceWriter& writer) {
    Event event{};
    event.at_ns = 9000;
    event.kind = EventKind::late_entry;
    event.late_entry = {.planned_ns = 8500};
    writer.add(event);
    event.kind = EventKind::raw_wait;
    event.raw_wait = {.duration_ns = 12, .track = 0};
    writer.add(event);
    event.kind = EventKind::input_failed;
    event.input_failed = {.offset = 77, .submitted_ns = 8900, .track = 0, .error_number = 5};
    writer.add(event);
    event.kind = EventKind::episode;
    event.episode = {.duration_ns = 970, .track = 0, .confidence_ppm = 950'000, .kind = 0, .cause = 6};
    writer.add(event);
    event.episode = {.duration_ns = 6, .track = -1, .confidence_ppm = 0, .kind = 1, .cause = 8};
    writer.add(event);
    event.kind = EventKind::sample;
    event.sample = {.playback_queued_ns = 1,
                    .playback_minor_faults = 2,
                    .playback_major_faults = 3,
                    .reader_queued_ns = 4,
                    .decoder_queued_ns = -1,
                    .steal_ns = 5,
                    .suspended_ns = 0};
    writer.add(event);
    event.kind = EventKind::decoded;
    event.decoded = {.frame = 2048,
                     .frames = 1024,
                     .raw_begin = 900,
                     .raw_bytes = 400,
                     .took_ns = 55,
                     .track = 0,
                     .ends = 0};
    writer.add(event);
  }
  ~TraceCsv() override { fs::remove_all(folder_); }

  fs::path folder_;
  fs::path path_;
};

constexpr const char* kExpected =
    "kind,at_ns,index,ring_read_ns,pcm_write_ns,outside_ns,planned_ns,fill_frames,slack_frames,track_index,"
    "track_name,offset_bytes,size_bytes,submitted_ns,completed_ns,duration_ns,dry_ns,in_flight,fill_ns,error,"
    "episode,cause,confidence,playback_queued_ns,playback_minor_faults,playback_major_faults,"
    "reader_queued_ns,decoder_queued_ns,steal_ns,suspended_ns\n"
    "fragment,4000,0,11,12,,,240000,,,,,,,,,,,,,,,,,,,,,,\n"
    "fragment,5000,1,21,22,23,4500,,7,,,,,,,,,,,,,,,,,,,,,\n"
    "read,-100,,,,,,,,1,\"a,\"\"b\"\".wav\",44,4096,-400,-200,,,3,70,,,,,,,,,,,\n"
    "starvation,6000,,,,,,,,0,plain.wav,,,,,970,,,,,,,,,,,,,,\n"
    "xrun,7000,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
    "xrun,7000,,,,,,,,,,,,,,,0,,,,,,,,,,,,,\n"
    "late_entry,8000,,,,,7500,,,,,,,,,,,,,,,,,,,,,,,\n"
    "raw_wait,8000,,,,,,,,0,plain.wav,,,,,12,,,,,,,,,,,,,,\n"
    "input_failed,8000,,,,,,,,0,plain.wav,77,,7900,,,,,,5,,,,,,,,,,\n"
    "episode,8000,,,,,,,,0,plain.wav,,,,,970,,,,,starvation,disk,0.950,,,,,,,\n"
    "episode,8000,,,,,,,,,,,,,,6,,,,,xrun,unknown,0.000,,,,,,,\n"
    "sample,8000,,,,,,,,,,,,,,,,,,,,,,1,2,3,4,,5,0\n"
    "decoded,8000,2048,,,,,,,0,plain.wav,900,400,,,55,,,,,,,,,,,,,,\n";

TEST_F(TraceCsv, PrintsEveryKindInItsColumnsFromTheStartOfTheRecording) {
  TraceReader reader(path_);
  std::ostringstream out;
  EXPECT_EQ(write_trace_csv(reader, out), CsvOutcome::whole);
  EXPECT_EQ(out.str(), kExpected);
}

TEST_F(TraceCsv, ACutTraceIsPrintedAsFarAsItGoes) {
  fs::resize_file(path_, fs::file_size(path_) - 6);
  TraceReader reader(path_);
  std::ostringstream out;
  EXPECT_EQ(write_trace_csv(reader, out), CsvOutcome::trace_damaged);
  const auto text = out.str();
  EXPECT_EQ(std::string(kExpected).substr(0, text.size()), text);
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_NE(reader.fault().find("cut off"), std::string::npos);
}

TEST_F(TraceCsv, AFailingOutputIsTold) {
  TraceReader reader(path_);
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(write_trace_csv(reader, out), CsvOutcome::output_failed);
}

TEST_F(TraceCsv, EveryLineOfARunWithFaultsSaysSo) {
  TraceWriter writer(path_, {.rate = {48000}, .tracks = {"a.wav"}, .fault_injected = true});
  Event event{};
  event.kind = EventKind::xrun;
  event.xrun = {.dry_ns = 5};
  writer.add(event);
  writer.add(event);
  writer.finish(0);
  TraceReader reader(path_);
  std::ostringstream out;
  EXPECT_EQ(write_trace_csv(reader, out), CsvOutcome::whole);
  const auto text = out.str();
  EXPECT_TRUE(text.starts_with("kind,")) << text;
  EXPECT_NE(text.find(",suspended_ns,fault_injected\n"), std::string::npos) << text;
  EXPECT_NE(text.find(",5,,,,,,,,,,,,,,1\nxrun,"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(",5,,,,,,,,,,,,,,1\n")) << text;
}

}  // namespace
}  // namespace xrunlab
