#include "xrunlab/jack/server_line.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

TEST(ServerLine, TellsWhoseXrunItWas) {
  EXPECT_EQ(read_server_line("JackEngine::XRun: client = a was not finished, state = Running"),
            ServerLine::client_not_finished);
  EXPECT_EQ(read_server_line("JackEngine::XRun: client a finished after current callback"),
            ServerLine::client_not_finished);
  EXPECT_EQ(read_server_line("JackTimedDriver::Process XRun = 2915 usec"), ServerLine::driver_late);
  EXPECT_EQ(read_server_line("**** alsa_pcm: xrun of at least 1.234 msecs"), ServerLine::driver_late);
  EXPECT_EQ(read_server_line("WARNING: 12 message buffer overruns!"), ServerLine::lines_lost);
}

TEST(ServerLine, OtherLinesCountForNothing) {
  EXPECT_EQ(read_server_line("JackAudioDriver::ProcessGraphAsyncMaster: Process error"), ServerLine::other);
  EXPECT_EQ(read_server_line(""), ServerLine::other);
}

}  // namespace
}  // namespace xrunlab
