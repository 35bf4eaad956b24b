// The other half of the tests of ChangedSettings: what ends a process that has changed something.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "tests/platform/changing_settings.hpp"
#include "tests/platform/child_process.hpp"
#include "xrunlab/platform/changed_settings.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {
namespace {

using test::Changing;
using test::Combination;
using test::KernelOnTree;
using test::kMany;
using test::run_in_child;

/// The process ends at each of its writes in turn; what it leaves is put back.
TEST_F(Changing, KilledAtAnyWriteItCanBePutBack) {
  int ends = 0;
  for (int killed_at = 1;; ++killed_at) {
    const auto child = run_in_child([&] {
      ChangedSettings settings = make(killed_at);
      settings.apply(kMany);
      settings.apply(Combination{{"scheduler", "none"}, {"nr_requests", "9"}, {"vm.dirty_ratio", "33"}});
      settings.restore();
      return std::string("done");
    });
    if (child.text == "done") break;
    ASSERT_EQ(child.exit_code, 99);
    ++ends;
    const auto reports = restore_left();
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].outcome, RestoreOutcome::put_back) << reports[0].what;
    ASSERT_EQ(all_values(), before_) << "killed at write " << killed_at;
    ASSERT_EQ(journals(), 0);
  }
  EXPECT_GT(ends, 15);
}

/// `restore` itself is killed at each of its writes, then run again.
TEST_F(Changing, RestoringCanBeKilledToo) {
  for (int killed_at = 1;; ++killed_at) {
    run_in_child([&] {
      ChangedSettings settings = make();
      settings.apply(kMany);
      ::_exit(9);
      return std::string();
    });
    const auto child = run_in_child([&] {
      KernelOnTree kernel(tree_.root());
      kernel.killed_at = killed_at;
      restore_left_settings(kernel, {journal_directory()}, RestoreMode::put_back);
      return std::string("done");
    });
    restore_left();
    ASSERT_EQ(all_values(), before_) << "killed at write " << killed_at;
    if (child.text == "done") break;
    ASSERT_LT(killed_at, 100);
  }
}

TEST_F(Changing, AbortAndCrashPutBackBeforeTheyEnd) {
  for (const int number : {SIGABRT, SIGSEGV, SIGQUIT}) {
    const auto dead = run_in_child([&] {
      ::signal(number, SIG_DFL);
      ChangedSettings settings(targets(), tree_.root(), journal_directory());
      settings.apply(Combination{{"nr_requests", "64"}, {"vm.swappiness", "10"}});
      if (queue("nr_requests") != "64") return std::string("not set");
      ::raise(number);
      return std::string("alive");
    });
    EXPECT_EQ(dead.exit_code, 128 + number);
    EXPECT_EQ(dead.text, "");
    EXPECT_EQ(queue("nr_requests"), "62");
    EXPECT_EQ(read("/proc/sys/vm/swappiness"), "60");
    EXPECT_EQ(journals(), 0) << "all is as it was: nothing to restore";
  }
}

TEST_F(Changing, AQuitThatIsIgnoredChangesNothing) {
  const auto child = run_in_child([&] {
    ::signal(SIGQUIT, SIG_IGN);
    ChangedSettings settings(targets(), tree_.root(), journal_directory());
    settings.apply(Combination{{"nr_requests", "64"}});
    ::raise(SIGQUIT);
    const std::string during = queue("nr_requests");
    settings.restore();
    return during;
  });
  EXPECT_EQ(child.text, "64");
  EXPECT_EQ(all_values(), before_);
}

TEST_F(Changing, ASecondInterruptPutsBack) {
  const auto child = run_in_child([&] {
    const Signals signals;
    ChangedSettings settings(targets(), tree_.root(), journal_directory());
    settings.apply(Combination{{"nr_requests", "64"}});
    ::raise(SIGINT);
    ::usleep(400'000);
    ::raise(SIGINT);
    return std::string("alive");
  });
  EXPECT_EQ(child.exit_code, 130);
  EXPECT_EQ(queue("nr_requests"), "62");
}

TEST_F(Changing, ADyingChildChangesNothing) {
  ChangedSettings settings(targets(), tree_.root(), journal_directory());
  settings.apply(Combination{{"nr_requests", "64"}});
  const auto child = run_in_child([] {
    ::raise(SIGABRT);
    return std::string();
  });
  EXPECT_EQ(child.exit_code, 128 + SIGABRT);
  EXPECT_EQ(queue("nr_requests"), "64");
}

/// A process that has changed settings and stays.
class Holder {
 public:
  template <typename Change>
  explicit Holder(Change change) {
    int ends[2];
    if (::pipe(ends) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      change();
      if (::write(ends[1], "x", 1) == 1) ::pause();
      ::_exit(0);
    }
    ::close(ends[1]);
    char ready = 0;
    changed_ = ::read(ends[0], &ready, 1) == 1;
    ::close(ends[0]);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { kill(); }

  bool changed() const { return changed_; }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_ = -1;
  bool changed_ = false;
};

TEST_F(Changing, TwoProcessesNeverChangeTheSameDisk) {
  std::optional<ChangedSettings> held;
  Holder holder([&] {
    held.emplace(targets(), tree_.root(), journal_directory());
    held->apply(Combination{{"nr_requests", "64"}});
  });
  ASSERT_TRUE(holder.changed());
  {
    ChangedSettings second(targets(), tree_.root(), tree_.directory() + "/elsewhere/xrunlab");
    try {
      second.apply(Combination{{"read_ahead_kb", "64"}});
      FAIL() << "changed";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "the settings of sda are being changed by another process");
    }
    second.apply(Combination{{"vm.swappiness", "5"}});
    EXPECT_EQ(read("/proc/sys/vm/swappiness"), "5") << "nobody else changes these";
  }
  const auto reports = restore_left();
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].outcome, RestoreOutcome::in_use);
  EXPECT_EQ(queue("nr_requests"), "64");
  holder.kill();
  EXPECT_EQ(restore_left().at(0).outcome, RestoreOutcome::put_back);
  EXPECT_EQ(all_values(), before_);
}

TEST_F(Changing, OneObjectAProcess) {
  ChangedSettings settings = make();
  EXPECT_THROW(make(), Error);
}

}  // namespace
}  // namespace xrunlab
