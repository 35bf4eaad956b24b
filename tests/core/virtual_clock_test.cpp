#include "xrunlab/core/virtual_clock.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

/// Writes down when it acted.
class Ticker final : public VirtualClock::Actor {
 public:
  Ticker(const VirtualClock& clock, std::vector<std::string>& seen, std::string name, Nanoseconds first,
         Nanoseconds interval)
      : clock_(clock), seen_(seen), name_(std::move(name)), due_(first), interval_(interval) {}
  Nanoseconds due() const noexcept override { return due_; }
  void act() noexcept override {
    seen_.push_back(name_ + std::to_string(clock_.now() / 1ms));
    due_ += interval_;
  }

 private:
  const VirtualClock& clock_;
  std::vector<std::string>& seen_;
  std::string name_;
  Nanoseconds due_;
  Nanoseconds interval_;
};

TEST(VirtualClock, LetsEverythingHappenInItsOrder) {
  VirtualClock clock(0ms);
  std::vector<std::string> seen;
  Ticker slow(clock, seen, "s", 20ms, 20ms);
  Ticker fast(clock, seen, "f", 10ms, 10ms);
  clock.add(slow);
  clock.add(fast);
  clock.sleep_until(40ms);
  EXPECT_EQ(seen, (std::vector<std::string>{"f10", "s20", "f20", "f30", "s40", "f40"}));
  EXPECT_EQ(clock.now(), 40ms);
}

TEST(VirtualClock, AStepEndsBehindOneHappeningOrAtTheLimit) {
  VirtualClock clock(0ms);
  std::vector<std::string> seen;
  Ticker ticker(clock, seen, "t", 10ms, 10ms);
  clock.add(ticker);
  EXPECT_TRUE(clock.step(15ms));
  EXPECT_EQ(clock.now(), 10ms);
  EXPECT_FALSE(clock.step(15ms));
  EXPECT_EQ(clock.now(), 15ms);
  EXPECT_FALSE(clock.step(5ms)) << "it never goes back";
  EXPECT_EQ(clock.now(), 15ms);
}

TEST(VirtualClock, WhatIsOverdueHappensNow) {
  VirtualClock clock(100ms);
  std::vector<std::string> seen;
  Ticker ticker(clock, seen, "t", 10ms, 1000ms);
  clock.add(ticker);
  clock.sleep_until(100ms);
  EXPECT_EQ(seen, std::vector<std::string>{"t100"});
}

}  // namespace
}  // namespace xrunlab
