#include "src/jack/jack_calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string refusal_by(JackCalls& calls, const std::function<int()>& call) {
  try {
    return std::to_string(calls.make("jack_x", call));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::audio_device);
    return error.what();
  }
}

TEST(JackCalls, GiveWhatTheCallReturnsOneAfterTheOther) {
  JackCalls calls(30s);
  EXPECT_EQ(calls.make("jack_x", [] { return 7; }), 7);
  EXPECT_EQ(calls.make("jack_x", [] { return std::string("seven"); }), "seven");
  EXPECT_FALSE(calls.hang());
}

TEST(JackCalls, OneThatHangsIsNamedAndTheNextIsNotTried) {
  JackCalls calls(20ms);
  const auto never = [] {
    for (;;) std::this_thread::sleep_for(1h);
    return 0;
  };
  EXPECT_THAT(refusal_by(calls, never), HasSubstr("jack_x did not return within 20.0 ms"));
  EXPECT_TRUE(calls.hang());
  static bool tried = false;
  EXPECT_THAT(refusal_by(calls,
                         [] {
                           tried = true;
                           return 0;
                         }),
              HasSubstr("did not return"));
  EXPECT_FALSE(tried);
}

}  // namespace
}  // namespace xrunlab
