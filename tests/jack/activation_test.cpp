#include "src/jack/activation.hpp"

#include <gtest/gtest.h>

#include <string>

namespace xrunlab {
namespace {

/// A server that says no to the first activations. As in jackd, what was not taken out again is not tried
/// again.
struct ReluctantJack {
  static inline int refusals = 0;
  static inline bool in_graph = false;
  static inline std::string calls;

  static JackLibrary library() {
    JackLibrary jack{};
    jack.activate = [](JackClient*) {
      calls += 'a';
      if (in_graph) return 0;
      in_graph = true;
      return refusals-- > 0 ? -1 : 0;
    };
    jack.deactivate = [](JackClient*) {
      calls += 'd';
      in_graph = false;
      return -1;
    };
    return jack;
  }

  static bool activated_after(int number) {
    refusals = number;
    in_graph = false;
    calls.clear();
    int returned = 0;
    const JackLibrary jack = library();
    const bool active = activate_client(jack, nullptr, [&returned] { ++returned; });
    EXPECT_EQ(returned, static_cast<int>(calls.size()));
    return active;
  }
};

TEST(ActivateClient, AsksOnceWhereTheServerIsWilling) {
  EXPECT_TRUE(ReluctantJack::activated_after(0));
  EXPECT_EQ(ReluctantJack::calls, "a");
}

TEST(ActivateClient, TakesTheClientOutBeforeItAsksAgain) {
  EXPECT_TRUE(ReluctantJack::activated_after(2));
  EXPECT_EQ(ReluctantJack::calls, "adada");
}

TEST(ActivateClient, GivesUp) {
  EXPECT_FALSE(ReluctantJack::activated_after(100));
  EXPECT_FALSE(ReluctantJack::in_graph);
}

}  // namespace
}  // namespace xrunlab
