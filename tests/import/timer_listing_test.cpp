#include "xrunlab/import/timer_listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

std::vector<TimerListing> timers_in(std::string_view text) {
  const auto parts = cut_listing(text, {}, "mail");
  return parse_timer_listings(parts.at(0).lines, "mail");
}

std::string block(int timer, const std::string& average = "0.022353019") {
  return "> Timer-" + std::to_string(timer) +
         ":\n"
         "> Number of events: 15375\n"
         "> Events over bound: 328 (0.02321900sec)\n"
         "> Events under bound: 15047 (0.02321900sec)\n"
         "> Min duration in seconds: 0.000504000\n"
         "> Max duration in seconds: 0.0745550000000000\n"
         "> Average duration in seconds: " +
         average + "\n\n";
}

TEST(TimerListing, EveryFigureToTheNanosecond) {
  const auto listings = timers_in(block(1) + block(2) + block(3));
  ASSERT_EQ(listings.size(), 1u);
  for (const auto& timer : listings[0]) {
    ASSERT_TRUE(timer);
    EXPECT_EQ(timer->count, 15'375);
    EXPECT_EQ(timer->over, 328);
    EXPECT_EQ(timer->under, 15'047);
    EXPECT_EQ(timer->bound_ns, 23'219'000);
    EXPECT_EQ(timer->min_ns, 504'000);
    EXPECT_EQ(timer->max_ns, 74'555'000);
    EXPECT_EQ(timer->average_ns, 22'353'019);
  }
}

TEST(TimerListing, ATimerThatIsThereAlreadyBeginsTheNext) {
  const auto listings = timers_in(block(1) + block(2) + block(1) + block(3));
  ASSERT_EQ(listings.size(), 2u);
  EXPECT_TRUE(listings[0][1]);
  EXPECT_FALSE(listings[0][2]);
  EXPECT_FALSE(listings[1][1]);
  EXPECT_TRUE(listings[1][2]);
}

TEST(TimerListing, LaterFormsAndMissingLines) {
  const auto listings = timers_in(
      "Timer-1:\nNumber of events: 2\nMin duration, us: 1.500000\nMax duration, us: 2\n"
      "Average duration, us: 1.75\nDuration of last event, us: 2\n");
  ASSERT_EQ(listings.size(), 1u);
  EXPECT_EQ(listings[0][0]->min_ns, 1500);
  EXPECT_EQ(listings[0][0]->max_ns, 2000);
  EXPECT_EQ(listings[0][0]->average_ns, 1750);
  EXPECT_FALSE(listings[0][0]->over) << "not said";
  EXPECT_FALSE(listings[0][0]->bound_ns);
  EXPECT_EQ(timers_in(block(2, "0.0223530194999"))[0][1]->average_ns, 22'353'019);
  EXPECT_EQ(timers_in(block(2, "0.0223530195"))[0][1]->average_ns, 22'353'020) << "rounded";
  EXPECT_TRUE(timers_in("Number of events: 5\nTimer-4:\nTimer-1: x\n").empty());
}

TEST(TimerListing, FiguresThatContradictEachOtherAreRefused) {
  EXPECT_THROW(timers_in(block(1, "0.1")), Error) << "an average above the maximum";
  EXPECT_THROW(
      timers_in("Timer-1:\nNumber of events: 5\nEvents over bound: 4 (1sec)\nEvents under bound: 4 (1sec)"),
      Error);
  EXPECT_THROW(timers_in("Timer-1:\nNumber of events: -5\nMax duration in seconds: 1\n"), Error);
  EXPECT_THROW(timers_in("Timer-1:\nNumber of events: 5\n"), Error) << "cut off";
}

}  // namespace
}  // namespace xrunlab
