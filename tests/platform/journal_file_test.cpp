#include "xrunlab/platform/journal_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

class JournalFiles : public testing::Test {
 protected:
  std::string directory() const { return tree_.directory() + "/deep/below/xrunlab"; }
  std::vector<JournalOnDisk> on_disk() const { return journals_on_disk({directory()}); }
  test::FakeTree tree_;
};

TEST_F(JournalFiles, AreLockedWhileTheirOwnerLivesAndStayBehind) {
  std::string path;
  {
    JournalFile journal(directory(), "one\n");
    journal.append("two\n");
    path = journal.path();
    ASSERT_EQ(on_disk().size(), 1u);
    EXPECT_EQ(on_disk()[0].owner, JournalOwner::alive);
    EXPECT_FALSE(take_journal(path).lock);
    EXPECT_EQ(read_journal(path), "one\ntwo\n");
  }
  ASSERT_EQ(on_disk().size(), 1u);
  EXPECT_EQ(on_disk()[0].owner, JournalOwner::gone);
  const TakenJournal taken = take_journal(path);
  EXPECT_TRUE(taken.lock);
  EXPECT_EQ(taken.text, "one\ntwo\n");
}

TEST_F(JournalFiles, AreWholeWhenTheDiskIsFull) {
  const auto child = test::run_in_child([this] {
    JournalFile journal(directory(), "one\n");
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit eight_bytes{8, 8};
    ::setrlimit(RLIMIT_FSIZE, &eight_bytes);
    try {
      journal.append("two and more\n");
      return std::string("written");
    } catch (const Error&) {
      return read_journal(journal.path());
    }
  });
  EXPECT_EQ(child.text, "one\n");
}

TEST_F(JournalFiles, OneThatIsThereIsNotOverwritten) {
  { const JournalFile left(directory(), "left\n"); }
  JournalFile second(directory(), "second\n");
  EXPECT_EQ(on_disk().size(), 2u);
  second.remove();
  ASSERT_EQ(on_disk().size(), 1u);
  EXPECT_EQ(read_journal(on_disk()[0].path), "left\n");
}

TEST_F(JournalFiles, WhatWasNeverFinishedIsRemoved) {
  tree_.file("/deep/below/xrunlab/settings-1.unfinished", "half");
  fs::permissions(directory(), fs::perms::owner_all);
  EXPECT_EQ(on_disk().size(), 0u) << "nothing had been changed by it";
  const JournalFile journal(directory(), "one\n");
  EXPECT_FALSE(fs::exists(directory() + "/settings-1.unfinished"));
}

TEST_F(JournalFiles, ADirectoryThatOthersMayWriteToIsRefused) {
  fs::create_directories(directory());
  fs::permissions(directory(), fs::perms::all);
  EXPECT_THROW(JournalFile(directory(), "x\n"), Error);
  fs::permissions(directory(), fs::perms::owner_all);
  fs::create_directory_symlink(directory(), tree_.directory() + "/link");
  EXPECT_THROW(JournalFile(tree_.directory() + "/link", "x\n"), Error);
  EXPECT_NO_THROW(JournalFile(directory(), "x\n"));
}

TEST_F(JournalFiles, LieWhereTheEnvironmentSays) {
  const auto child = test::run_in_child([this] {
    ::setenv("XDG_STATE_HOME", "/state", 1);
    ::setenv("HOME", "/home/a", 1);
    std::string found = default_journal_directory(tree_.root());
    for (const auto& one : journal_directories(tree_.root())) found += " " + one;
    ::setenv("XDG_STATE_HOME", "relative/is/ignored", 1);
    return found + " " + default_journal_directory(tree_.root());
  });
  const std::string of_system = tree_.directory() + "/var/lib/xrunlab";
  const bool root = ::geteuid() == 0;
  const std::string others =
      root ? of_system + " /home/a/.local/state/xrunlab" : "/home/a/.local/state/xrunlab " + of_system;
  EXPECT_EQ(child.text, "/state/xrunlab /state/xrunlab " + others + " " + others.substr(0, others.find(' ')));
}

TEST_F(JournalFiles, AnOwnerIsLockedOnce) {
  tree_.file("/sys/class/block/sda/queue/scheduler", "none\n");
  const SettingOwner sda{SettingArea::queue, "sda"};
  {
    const UniqueFd lock = lock_owner(sda, tree_.root());
    EXPECT_THROW(lock_owner(sda, tree_.root()), Error);
  }
  EXPECT_NO_THROW(lock_owner(sda, tree_.root()));
  EXPECT_THROW(lock_owner({SettingArea::queue, "sdb"}, tree_.root()), Error) << "there is none";
  EXPECT_THROW(lock_owner({SettingArea::queue, "../sda"}, tree_.root()), Error);
}

}  // namespace
}  // namespace xrunlab
