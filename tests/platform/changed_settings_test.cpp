#include "xrunlab/platform/changed_settings.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <optional>

#include "tests/platform/child_process.hpp"
#include "tests/platform/kernel_on_tree.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/left_settings.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;
using test::KernelOnTree;
using test::run_in_child;

using Combination = std::vector<SettingValue>;

/// A disk with a tuned scheduler, tuned requests and the vm settings, in every file's value.
class Changing : public testing::Test {
 protected:
  Changing() {
    test::add_disk(tree_, "sda");
    test::add_vm(tree_);
    tree_.file("/proc/sys/kernel/random/boot_id", "11111111-2222\n");
    write("/sys/class/block/sda/queue/iosched/read_expire", "120\n");
    write("/sys/class/block/sda/queue/nr_requests", "62\n");
    before_ = all_values();
  }

  void write(const std::string& path, const std::string& text) { tree_.file(path, text); }
  std::string read(const std::string& path) const { return tree_.root().read(path).value_or("missing"); }
  std::string queue(const std::string& name) const { return read("/sys/class/block/sda/queue/" + name); }
  std::string journal_directory() const { return tree_.directory() + "/state/xrunlab"; }
  int journals() const {
    std::error_code error;
    fs::directory_iterator entry(journal_directory(), error);
    return error ? 0 : static_cast<int>(std::distance(entry, fs::directory_iterator()));
  }

  /// Every file of the tree but the journals: what must be the same afterwards.
  std::map<std::string, std::string> all_values() const {
    std::map<std::string, std::string> values;
    for (const char* const top : {"/sys", "/proc"}) {
      for (const auto& entry : fs::recursive_directory_iterator(tree_.directory() + top)) {
        if (!entry.is_regular_file()) continue;
        const std::string path = entry.path().string().substr(tree_.directory().size());
        values[path] = read(path);
      }
    }
    return values;
  }

  SettingTargets targets() const { return {{"sda"}, {"/sys/class/block/sda/queue/read_ahead_kb"}, ""}; }
  ChangedSettings make(int killed_at = -1) {
    auto kernel = std::make_unique<KernelOnTree>(tree_.root());
    kernel->killed_at = killed_at;
    return ChangedSettings(targets(), std::move(kernel), journal_directory());
  }
  std::vector<RestoreReport> restore_left(RestoreMode mode = RestoreMode::put_back) {
    KernelOnTree kernel(tree_.root());
    return restore_left_settings(kernel, {journal_directory()}, mode);
  }

  test::FakeTree tree_;
  std::map<std::string, std::string> before_;
};

const Combination kMany{{"scheduler", "bfq"},
                        {"iosched.slice_idle", "0"},
                        {"nr_requests", "64"},
                        {"read_ahead_kb", "512"},
                        {"max_sectors_kb", "256"},
                        {"vm.dirty_bytes", "1048576"},
                        {"vm.dirty_background_ratio", "3"},
                        {"vm.swappiness", "10"}};

TEST_F(Changing, SetsAllAndPutsAllBack) {
  {
    ChangedSettings settings = make();
    settings.apply(kMany);
    EXPECT_EQ(queue("scheduler"), "none mq-deadline kyber [bfq]");
    EXPECT_EQ(queue("iosched/slice_idle"), "0");
    EXPECT_EQ(queue("nr_requests"), "64");
    EXPECT_EQ(queue("read_ahead_kb"), "512");
    EXPECT_EQ(read("/proc/sys/vm/dirty_bytes"), "1048576");
    EXPECT_EQ(read("/proc/sys/vm/dirty_ratio"), "0");
    EXPECT_EQ(journals(), 1);
    EXPECT_EQ(settings.restore(), std::vector<std::string>{});
    EXPECT_EQ(all_values(), before_);
    EXPECT_EQ(journals(), 0);
  }
  EXPECT_EQ(all_values(), before_);
}

TEST_F(Changing, EachCombinationBeginsWithWhatWasFound) {
  ChangedSettings settings = make();
  settings.apply(kMany);
  settings.apply(Combination{{"read_ahead_kb", "16"}});
  EXPECT_EQ(queue("read_ahead_kb"), "16");
  EXPECT_EQ(queue("scheduler"), "none [mq-deadline] kyber bfq");
  EXPECT_EQ(queue("iosched/read_expire"), "120") << "was tuned before";
  EXPECT_EQ(queue("nr_requests"), "62");
  EXPECT_EQ(read("/proc/sys/vm/dirty_ratio"), "20");
  settings.apply(Combination{{"scheduler", "kyber"}});
  EXPECT_EQ(queue("read_ahead_kb"), "128");
  EXPECT_EQ(queue("nr_requests"), "256") << "this one goes with the scheduler";
}

TEST_F(Changing, TellsWhatTheKernelMadeOfIt) {
  ChangedSettings settings = make();
  const auto granted = settings.apply(Combination{{"read_ahead_kb", "129"}, {"nr_requests", "1"}});
  ASSERT_EQ(granted.size(), 2u);
  for (const GrantedSetting& one : granted) {
    EXPECT_EQ(one.target, "sda");
    EXPECT_EQ(one.granted, one.key == "nr_requests" ? "4" : "128");
  }
}

