#include "xrunlab/report/capacity_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/widest_line.hpp"

namespace xrunlab {
namespace {

using ::testing::HasSubstr;

CapacityData searched_tracks() {
  CapacityData data;
  data.complete = true;
  data.set = "48k/24/1";
  data.directory = "/home/kai/music";
  data.rate_hz = 48'000;
  data.ring_frames = 240'000;
  data.fragment_frames = 1024;
  data.trial_ns = 30'000'000'000;
  data.answer = CapacityStep{144, 5, 5};
  data.comfortable = CapacityStep{128, 1, 1};
  data.first_failing = CapacityStep{148, 0, 2};
  data.pass_rate_low = 0.55;
  data.limit = {"disk bandwidth", "disk gives 20.9 MB/s, 98.4 % of the need"};
  data.unpaced = UnpacedReading{144, 20.97e6, 145.6, ""};
  data.trials = {{16, Verdict::pass, "", 9.1, 24'000, 0, ""}, {148, Verdict::fail, "", 0.98, 250'000, 2, ""}};
  data.took_ns = 433'000'000'000;
  return data;
}

TEST(CapacityText, EndsWithTheLineThatStandsAlone) {
  const std::string text = capacity_text(searched_tracks());
  EXPECT_THAT(text, HasSubstr("N = 144: 5 of 5 × 30 s"));
  EXPECT_GT(text.find("N = 144"), text.find("took"));
  EXPECT_THAT(text, HasSubstr("comfortable 128 tracks (PASS)"));
  EXPECT_THAT(text, HasSubstr("unpaced     21.0 MB/s"));
  EXPECT_THAT(text, HasSubstr("worth 145 tracks"));
  EXPECT_THAT(text, HasSubstr("148 tracks      FAIL       headroom 0.98"));
  EXPECT_THAT(text, HasSubstr("7 min 13 s"));
  EXPECT_LE(widest_line(text), 80u);
}

TEST(CapacityText, OneWithoutAnAnswerSaysSo) {
  CapacityData data = searched_tracks();
  data.answer.reset();
  data.comfortable.reset();
  const std::string text = capacity_text(data);
  EXPECT_THAT(text, HasSubstr("comfortable none"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("largest")));
}

TEST(CapacityText, ATrialTakesOneLineHoweverLongItsFigures) {
  CapacityData data = searched_tracks();
  data.by = CapacityBy::ring;
  data.rate_hz = 192'000;
  data.trials.front() = {1'728'000, Verdict::no_verdict, "", 215.93, 24'123, 9, ""};
  const std::string text = capacity_text(data);
  EXPECT_THAT(text,
              HasSubstr("trial   1   9.00s (1728000) NO VERDICT headroom 215.93 needed 126ms, 9 dropouts\n"));
  EXPECT_LE(widest_line(text), 80u);
}

TEST(CapacityText, ATableHasARowForEachFormatAndRing) {
  std::vector<CapacityData> cells(4, searched_tracks());
  cells[1].fragment_frames = 64;
  cells[1].answer->value = 100;
  cells[2].set = "192k/32/1";
  cells[2].rate_hz = 192'000;
  cells[2].answer.reset();
  cells[2].limit.resource = "playback scheduling";
  cells[3].set = "192k/32/1";
  cells[3].rate_hz = 192'000;
  cells[3].fragment_frames = 64;
  cells[3].complete = false;
  cells[3].limit.resource = "not decided";
  cells[1].warnings = cells[2].warnings = {"no real-time rights"};
  const std::string text = capacity_table(cells);
  EXPECT_THAT(text, HasSubstr("set             ring             64             1024  \n"));
  EXPECT_THAT(text, HasSubstr("48k/24/1       5.00s      100 (128) a      144 (128) a\n"));
  EXPECT_THAT(text, HasSubstr("192k/32/1      1.25s    >=144 (128) c              0 b\n"));
  EXPECT_THAT(text, HasSubstr("limits      a disk bandwidth, b playback scheduling, c not decided\n"));
  EXPECT_THAT(text, HasSubstr("took        28 min 52 s for 8 trials of 30 s each"));
  EXPECT_THAT(text, HasSubstr("warning     no real-time rights\n"));
  EXPECT_EQ(text.find("no real-time rights"), text.rfind("no real-time rights"));
  EXPECT_LE(widest_line(text), 80u);
}

}  // namespace
}  // namespace xrunlab
