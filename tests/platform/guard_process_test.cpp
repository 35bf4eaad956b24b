#include "xrunlab/platform/guard_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "tests/platform/child_process.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    reads.reset(ends[0]);
    writes.reset(ends[1]);
  }
  UniqueFd reads;
  UniqueFd writes;
};

bool comes_true(const std::function<bool()>& condition) {
  SystemClock clock;
  for (int look = 0; look < 1000; ++look) {
    if (condition()) return true;
    clock.sleep_until(clock.now() + 10ms);
  }
  return false;
}

bool is_gone(pid_t process) {
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

ProgramState end_of(GuardProcess& guard, ProgramId program) {
  ProgramState state;
  comes_true([&] { return !(state = guard.state(program)).alive; });
  return state;
}

ProgramStart shell(const std::string& script) {
  ProgramStart start;
  start.argv = {"sh", "-c", script};
  return start;
}

std::string output_of(GuardProcess& guard, ProgramStart start) {
  Pipe output;
  start.out = output.writes.get();
  guard.start(start);
  output.writes.reset();
  return test::read_to_end(output.reads.release());
}

TEST(GuardProcess, GivesAProgramItsStandardFilesAndWhatIsHandedToIt) {
  GuardProcess guard;
  Pipe input;
  Pipe output;
  Pipe handed;
  auto start = shell("cat; echo said >&2; echo handed >&3; exit 7");
  start.in = input.reads.get();
  start.out = output.writes.get();
  start.err = output.writes.get();
  start.handed = {handed.writes.get()};
  ASSERT_EQ(::write(input.writes.get(), "given ", 6), 6);
  const auto program = guard.start(start);
  EXPECT_TRUE(guard.state(program).alive);
  input.writes.reset();
  output.writes.reset();
  handed.writes.reset();
  EXPECT_EQ(test::read_to_end(output.reads.release()), "given said\n");
  EXPECT_EQ(test::read_to_end(handed.reads.release()), "handed\n");
  EXPECT_EQ(end_of(guard, program).exit_code, 7);
}

TEST(GuardProcess, SaysWhyAProgramNoLongerRuns) {
  GuardProcess guard;
  const auto silent = [] { return std::string(); };
  EXPECT_EQ(guard.fault(guard.start(shell("exec sleep 1000")), silent), "");
  const auto ended = guard.start(shell("exit 7"));
  end_of(guard, ended);
  EXPECT_EQ(guard.fault(ended, silent), "it ended with exit code 7");
  EXPECT_EQ(guard.fault(ended, [] { return "no card"; }), "it ended with exit code 7 (no card)");
}

TEST(GuardProcess, ALogTakesWhatAProgramSays) {
  std::string directory = (std::filesystem::temp_directory_path() / "guard.XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  GuardProcess guard;
  auto start = shell("pwd; echo $WORD >&2");
  start.log = directory + "/log";
  start.directory = directory;
  start.environment = {"WORD=said"};
  EXPECT_EQ(end_of(guard, guard.start(start)).exit_code, 0);
  std::ifstream log(start.log);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(log), {}), directory + "\nsaid\n");
  std::filesystem::remove_all(directory);
}

