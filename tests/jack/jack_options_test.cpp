#include "xrunlab/jack/jack_options.hpp"

#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

TEST(JackOptions, OnlyTheColonMakesItOurs) {
  EXPECT_TRUE(is_jack("jack:"));
  EXPECT_TRUE(is_jack("jack:server=x"));
  EXPECT_FALSE(is_jack("jack")) << "a PCM of alsa-lib's plug-in";
  EXPECT_FALSE(is_jack("sim:jack:"));
}

TEST(JackOptions, AreKeysWithValues) {
  EXPECT_EQ(parse_jack_options(""), JackOptions{});
  EXPECT_EQ(parse_jack_options("server=studio,connect=none,client=tape"),
            (JackOptions{.server = "studio", .connect = "none", .client = "tape"}));
  EXPECT_EQ(parse_jack_options("connect=system:playback_3").connect, "system:playback_3");
}

TEST(JackOptions, OthersAreRefused) {
  for (const char* const text : {"studio", "server", "server=", "ports=4", "server=a,x"}) {
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
