#include "xrunlab/report/redrawn_line.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "tests/report/pipe_ends.hpp"

namespace xrunlab {
namespace {

TEST(RedrawnLine, IsDrawnInItsPlaceAndTakenAwayOnce) {
  const test::PipeEnds pipe;
  {
    RedrawnLine line(pipe.in.get(), LiveMode::redraw);
    line.clear();
    line.show("round 1 of 3");
    line.show("round 2 of 3");
    line.clear();
    line.clear();
    line.show("round 3");
  }
  EXPECT_EQ(pipe.take(), "\rround 1 of 3\033[K\rround 2 of 3\033[K\r\033[K\rround 3\033[K\r\033[K");
}

TEST(RedrawnLine, IsCutToOneLineAndDrivesNoTerminal) {
  const test::PipeEnds pipe;
  RedrawnLine line(pipe.in.get(), LiveMode::redraw);
  line.show("\x1b[2J" + std::string(200, 'x'));
  EXPECT_EQ(pipe.take(), "\r?[2J" + std::string(75, 'x') + "\033[K");
}

TEST(RedrawnLine, WithoutATerminalThereIsNone) {
  const test::PipeEnds pipe;
  for (const LiveMode mode : {LiveMode::off, LiveMode::plain_lines}) {
    RedrawnLine line(pipe.in.get(), mode);
    EXPECT_FALSE(line.is_shown());
    line.show("round 1 of 3");
    line.clear();
  }
  EXPECT_EQ(::write(pipe.in.get(), "end", 3), 3);
  EXPECT_EQ(pipe.take(), "end");
}

}  // namespace
}  // namespace xrunlab
