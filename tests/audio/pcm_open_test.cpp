#include "xrunlab/audio/pcm_open.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

PcmRequest request(std::string device) {
  PcmRequest wanted;
  wanted.device = std::move(device);
  wanted.rate = SampleRate{44100};
  return wanted;
}

TEST(PcmOpen, NullTakesEverythingAtOnceAndIsNotPaced) {
  SystemClock clock;
  std::vector<std::string> warnings;
  const auto pcm = open_pcm(request("null"), clock, warnings);
  EXPECT_FALSE(pcm->grant().paced);
  EXPECT_FALSE(pcm->grant().simulated);
  EXPECT_EQ(pcm->grant().plugin, "null");
  EXPECT_EQ(pcm->grant().fragment, 1024);
  const std::vector<std::byte> silence(1024 * 2 * 4);
  for (int count = 0; count < 100; ++count) ASSERT_EQ(pcm->write(silence.data(), 1024), 1024);
  EXPECT_EQ(pcm->state(), PcmState::prepared);
  EXPECT_EQ(pcm->drain(1s), 0);
}

TEST(PcmOpen, ExplainsACardThatIsNotThereWithoutAWordOnStderr) {
  SystemClock clock;
  std::vector<std::string> warnings;
  testing::internal::CaptureStderr();
  try {
    open_pcm(request("hw:no_such_card"), clock, warnings);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::audio_device);
    EXPECT_THAT(error.what(), testing::HasSubstr("hw:no_such_card"));
    EXPECT_THAT(error.remedy(), testing::HasSubstr("aplay -L"));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(PcmOpen, RefusesSizesBelowOne) {
  SystemClock clock;
  std::vector<std::string> warnings;
  auto wanted = request("sim");
  wanted.period = 0;
  EXPECT_THROW(open_pcm(wanted, clock, warnings), Error);
}

}  // namespace
}  // namespace xrunlab