TEST_F(Changing, ARefusedValueNamesTheChoicesAndLeavesNothing) {
  ChangedSettings settings = make();
  try {
    settings.apply(Combination{{"read_ahead_kb", "512"}, {"scheduler", "anticipated"}});
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
    EXPECT_EQ(std::string(error.what()), "sda does not take scheduler=anticipated: Invalid argument");
    EXPECT_EQ(error.remedy(), "it offers none, mq-deadline, kyber, bfq; it is mq-deadline now");
  }
  try {
    settings.apply(Combination{{"scheduler", "kyber"}, {"max_sectors_kb", "4096"}});
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_NE(error.remedy().find("max_hw_sectors_kb, 1280"), std::string::npos) << error.remedy();
  }
  try {
    settings.apply(Combination{{"iosched.slice_idle", "0"}});
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), "the settings of mq-deadline are fifo_batch, read_expire, write_expire");
  }
  EXPECT_EQ(all_values(), before_);
}

TEST_F(Changing, AHalfThatWasInForceComesBack) {
  write("/proc/sys/vm/dirty_ratio", "0\n");
  write("/proc/sys/vm/dirty_bytes", "8388608\n");
  write("/proc/sys/vm/dirty_background_ratio", "0\n");  // switched off in both ways
  before_ = all_values();
  ChangedSettings settings = make();
  settings.apply(Combination{{"vm.dirty_ratio", "40"}, {"vm.dirty_background_bytes", "4096"}});
  EXPECT_EQ(read("/proc/sys/vm/dirty_bytes"), "0");
  EXPECT_EQ(settings.restore(), std::vector<std::string>{});
  EXPECT_EQ(all_values(), before_);
}

TEST_F(Changing, WhatWasJournalledIsEverythingAndPrivate) {
  ChangedSettings settings = make();
  settings.claim(Combination{{"nr_requests", "64"}});
  const std::string path = fs::directory_iterator(journal_directory())->path();
  struct stat status {};
  ASSERT_EQ(::stat(journal_directory().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0700u);
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
  const std::string text = tree_.root().read(path.substr(tree_.directory().size())).value_or("");
  for (const char* const line :
       {"found\tqueue\tsda\t\tscheduler\tmq-deadline\n", "found\tqueue\tsda\tmq-deadline\tread_expire\t120\n",
        "found\tqueue\tsda\t\twrite_cache\twrite back\n", "boot\t11111111-2222\n"}) {
    EXPECT_NE((text + "\n").find(line), std::string::npos) << line << text;
  }
  EXPECT_EQ(text.find("max_hw_sectors_kb"), std::string::npos) << "no setting";
  EXPECT_EQ(all_values(), before_) << "nothing is changed by a claim";
}

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
  for (const int number : {SIGABRT, SIGSEGV}) {
    const auto dead = run_in_child([&] {
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

TEST_F(Changing, WhatIsLeftChangedIsRefusedUntilItIsRestored) {
  run_in_child([&] {
    ChangedSettings settings = make();
    settings.apply(kMany);
    ::_exit(9);
    return std::string();
  });
  ChangedSettings settings = make();
  try {
    settings.claim(Combination{{"nr_requests", "64"}});
    FAIL() << "claimed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("settings of sda are left changed by process"),
              std::string::npos);
    EXPECT_EQ(error.remedy(), "xrunlab restore puts them back");
  }
  restore_left();
  EXPECT_NO_THROW(settings.claim(Combination{{"nr_requests", "64"}}));
}

TEST_F(Changing, WhatCannotBeChangedIsSaidBeforeAnythingIs) {
  ChangedSettings settings = make();
  fs::remove(tree_.directory() + "/sys/class/block/sda/queue/rq_affinity");
  try {
    settings.apply(Combination{{"nr_requests", "64"}, {"rq_affinity", "2"}});
    FAIL() << "changed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot change sda rq_affinity"), std::string::npos);
  }
  EXPECT_EQ(queue("nr_requests"), "62");
  EXPECT_EQ(journals(), 0);
  EXPECT_THROW(settings.apply(Combination{{"governor", "performance"}}), Error) << "no cpufreq here";
}

TEST_F(Changing, ADiskThatIsGoneIsNoFault) {
  ChangedSettings settings = make();
  settings.apply(Combination{{"nr_requests", "64"}, {"vm.swappiness", "10"}});
  write("/sys/class/block/sda/diskseq", "8\n");  // another one under the same name
  const auto lines = settings.restore();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "sda is gone, or another device now: nothing of it was put back");
  EXPECT_EQ(read("/proc/sys/vm/swappiness"), "60");
  EXPECT_EQ(queue("nr_requests"), "64") << "it is not ours";
  EXPECT_EQ(journals(), 0);
}

}  // namespace
}  // namespace xrunlab
