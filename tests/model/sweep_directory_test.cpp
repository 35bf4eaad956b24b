#include "xrunlab/model/sweep_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "xrunlab/core/error.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

class SweepFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "sweep.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    sweep_.id = "a1";
    sweep_.axes = {{"ring", {"1s", "2s"}}};
    sweep_.play = {"set", "-d", "30s"};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static RunData run_of(const std::string& id) {
    RunData run;
    run.experiment.emplace();
    run.experiment->sweep_id = id;
    return run;
  }
  static std::string refusal(ExitCode code, const std::function<void()>& attempt) {
    try {
      attempt();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    return "nothing was thrown";
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "d")) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  std::filesystem::path folder_;
  SweepManifest sweep_;
};

TEST_F(SweepFolder, ANewOneIsMadeAndCanBeGoneOnWith) {
  { EXPECT_EQ(SweepDirectory::create(folder_ / "d", sweep_).manifest(), sweep_); }
  EXPECT_THAT(names(), testing::ElementsAre("sweep.json"));
  EXPECT_EQ(SweepDirectory::resume(folder_ / "d").manifest(), sweep_);
}

TEST_F(SweepFolder, OneThatHoldsSomethingIsRefused) {
  { SweepDirectory::create(folder_ / "d", sweep_); }
  EXPECT_THAT(refusal(ExitCode::usage, [&] { SweepDirectory::create(folder_ / "d", sweep_); }),
              HasSubstr("there is a sweep in"));
  std::filesystem::create_directory(folder_ / "other");
  std::ofstream(folder_ / "other" / "notes");
  EXPECT_THAT(refusal(ExitCode::usage, [&] { SweepDirectory::create(folder_ / "other", sweep_); }),
              HasSubstr("is not empty"));
  EXPECT_THAT(refusal(ExitCode::input_file, [&] { SweepDirectory::resume(folder_ / "other"); }),
              HasSubstr("there is no sweep"));
  EXPECT_THAT(refusal(ExitCode::system, [&] { SweepDirectory::create(folder_ / "a" / "b", sweep_); }),
              HasSubstr("No such file"));
}

TEST_F(SweepFolder, TwoProcessesDoNotMakeOneSweep) {
  const auto held = SweepDirectory::create(folder_ / "d", sweep_);
  EXPECT_THAT(refusal(ExitCode::usage, [&] { SweepDirectory::resume(folder_ / "d"); }),
              HasSubstr("another process"));
}

TEST_F(SweepFolder, ARunIsRecordedAndNeverOverwritten) {
  const auto directory = SweepDirectory::create(folder_ / "d", sweep_);
  EXPECT_FALSE(directory.holds("run-001.json"));
  RunData run = run_of("a1");
  run.verdict_line = "first";
  directory.record("run-001.json", run);
  EXPECT_TRUE(directory.holds("run-001.json"));
  run.verdict_line = "second";
  EXPECT_THAT(refusal(ExitCode::system, [&] { directory.record("run-001.json", run); }),
              HasSubstr("left as it is"));
  std::ifstream file(folder_ / "d" / "run-001.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(run_from_json(text, "run").verdict_line, "first");
  EXPECT_THAT(names(), testing::ElementsAre("run-001.json", "sweep.json"));
}

TEST_F(SweepFolder, ARunOfAnotherSweepIsNoRunOfThisOne) {
  const auto directory = SweepDirectory::create(folder_ / "d", sweep_);
  directory.record("run-001.json", run_of("b2"));
  directory.record("run-002.json", RunData{});
  for (const char* const name : {"run-001.json", "run-002.json"}) {
    EXPECT_THAT(refusal(ExitCode::input_file, [&] { (void)directory.holds(name); }),
                HasSubstr("no run of this"));
  }
  std::ofstream(folder_ / "d" / "run-003.json") << "{";
  EXPECT_THAT(refusal(ExitCode::input_file, [&] { (void)directory.holds("run-003.json"); }),
              HasSubstr("run-003.json"));
}

TEST_F(SweepFolder, EveryFailureOfARunIsKept) {
  const auto directory = SweepDirectory::create(folder_ / "d", sweep_);
  directory.record_failure("run-001.json", "first");
  directory.record_failure("run-001.json", "second");
  EXPECT_THAT(names(), testing::ElementsAre("run-001.failed-1.txt", "run-001.failed-2.txt", "sweep.json"));
}

TEST_F(SweepFolder, ManyMayMakeRunsOfTheSameSweep) {
  const auto first = SweepDirectory::join(folder_ / "d", sweep_);
  const auto second = SweepDirectory::join(folder_ / "d", sweep_);
  first.record("run-001.json", run_of("a1"));
  EXPECT_TRUE(second.holds("run-001.json"));
  EXPECT_THAT(refusal(ExitCode::usage, [&] { SweepDirectory::resume(folder_ / "d"); }),
              HasSubstr("another process"));
  sweep_.seed = 5;
  EXPECT_THAT(refusal(ExitCode::usage, [&] { SweepDirectory::join(folder_ / "d", sweep_); }),
              HasSubstr("is another one"));
}

TEST_F(SweepFolder, WhatAKilledProcessLeftHalfDoneIsRemoved) {
  { SweepDirectory::create(folder_ / "d", sweep_); }
  std::ofstream(folder_ / "d" / ".run-001.json.77") << "{";
  std::ofstream(folder_ / "d" / ".notes") << "mine";
  (void)SweepDirectory::resume(folder_ / "d");
  EXPECT_THAT(names(), testing::ElementsAre(".notes", "sweep.json"));
}

TEST_F(SweepFolder, MoreRunsAreWrittenDown) {
  { SweepDirectory::create(folder_ / "d", sweep_).extend(4); }
  EXPECT_EQ(SweepDirectory::resume(folder_ / "d").manifest().exploratory, 4);
}

}  // namespace
}  // namespace xrunlab
