#include "xrunlab/report/inspection_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "tests/report/widest_line.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using testing::Not;

FileInspection a_track(const std::string& name) {
  FileInspection file;
  file.path = "takes/" + name;
  file.name = name;
  file.container = "wav";
  file.format = "S24_3LE";
  file.rate_hz = 48000;
  file.channels = 2;
  file.frames = 2'880'000;
  file.frames_known = true;
  file.data_offset = 44;
  file.valid_bits = 24;
  file.playable = true;
  return file;
}

TEST(InspectionTable, IsARowForEachFileUnderItsHeadings) {
  auto flac = a_track("voice.flac");
  flac.container = "flac";
  flac.format = "FLAC 24 bit";
  flac.channels = 1;
  flac.data_offset = 0;
  flac.frames_known = false;
  EXPECT_EQ(inspection_table({a_track("drums.wav"), flac}, {}),
            "file        type  format       bits      rate  ch   frames  length  offset\n"
            "drums.wav   wav   S24_3LE        24  48000 Hz   2  2880000   60.0s    44 B\n"
            "voice.flac  flac  FLAC 24 bit    24  48000 Hz   1  unknown       -       -\n"
            "2 files, 2 playable\n");
}

TEST(InspectionTable, SaysWhatIsNotPlayableAndWhatHasWarnings) {
  FileInspection refused;
  refused.name = "text.wav";
  refused.error = "not an audio file";
  auto warned = a_track("short.wav");
  warned.warnings = {"cut off"};
  const auto text = inspection_table({refused, warned}, {.scan = true, .extents = true});
  EXPECT_THAT(text, HasSubstr("\ntext.wav\n  not playable\nshort.wav"));
  EXPECT_THAT(text, HasSubstr("\n2 files, 1 playable (1 with warnings)\n"));
}

TEST(InspectionTable, ScanAndExtentsStandBelowTheirFile) {
  auto file = a_track("drums.wav");
  file.scan = FileScan{.frames = 2'880'000, .peak_dbfs = 3.5218, .clipped_samples = 1};
  file.extents = FileExtents{.count = 12, .median_bytes = 65536};
  auto silent = a_track("silence.wav");
  silent.scan = FileScan{.frames = 1, .peak_dbfs = std::nullopt, .clipped_samples = 0};
  const auto text = inspection_table({file, silent}, {.scan = true, .extents = true});
  EXPECT_THAT(text, HasSubstr("\n  2880000 frames read, peak 3.52 dBFS, 1 sample clipped\n"
                              "  12 extents, 64 KiB long (median)\n"));
  EXPECT_THAT(text,
              HasSubstr("\n  1 frame read, peak none (silence), 0 samples clipped\n  extents not known"));
}

TEST(InspectionTable, ALongNameHasALineOfItsOwn) {
  const std::string name(90, 'n');
  const auto text = inspection_table({a_track(name), a_track("b.wav")}, {});
  EXPECT_THAT(text, HasSubstr("\n" + name + "\n "));
  EXPECT_THAT(text, Not(HasSubstr(name + " ")));
}

TEST(InspectionTable, FitsEightyColumnsWithLargeNumbers) {
  auto huge = a_track("track-001.wav");
  huge.format = "FLOAT64_BE";
  huge.container = "rf64";
  huge.rate_hz = 192'000;
  huge.channels = 64;
  huge.frames = 1'342'177'280;
  huge.data_offset = 4136;
  huge.valid_bits = 64;
  EXPECT_LE(widest_line(inspection_table({huge, a_track("b.wav")}, {})), kReportColumns);
  huge.frames = std::numeric_limits<std::int64_t>::max();
  huge.rate_hz = 1;
  EXPECT_THAT(inspection_table({huge}, {}), HasSubstr("9223372036854775807"));
}

}  // namespace
}  // namespace xrunlab
