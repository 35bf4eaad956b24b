#include "xrunlab/report/live_line.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>

#include "tests/report/pipe_ends.hpp"

namespace xrunlab {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

LiveStatus some_status() {
  return {.elapsed = milliseconds{83'450},
          .ring_fill = 0.9,
          .ring_low_water = 0.42,
          .starved_reads = 2,
          .xruns = 1,
          .ring_read_max = Nanoseconds{51'000},
          .pcm_write_max = Nanoseconds{21'440'000},
          .outside_max = Nanoseconds{970'400'000},
          .read_bytes_per_s = 9'216'000};
}

TEST(LiveLine, ShowsEveryFigureOnOneLine) {
  EXPECT_EQ(format_live_line(some_status(), 120),
            "1:23.4 [########|#########..] 90% low 42%  starved 2  xruns 1  max T1 0.05 T2 21.4 T3 970 ms  "
            "9.2 MB/s");
}

TEST(LiveLine, FitsAnyWidthAndKeepsWholePartsWhileItCan) {
  for (std::size_t width = 0; width <= 130; ++width) {
    EXPECT_LE(format_live_line(some_status(), width).size(), width);
  }
  EXPECT_EQ(format_live_line(some_status(), 50), "1:23.4 90% low 42%  starved 2  xruns 1");
}

TEST(LiveLine, HasNoBarWithoutARing) {
  auto status = some_status();
  status.ring_fill.reset();
  status.ring_low_water.reset();
  EXPECT_EQ(format_live_line(status, 120),
            "1:23.4  starved 2  xruns 1  max T1 0.05 T2 21.4 T3 970 ms  9.2 MB/s");
}

TEST(LiveLine, IsRedrawnOnlyOnATerminalThatCanDoIt) {
  const LiveTerminal terminal{.is_terminal = true, .term = "xterm"};
  EXPECT_EQ(choose_live_mode(terminal, std::nullopt), LiveMode::redraw);
  EXPECT_EQ(choose_live_mode(terminal, seconds{5}), LiveMode::plain_lines);
  EXPECT_EQ(choose_live_mode({.is_terminal = true, .term = "dumb"}, std::nullopt), LiveMode::off);
  EXPECT_EQ(choose_live_mode({.is_terminal = false, .term = "xterm"}, std::nullopt), LiveMode::off);
  EXPECT_EQ(choose_live_mode({.is_terminal = false, .term = "xterm"}, seconds{5}), LiveMode::plain_lines);
}

TEST(LiveLine, PlainLinesComeOncePerIntervalWithoutControlCharacters) {
  const test::PipeEnds pipe;
  LiveLine line(pipe.in.get(), LiveMode::plain_lines, {}, seconds{5});
  auto status = some_status();
  for (const auto elapsed : {seconds{1}, seconds{5}, seconds{6}, seconds{9}, seconds{17}}) {
    status.elapsed = elapsed;
    line.show(status);
  }
  line.clear();
  const auto text = pipe.take();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.find_first_of("\r\x1b"), std::string::npos);
}

TEST(LiveLine, ColourIsLeftOutWithNoColor) {
  for (const bool no_color : {false, true}) {
    const test::PipeEnds pipe;
    LiveLine line(pipe.in.get(), LiveMode::redraw,
                  {.is_terminal = true, .term = "xterm", .no_color = no_color});
    line.show(some_status());
    const auto text = pipe.take();
    EXPECT_EQ(text.find('\x1b') == std::string::npos, no_color);
    EXPECT_EQ(text.front(), '\r');
  }
}

TEST(LiveLine, AShorterLineCoversALongerOneAndClearLeavesNothing) {
  const test::PipeEnds pipe;
  LiveLine line(pipe.in.get(), LiveMode::redraw, {.is_terminal = true, .term = "xterm", .no_color = true});
  auto status = some_status();
  line.show(status);
  const auto longer = pipe.take();
  status.ring_fill.reset();
  line.show(status);
  EXPECT_EQ(pipe.take().size(), longer.size());
  line.clear();
  const auto cleared = pipe.take();
  EXPECT_EQ(cleared.find_first_not_of("\r "), std::string::npos);
  EXPECT_EQ(cleared.back(), '\r');
  line.clear();
  EXPECT_LE(cleared.size(), longer.size() + 1);
}

TEST(LiveLine, StaysWithinTheWidthOfItsTerminal) {
  int master = -1;
  int slave = -1;
  winsize size{.ws_row = 24, .ws_col = 61, .ws_xpixel = 0, .ws_ypixel = 0};
  if (::openpty(&master, &slave, nullptr, nullptr, &size) != 0) GTEST_SKIP() << "no pseudo terminal here";
  const UniqueFd near(master);
  const UniqueFd far(slave);
  LiveLine line(slave, LiveMode::redraw, {.is_terminal = true, .term = "xterm", .no_color = true});
  line.show(some_status());
  const auto text = test::take_text(master);
  EXPECT_EQ(text.front(), '\r');
  EXPECT_LT(text.size() - 1, 61u);
}

TEST(LiveLine, BeginsWithInjectedInARunWithFaultsHoweverNarrow) {
  auto status = some_status();
  status.fault_injected = true;
  EXPECT_TRUE(format_live_line(status, 120).starts_with("INJECTED 1:23.4 ["));
  EXPECT_EQ(format_live_line(status, 30), "INJECTED 1:23.4 90% low 42%");
}

}  // namespace
}  // namespace xrunlab
