#include "xrunlab/load/load_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A directory in front of PATH with a stress-ng of our own.
class LoadSetTest : public testing::Test {
 protected:
  LoadSetTest() : path_(std::getenv("PATH")) {
    std::string name = (std::filesystem::temp_directory_path() / "load.XXXXXX").string();
    directory_ = ::mkdtemp(name.data()) != nullptr ? name : "/nonexistent";
    ::setenv("PATH", (directory_ + ":" + path_).c_str(), 1);
  }
  ~LoadSetTest() override {
    ::setenv("PATH", path_.c_str(), 1);
    std::filesystem::remove_all(directory_);
  }

  void plant(const std::string& name, const std::string& script) {
    std::ofstream(directory_ + "/" + name) << "#!/bin/sh\n" << script << "\n";
    ::chmod((directory_ + "/" + name).c_str(), 0755);
  }

  static bool sleep_on(Nanoseconds time) {
    SystemClock clock;
    clock.sleep_until(clock.now() + time);
    return false;
  }

  std::string refusal_of(const std::string& spec, const LoadSettings& settings = {}) {
    GuardProcess guard;
    LoadSet loads(guard, {parse_load_spec("load", spec)}, settings);
    try {
      loads.start(sleep_on);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::system);
      return error.what() + (error.remedy().empty() ? "" : "; " + error.remedy());
    }
    return "started";
  }

  std::string path_;
  std::string directory_;
};

TEST_F(LoadSetTest, AProgramOfOthersWorksUntilItIsStoppedAndItsWordsAreKept) {
  plant("stress-ng", "echo \"begin $*\"; trap 'echo sum; exit 0' TERM; while :; do sleep 0.01; done");
  GuardProcess guard;
  LoadSet loads(guard, {parse_load_spec("load", "stress-ng:--vm '1 2'")}, {.seed = 9});
  ASSERT_TRUE(loads.start(sleep_on));
  EXPECT_EQ(loads.name(), "stress-ng:--vm '1 2'");
  EXPECT_EQ(loads.dead(), "");
  EXPECT_THAT(loads.shortfalls(), IsEmpty());
  const auto done = loads.finish();
  ASSERT_EQ(done.size(), 1u);
  EXPECT_TRUE(done[0].alive);
  EXPECT_EQ(done[0].kind, "stress-ng");
  EXPECT_EQ(done[0].seed, 9);
  EXPECT_FALSE(done[0].operations);
  EXPECT_GT(done[0].wall_ns, 400'000'000);
  EXPECT_EQ(done[0].output, "begin --vm 1 2\nsum\n");
  EXPECT_NE(loads.dead(), "");
}

TEST_F(LoadSetTest, AProgramThatEndsIsDead) {
  plant(
      "stress-ng",
      "echo all is well; while [ ! -e \"$0.end\" ]; do sleep 0.01; done; echo no such stressor >&2; exit 2");
  GuardProcess guard;
  LoadSet loads(guard, {parse_load_spec("load", "stress-ng:--x")}, {});
  ASSERT_TRUE(loads.start(sleep_on));
  EXPECT_EQ(loads.dead(), "");
  plant("stress-ng.end", "");
  for (int look = 0; look < 1000 && loads.dead().empty(); ++look) sleep_on(std::chrono::milliseconds{10});
  EXPECT_EQ(loads.dead(), "it ended with exit code 2 (no such stressor)");
  const auto done = loads.finish();
  EXPECT_FALSE(done[0].alive);
  EXPECT_EQ(done[0].error, "it ended with exit code 2 (no such stressor)");
}

TEST_F(LoadSetTest, WhatIsDeadAtOnceIsNotStarted) {
  plant("stress-ng", "echo no; exit 2");
  EXPECT_EQ(refusal_of("stress-ng:--x"), "the load 'stress-ng:--x' is dead: it ended with exit code 2 (no)");
  EXPECT_EQ(refusal_of("cpu:1", {.program = "/bin/false"}),
            "the load 'cpu:1' is dead: it ended with exit code 1");
}

TEST_F(LoadSetTest, AProgramThatIsNotThereIsNamedWithItsPackage) {
  ::setenv("PATH", directory_.c_str(), 1);
  EXPECT_THAT(refusal_of("stress-ng:--x"),
              HasSubstr("cannot start stress-ng: No such file or directory; apt-get install stress-ng"));
}

TEST_F(LoadSetTest, ASignalEndsTheStart) {
  plant("stress-ng", "sleep 1000");
  GuardProcess guard;
  LoadSet loads(guard, {parse_load_spec("load", "stress-ng:--x")}, {});
  EXPECT_FALSE(loads.start([](Nanoseconds) { return true; }));
}

}  // namespace
}  // namespace xrunlab
