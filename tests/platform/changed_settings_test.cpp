#include "xrunlab/platform/changed_settings.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/platform/changing_settings.hpp"
#include "tests/platform/child_process.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/settings_journal.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;
using test::Changing;
using test::Combination;
using test::kMany;
using test::run_in_child;

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
    EXPECT_STREQ(error.what(), "sda has no iosched.slice_idle: its scheduler is mq-deadline");
    EXPECT_EQ(error.remedy(), "whose settings are fifo_batch, read_expire, write_expire");
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

/// The kernel frees a dying process's locks one after the other: the disk's may be free before the journal's.
TEST_F(Changing, WhoIsAboutToEndIsNotOvertaken) {
  const SettingOwner sda{SettingArea::queue, "sda"};
  const JournalFile journal(journal_directory(), journal_head({"11111111-2222", 1, "now", {}, {}, {}}) +
                                                     journal_line(identify(sda, tree_.root())));
  EXPECT_EQ(journals_on_disk({journal_directory()}).at(0).owner, JournalOwner::alive);
  ChangedSettings settings = make();
  EXPECT_THROW(settings.claim(Combination{{"nr_requests", "64"}}), Error);
  EXPECT_NO_THROW(settings.apply(Combination{{"vm.swappiness", "6"}}));
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

TEST_F(Changing, WhatCannotBeReadIsNotChanged) {
  write("/sys/class/block/sda/queue/wbt_lat_usec", "one\ntwo\n");
  ChangedSettings settings = make();
  try {
    settings.apply(Combination{{"nr_requests", "64"}, {"wbt_lat_usec", "0"}});
    FAIL() << "changed";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "sda wbt_lat_usec cannot be read, so it could not be put back");
  }
  EXPECT_EQ(queue("wbt_lat_usec"), "one\ntwo");
  EXPECT_EQ(queue("nr_requests"), "62");
}

TEST_F(Changing, ASchedulerThatIsPassedOverInSilenceIsRefused) {
  write("/sys/class/block/sda/queue/scheduler", "none\n");
  ChangedSettings settings = make();
  EXPECT_THROW(settings.apply(Combination{{"scheduler", "bfq"}}), Error);
}

TEST_F(Changing, GovernorsAndFileSystemsOfTheirOwn) {
  for (const char* const policy : {"policy0", "policy4"}) {
    const std::string directory = "/sys/devices/system/cpu/cpufreq/" + std::string(policy);
    write(directory + "/scaling_governor", "schedutil\n");
    write(directory + "/scaling_available_governors", "performance schedutil\n");
  }
  write("/sys/class/bdi/btrfs-1/read_ahead_kb", "4096\n");
  before_ = all_values();
  ChangedSettings settings({{}, {"/sys/class/bdi/btrfs-1/read_ahead_kb"}, ""},
                           std::make_unique<test::KernelOnTree>(tree_.root()), journal_directory());
  const auto granted = settings.apply(Combination{{"governor", "performance"}, {"read_ahead_kb", "64"}});
  EXPECT_EQ(granted.size(), 3u) << "each policy is one";
  EXPECT_EQ(read("/sys/devices/system/cpu/cpufreq/policy4/scaling_governor"), "performance");
  EXPECT_EQ(read("/sys/class/bdi/btrfs-1/read_ahead_kb"), "64");
  EXPECT_EQ(settings.restore(), std::vector<std::string>{});
  EXPECT_EQ(all_values(), before_);
  EXPECT_THROW(settings.apply(Combination{{"nr_requests", "64"}}), Error) << "there is no disk";
}

TEST_F(Changing, NoPathFromOutsideIsFollowed) {
  for (const char* const path :
       {"/sys/class/block/../../../etc/read_ahead_kb", "/etc/passwd",
        "/sys/class/block/../x/queue/read_ahead_kb", "/sys/class/bdi//read_ahead_kb"}) {
    ChangedSettings settings({{"../sda"}, {path}, ""}, std::make_unique<test::KernelOnTree>(tree_.root()),
                             journal_directory());
    EXPECT_THROW(settings.apply(Combination{{"read_ahead_kb", "64"}}), Error) << path;
    EXPECT_THROW(settings.apply(Combination{{"nr_requests", "64"}}), Error);
  }
  EXPECT_EQ(all_values(), before_);
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
