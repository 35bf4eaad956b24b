#include "xrunlab/report/jack_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/model/sample_jack.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string jack_text_of(RunData run) {
  judge(run);
  return jack_summary(run, ConsoleStyle::plain);
}

TEST(JackText, TheTableLooksAsItDidWithCountAndIntervalBehind) {
  const std::string text = jack_text_of(sample_jack_run());
  EXPECT_THAT(text, HasSubstr("\nTimeout Rate  . . . . . . . . :       0.0 /hour         0  0 to 221\n"));
  EXPECT_THAT(text, HasSubstr("\nXRUN Rate . . . . . . . . . . :     120.0 /hour         2  14.5 to 433\n"));
  EXPECT_THAT(text, HasSubstr("\nDelay Maximum . . . . . . . . :     308.5 usecs\n"));
  EXPECT_THAT(text, HasSubstr("\nAverage DSP Load  . . . . . . :      44.0 %\n"));
  EXPECT_THAT(text, HasSubstr("\nAverage Context-Switch Rate . :         - /sec\n"));
  EXPECT_THAT(text, HasSubstr("\nDriver Late Rate  . . . . . . :    5760.0 /hour        96  "));
  EXPECT_THAT(text, HasSubstr("\nFailed Clients  . . . . . . . :         1\n"));
}

TEST(JackText, WhereTheServersClockWasOffTheRowsWithoutItAreNamed) {
  auto run = sample_jack_run();
  EXPECT_THAT(jack_text_of(run), HasSubstr("\ncycle from wake-up "));
  EXPECT_THAT(jack_text_of(run), HasSubstr("was off in\n  1200 cycles, as after an xrun"));
  run.jack->unsettled_cycles = 0;
  EXPECT_THAT(jack_text_of(run), Not(HasSubstr("as after an xrun")));
}

TEST(JackText, FitsIntoEightyColumns) {
  std::istringstream lines(jack_text_of(sample_jack_run()));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(JackText, ARampHasALineForEachNumberOfClients) {
  auto run = sample_jack_run();
  EXPECT_THAT(jack_text_of(run), Not(HasSubstr("\nclients ")));
  run.jack->ramp = {{.clients = 1, .cycles = 1378, .dsp_load_share = 0.05, .cycle_max_ns = 90'000}};
  EXPECT_THAT(jack_text_of(run),
              HasSubstr("\n      1       1378      5.0          -     90.0us       0            0\n"));
}

TEST(JackText, ARunThatMeasuredNothingHasNoTable) {
  auto run = sample_jack_run();
  run.complete = false;
  run.ended_by = "signal 2";
  run.jack->measured_ns = 0;
  EXPECT_THAT(jack_text_of(run), Not(HasSubstr("XRUN Rate")));
  EXPECT_THAT(jack_text_of(run), HasSubstr("NO VERDICT"));
}

}  // namespace
}  // namespace xrunlab
