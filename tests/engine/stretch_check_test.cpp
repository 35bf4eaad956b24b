#include "xrunlab/engine/stretch_check.hpp"

#include <gtest/gtest.h>

namespace xrunlab::test::stretch_check_tests {
namespace {

using namespace std::chrono_literals;

constexpr SampleRate kRate{48'000};

TEST(StretchCheck, AStretchOfASecondIsTooShort) {
  StretchCheck check(kRate, 1024);
  check.observe(0s, 0s, 0);
  check.observe(1s, 1s, 48'000);
  check.close();
  EXPECT_FALSE(check.worst());
}

TEST(StretchCheck, KeepsTheStretchThatIsFarthestOffItsAllowance) {
  StretchCheck check(kRate, 1024);
  check.observe(0s, 0s, 0);
  check.observe(2s, 2s, 96'000 + 512);  // half of what is allowed
  check.close();
  check.observe(2s, 2s, 0);
  check.observe(102s, 102s, 4'800'000 - 1200);  // a quarter
  check.close();
  ASSERT_TRUE(check.worst());
  EXPECT_EQ(check.worst()->played, 96'512);
  EXPECT_EQ(check.worst()->length, 2s);
}

TEST(StretchCheck, ALookThatSomethingCameBetweenIsLeftOut) {
  StretchCheck check(kRate, 1024);
  check.observe(0s, 0s + 200us, 0);
  check.observe(2s, 2s + 201us, 1'000'000);
  check.observe(3s, 3s, 144'000);
  check.close();
  ASSERT_TRUE(check.worst());
  EXPECT_EQ(check.worst()->played, 144'000);
}

TEST(StretchCheck, ARestartBeginsAnew) {
  StretchCheck check(kRate, 1024);
  check.observe(0s, 0s, 0);
  check.observe(900ms, 900ms, 43'200);
  check.close();
  check.observe(5s, 5s, 50'000);
  check.observe(5900ms, 5900ms, 93'200);
  check.close();
  EXPECT_FALSE(check.worst());
}

}  // namespace
}  // namespace xrunlab::test::stretch_check_tests
