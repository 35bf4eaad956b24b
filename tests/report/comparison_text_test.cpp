#include "xrunlab/report/comparison_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "tests/report/sample_comparison.hpp"
#include "tests/report/widest_line.hpp"

namespace xrunlab {
namespace {

using test::sample_comparison;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

TEST(ComparisonText, UpToFourGroupsHaveAColumnEach) {
  const auto text = comparison_text(sample_comparison(2));
  EXPECT_THAT(text, HasSubstr("20 runs by scheduler, baseline g0, ring_needed decides\n"));
  EXPECT_THAT(text, HasSubstr("runs                              10                  10\n"));
  EXPECT_THAT(text, HasSubstr("PASS                         9 of 10             9 of 10\n"));
  EXPECT_THAT(text, HasSubstr("dropouts                           3                   3\n"));
  EXPECT_THAT(text, HasSubstr("ring needed                    1.00s               2.00s\n"));
  EXPECT_THAT(text, HasSubstr("T3 out max               47.1ms/600s         47.1ms/600s\n"));
  EXPECT_THAT(text, HasSubstr("read MB/s                       6.90                6.90\n"));
  EXPECT_THAT(text, Not(HasSubstr("headroom"))) << "no group has it";
  EXPECT_THAT(text, HasSubstr("g1              worse: ratio 2.00 (1.90"));
  EXPECT_THAT(text, HasSubstr("differs too     machine: stage (10 runs); studio (10 runs)\n"));
  EXPECT_THAT(text, HasSubstr("left out        2 runs: a warm-up (a.json, b.json)\n"));
  EXPECT_THAT(text, HasSubstr("note            read_ahead_kb cannot act"));
}

TEST(ComparisonText, MoreGroupsHaveARowEach) {
  const auto text = comparison_text(sample_comparison(6));
  EXPECT_THAT(text, HasSubstr("\ng5 "));
  EXPECT_THAT(text, Not(HasSubstr("ring needed  ")));
  EXPECT_THAT(text, HasSubstr("    runs  seconds     PASS"));
  EXPECT_THAT(text, HasSubstr("PASS,"));
  EXPECT_THAT(text, Not(HasSubstr("boots"))) << "one each: nobody asked";
}

TEST(ComparisonText, NoLineIsWiderThan80Columns) {
  for (const std::size_t groups : {1u, 2u, 3u, 4u, 5u, 9u}) {
    auto comparison = sample_comparison(groups);
    EXPECT_LE(widest_line(comparison_text(comparison)), 80u) << groups;
    for (auto& group : comparison.groups) {
      group.label = "a-kernel-of-a-very-long-name-6.1.0-18-rt-amd64 / 日本語の値 " + group.label;
      group.dropouts->clustered = true;
      group.dropouts->high_per_hour = 123456.789;
    }
    const auto text = comparison_text(comparison);
    EXPECT_LE(widest_line(text), 80u) << text;
    EXPECT_THAT(text, HasSubstr("(1)"));
    EXPECT_THAT(text, HasSubstr("c               clustered"));
  }
}

TEST(ComparisonText, SecondsOfShortRunsAreNoZero) {
  auto comparison = sample_comparison(4);
  std::int64_t seconds_ns = 40'000'000;
  for (auto& group : comparison.groups) group.time_ns = std::exchange(seconds_ns, seconds_ns * 15);
  const auto text = comparison_text(comparison);
  EXPECT_THAT(text, ContainsRegex("seconds +0\\.0400 +0\\.600 +9\\.0 +135\n"));
}

TEST(ComparisonText, WithoutAGroupItSaysSo) {
  Comparison nothing;
  nothing.left_out = {{"a.json", "incomplete"}};
  EXPECT_EQ(comparison_text(nothing), "no run counts\n\nleft out        1 run: incomplete (a.json)\n");
}

TEST(ComparisonText, AValueDrivesNoTerminal) {
  auto comparison = sample_comparison(2);
  comparison.groups[1].label = "\x1b[31mred";
  comparison.left_out[0].file = "\x1b[2J.json";
  EXPECT_THAT(comparison_text(comparison), Not(HasSubstr("\x1b")));
  EXPECT_THAT(comparison_markdown(comparison), Not(HasSubstr("\x1b")));
}

TEST(ComparisonText, MarkdownHasTheSameFigures) {
  const auto few = comparison_markdown(sample_comparison(2));
  EXPECT_THAT(few, HasSubstr("|  | g0 (baseline) | g1 |\n|---|---:|---:|\n| runs | 10 | 10 |\n"));
  EXPECT_THAT(few, HasSubstr("- **g1**: worse: ratio 2.00"));
  const auto many = comparison_markdown(sample_comparison(5));
  EXPECT_THAT(many, HasSubstr("| g4 | 10 |"));
  auto odd = sample_comparison(2);
  odd.groups[1].label = "a|b";
  EXPECT_THAT(comparison_markdown(odd), HasSubstr("a\\|b"));
}

/// Two kernels whose rounds were 1,296 s and 500 s long.
Comparison latency_comparison() {
  auto comparison = sample_comparison(2);
  comparison.kind = "latency";
  comparison.unequal_lengths = true;
  comparison.figures = {
      {"rounds", "rounds", "rounds", FigureUnit::count, "latency"},
      {"latency_max_median", "latency_max_median_ns", "median of maxima", FigureUnit::duration, "latency"},
      {"latency_max", "latency_max_ns", "latency max", FigureUnit::duration, "latency"}};
  comparison.groups[0].figures = {13, 357'500, 17'789'000};
  comparison.groups[1].figures = {5, 134'000, 52'346};
  comparison.groups[0].time_ns = 1'295'730'000'000;
  comparison.groups[1].time_ns = 500'000'000'000;
  for (auto& group : comparison.groups) {
    group.pass = {};
    group.dropouts.reset();
  }
  return comparison;
}

TEST(ComparisonText, LatenciesAreMicrosecondsAndMaximaOverUnequalLengthsAreMarked) {
  const auto text = comparison_text(latency_comparison());
  EXPECT_THAT(text, HasSubstr("20 runs of kind latency by scheduler"));
  EXPECT_THAT(text, HasSubstr("rounds                            13                   5\n"));
  EXPECT_THAT(text, HasSubstr("median of maxima             357.5us               134us\n"));
  EXPECT_THAT(text, HasSubstr("latency max           17789us/1296s*       52.35us/500s*\n"));
  EXPECT_THAT(text, HasSubstr("*               maxima over unequal lengths"));
  EXPECT_THAT(text, Not(HasSubstr("PASS"))) << "nothing of it was judged";
  EXPECT_THAT(text, Not(HasSubstr("dropouts")));
}

TEST(ComparisonText, MediansOfMaximaOverUnequalRoundsAreMarked) {
  auto comparison = latency_comparison();
  comparison.unequal_lengths = false;
  comparison.unequal_rounds = true;
  const auto text = comparison_text(comparison);
  EXPECT_THAT(text, HasSubstr("median of maxima            357.5us*              134us*\n"));
  EXPECT_THAT(text, HasSubstr("latency max            17789us/1296s        52.35us/500s\n"));
  EXPECT_THAT(text, HasSubstr("*               maxima over unequal lengths"));
}

TEST(ComparisonText, EachKindHasATableOfItsOwn) {
  const std::vector<Comparison> both{sample_comparison(2), latency_comparison()};
  const auto text = comparison_text(both);
  EXPECT_LT(text.find("20 runs by scheduler"), text.find("\n\n20 runs of kind latency by scheduler"));
  EXPECT_THAT(comparison_markdown(both), HasSubstr("20 runs of kind latency by scheduler"));
}

}  // namespace
}  // namespace xrunlab