TEST(GuardProcess, AProgramIsOrdinaryWhateverItsStarterIs) {
  const auto result = test::run_in_child([] {
    ::signal(SIGTERM, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t some;
    ::sigemptyset(&some);
    ::sigaddset(&some, SIGHUP);
    ::sigprocmask(SIG_BLOCK, &some, nullptr);
    const sched_param fifo{1};
    ::sched_setscheduler(0, SCHED_FIFO, &fifo);
    GuardProcess guard;
    auto start = shell(
        "grep Sig.gn /proc/self/status; grep SigBlk /proc/self/status; "
        "sed 's/.*) //' /proc/self/stat | cut -d ' ' -f 39; cat /proc/self/oom_score_adj; ls /proc/self/fd");
    start.oom_score_adj = 900;
    return output_of(guard, start);
  });
  // ls has the directory itself open.
  EXPECT_EQ(result.text, "SigIgn:\t0000000000000000\nSigBlk:\t0000000000000000\n0\n900\n0\n1\n2\n3\n");
}

TEST(GuardProcess, WhatCannotBeStartedIsSaid) {
  GuardProcess guard;
  ProgramStart start;
  start.argv = {"no-such-program-anywhere"};
  try {
    guard.start(start);
    FAIL() << "started";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
    EXPECT_THAT(error.what(), HasSubstr("no-such-program-anywhere: No such file or directory"));
  }
  start.argv = {"true", std::string(100'000, 'x')};
  EXPECT_THROW(guard.start(start), Error);
  start.argv = {"true"};
  EXPECT_EQ(end_of(guard, guard.start(start)).exit_code, 0) << "it must still be of use";
}

TEST(GuardProcess, StopEndsAProgramByItsOwnHandler) {
  GuardProcess guard;
  Pipe output;
  auto start = shell("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.01; done");
  start.out = output.writes.get();
  start.patience = 20s;
  const auto program = guard.start(start);
  output.writes.reset();
  char ready[6];
  ASSERT_EQ(::read(output.reads.get(), ready, 6), 6);
  const auto state = guard.stop(program);
  EXPECT_FALSE(state.alive);
  EXPECT_EQ(state.exit_code, 5);
  EXPECT_EQ(test::read_to_end(output.reads.release()), "bye\n");
}

TEST(GuardProcess, StopLeavesNothingOfAProgramAndAllOfTheOthers) {
  GuardProcess guard;
  const auto other = guard.start(shell("sleep 1000"));
  Pipe output;
  auto start = shell("trap '' TERM; setsid sh -c 'echo $$; sleep 1000' & sleep 1000");
  start.out = output.writes.get();
  start.patience = 50ms;
  const auto program = guard.start(start);
  output.writes.reset();
  char text[32] = {};
  ASSERT_GT(::read(output.reads.get(), text, sizeof text - 1), 0);
  const auto state = guard.stop(program);
  EXPECT_FALSE(state.alive);
  EXPECT_EQ(state.exit_code, 128 + SIGKILL);
  EXPECT_TRUE(is_gone(static_cast<pid_t>(std::stol(text)))) << "of a session of its own";
  EXPECT_TRUE(guard.state(other).alive);
}

TEST(GuardProcess, WhatAProgramLeavesEndsWithIt) {
  GuardProcess guard;
  Pipe input;
  Pipe output;
  auto start = shell("setsid sh -c 'echo $$; sleep 1000' & read word; exit 3");
  start.in = input.reads.get();
  start.out = output.writes.get();
  const auto program = guard.start(start);
  char left[32] = {};
  ASSERT_GT(::read(output.reads.get(), left, sizeof left - 1), 0);
  ASSERT_EQ(::write(input.writes.get(), "go\n", 3), 3);
  EXPECT_EQ(end_of(guard, program).exit_code, 3);
  EXPECT_TRUE(is_gone(static_cast<pid_t>(std::stol(left))));
}

TEST(GuardProcess, NothingOutlivesAStarterThatIsKilled) {
  std::string directory = (std::filesystem::temp_directory_path() / "guard.XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  std::ofstream(directory + "/file") << "x";
  Pipe output;
  const auto result = test::run_in_child([&]() -> std::string {
    GuardProcess guard;
    guard.remove_at_end(directory);
    // Children in sessions of their own, and one whose parent has gone: as fio's workers are.
    auto start = shell(
        "tell='printf %9d\\n'; export tell; setsid sh -c '$tell $$; sleep 1000' & "
        "(setsid sh -c '$tell $$; sleep 1000' &); $tell $$; wait");
    start.out = output.writes.get();
    guard.start(start);
    comes_true([&] {
      int bytes = 0;
      return ::ioctl(output.reads.get(), FIONREAD, &bytes) == 0 && bytes == 3 * 10;
    });
    ::kill(::getpid(), SIGKILL);
    return {};
  });
  EXPECT_EQ(result.exit_code, 128 + SIGKILL);
  output.writes.reset();
  // Ends when the last of them has gone: they all hold the other end.
  std::istringstream said(test::read_to_end(output.reads.release()));
  int count = 0;
  for (pid_t process = 0; said >> process; ++count) {
    EXPECT_TRUE(comes_true([process] { return is_gone(process); })) << process;
  }
  EXPECT_EQ(count, 3);
  EXPECT_TRUE(comes_true([&] { return !std::filesystem::exists(directory); }));
}

TEST(GuardProcess, AGuardThatIsKilledIsAnErrorAndItsProgramsEnd) {
  GuardProcess guard;
  Pipe output;
  auto start = shell("echo ready; exec sleep 1000");
  start.out = output.writes.get();
  const auto program = guard.start(start);
  output.writes.reset();
  std::ifstream stat("/proc/" + std::to_string(guard.top(program)) + "/stat");
  std::string pid;
  std::string name;
  std::string state;
  pid_t parent = 0;
  ASSERT_TRUE(stat >> pid >> name >> state >> parent);
  ASSERT_EQ(name, "(xrunlab-keeper)");
  char ready[6];
  ASSERT_EQ(::read(output.reads.get(), ready, 6), 6);
  ::kill(parent, SIGKILL);
  EXPECT_EQ(test::read_to_end(output.reads.release()), "") << "ends when the program has";
  EXPECT_THROW(guard.state(program), Error);
  EXPECT_THROW(guard.stop(program), Error) << "again";
  EXPECT_NE(guard.fault(program, [] { return "nothing"; }).find("guard process"), std::string::npos);
}

TEST(GuardProcess, WhatAKilledProgramHasInSharedMemoryIsRemoved) {
  const std::string name = "/dev/shm/xrunlab-test-" + std::to_string(::getpid());
  {
    GuardProcess guard;
    guard.start(shell("exec 9>" + name + "; exec sleep 1000"));
    ASSERT_TRUE(comes_true([&] { return std::filesystem::exists(name); }));
  }
  EXPECT_FALSE(std::filesystem::exists(name));
}

TEST(GuardProcess, EverythingEndsWithTheObject) {
  Pipe output;
  {
    GuardProcess guard;
    auto start = shell("echo ready; exec sleep 1000");
    start.out = output.writes.get();
    guard.start(start);
    output.writes.reset();
  }
  // Would wait for as long as the program has the other end.
  const std::string said = test::read_to_end(output.reads.release());
  EXPECT_TRUE(said.empty() || said == "ready\n") << said;
}

}  // namespace
}  // namespace xrunlab
