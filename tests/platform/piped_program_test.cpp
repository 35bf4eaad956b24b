#include "xrunlab/platform/piped_program.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kAMinute = std::chrono::minutes{1};

TEST(PipedProgram, FeedsAndKeepsWhatIsPrinted) {
  // More than a pipe holds, in both directions.
  const std::string text(std::size_t{300} << 10, 'x');
  const auto output = pipe_through({"cat"}, text, kAMinute);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->exit_code, 0);
  EXPECT_EQ(output->out, text);
  EXPECT_EQ(output->err, "");
}

TEST(PipedProgram, WordsAreNoCommands) {
  const auto output = pipe_through({"printf", "%s", "$(id) `id`; x > y"}, "", kAMinute);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->out, "$(id) `id`; x > y");
}

TEST(PipedProgram, TellsHowItEnded) {
  const auto failed = pipe_through({"sh"}, "echo why >&2; exit 3", kAMinute);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->exit_code, 3);
  EXPECT_EQ(failed->err, "why\n");
  const auto killed = pipe_through({"sh"}, "kill -TERM $$", kAMinute);
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->exit_code, 128 + 15);
}

TEST(PipedProgram, OneThatHangsIsKilled) {
  SystemClock clock;
  const Nanoseconds begin = clock.now();
  const auto output = pipe_through({"sleep", "100"}, "", std::chrono::milliseconds{50});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->exit_code, 128 + 9);
  EXPECT_LT(clock.now() - begin, kAMinute);
}

TEST(PipedProgram, OneThatIsNotThere) {
  EXPECT_FALSE(pipe_through({"xrunlab-no-such-program"}, "", kAMinute));
}

}  // namespace
}  // namespace xrunlab
