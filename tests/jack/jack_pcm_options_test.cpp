#include "xrunlab/jack/jack_pcm_options.hpp"

#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

TEST(JackPcmOptions, OnlyTheColonMakesItOurs) {
  EXPECT_TRUE(is_jack("jack:"));
  EXPECT_TRUE(is_jack("jack:server=x"));
  EXPECT_FALSE(is_jack("jack")) << "a PCM of alsa-lib's plug-in";
  EXPECT_FALSE(is_jack("sim:jack:"));
}

TEST(JackPcmOptions, AreKeysWithValues) {
  EXPECT_EQ(parse_jack_options(""), JackPcmOptions{});
  EXPECT_EQ(parse_jack_options("server=studio,connect=none,client=tape"),
            (JackPcmOptions{.server = "studio", .connect = "none", .client = "tape"}));
  EXPECT_EQ(parse_jack_options("timeout=250ms").timeout, std::chrono::milliseconds{250});
  EXPECT_EQ(parse_jack_options("connect=system:playback_3").connect, "system:playback_3");
}

TEST(JackPcmOptions, OthersAreRefused) {
  for (const char* const text :
       {"studio", "server", "server=", "ports=4", "server=a,x", "timeout=0", "timeout=x"}) {
    try {
      parse_jack_options(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage) << text;
    }
  }
}

}  // namespace
}  // namespace xrunlab
