#include "xrunlab/platform/left_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/platform/kernel_on_tree.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/journal_file.hpp"
#include "xrunlab/platform/settings_journal.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A run on sda has set bfq and 64 requests, and is gone; what it has found stands in its journal.
class LeftSettings : public testing::Test {
 protected:
  LeftSettings() : kernel_(tree_.root()) {
    test::add_disk(tree_, "sda");
    tree_.file("/proc/sys/kernel/random/boot_id", "this-boot\n");
  }

  void leave(const std::string& boot, const std::string& sequence = "7",
             const std::string& hardware = "131072") {
    const SettingOwner sda{SettingArea::queue, "sda"};
    std::string text = journal_head({boot, 12, "2026-11-30T18:00:00Z", {}, {}, {}});
    text += journal_line(OwnerIdentity{sda, sequence, hardware});
    for (const auto& record : kernel_.snapshot(sda)) text += journal_line(RecordKind::found, record);
    text += journal_line(RecordKind::set, {{sda, "", "scheduler"}, "bfq"});
    text += journal_line(RecordKind::set, {{sda, "", "nr_requests"}, "64"});
    JournalFile(directory(), text);
    kernel_.write({sda, "", "scheduler"}, "bfq");
    kernel_.write({sda, "", "nr_requests"}, "64");
  }
  std::string directory() const { return tree_.directory() + "/state"; }
  std::string queue(const std::string& name) const {
    return tree_.root().read("/sys/class/block/sda/queue/" + name).value_or("");
  }
  RestoreReport restore(RestoreMode mode = RestoreMode::put_back) {
    const auto reports = restore_left_settings(kernel_, {directory()}, mode);
    EXPECT_EQ(reports.size(), 1u);
    return reports.empty() ? RestoreReport{} : reports.front();
  }
  bool is_left() const { return !journals_on_disk({directory()}).empty(); }

  test::FakeTree tree_;
  test::KernelOnTree kernel_;
};

TEST_F(LeftSettings, ArePutBackInTheSameBoot) {
  leave("this-boot");
  EXPECT_THAT(restore(RestoreMode::look).lines,
              ElementsAre("sda scheduler is bfq, was mq-deadline", "sda nr_requests is 64, was 256"));
  EXPECT_TRUE(is_left());
  const auto report = restore();
  EXPECT_EQ(report.outcome, RestoreOutcome::put_back);
  EXPECT_EQ(report.what, "sda: changed by process 12 at 2026-11-30T18:00:00Z");
  EXPECT_EQ(queue("scheduler"), "none [mq-deadline] kyber bfq");
  EXPECT_EQ(queue("nr_requests"), "256");
  EXPECT_FALSE(is_left());
}

TEST_F(LeftSettings, OfAnotherDiskUnderTheSameNameAreLeftAlone) {
  leave("this-boot", "6");
  const auto report = restore();
  EXPECT_EQ(report.outcome, RestoreOutcome::put_back);
  EXPECT_THAT(report.lines, ElementsAre("sda is gone, or another device now: nothing to put back"));
  EXPECT_EQ(queue("nr_requests"), "64");
  EXPECT_FALSE(is_left());
}

TEST_F(LeftSettings, AfterARebootNothingIsWritten) {
  leave("last-boot");
  const int writes = kernel_.writes;
  const auto report = restore();
  EXPECT_EQ(report.outcome, RestoreOutcome::undone_by_reboot);
  EXPECT_THAT(report.lines.front(), HasSubstr("booted since"));
  EXPECT_EQ(kernel_.writes, writes);
  EXPECT_FALSE(is_left());
}

TEST_F(LeftSettings, AfterARebootWhatWasTunedBeforeIsNamed) {
  tree_.file("/sys/class/block/sda/queue/read_ahead_kb", "4096\n");
  leave("last-boot");
  kernel_.write({{SettingArea::queue, "sda"}, "", "scheduler"}, "mq-deadline");
  tree_.file("/sys/class/block/sda/queue/read_ahead_kb", "128\n");
  const auto report = restore();
  EXPECT_THAT(report.lines,
              ElementsAre(HasSubstr("booted since"),
                          "sda scheduler was mq-deadline, bfq was set: the reboot has undone it",
                          "sda nr_requests was 256, 64 was set: the reboot has undone it",
                          "sda read_ahead_kb was 4096; since the reboot it is 128: `echo 4096 "
                          ">/sys/class/block/sda/queue/read_ahead_kb` makes it what it was before the run"));
}

TEST_F(LeftSettings, AfterARebootAnotherDiskMayHaveTheName) {
  leave("last-boot", "7", "999 OTHER");
  EXPECT_THAT(restore().lines,
              ElementsAre(HasSubstr("booted since"), "sda is gone, or another device since the reboot"));
}

TEST_F(LeftSettings, CanBeForgotten) {
  leave("this-boot");
  restore(RestoreMode::forget);
  EXPECT_EQ(queue("nr_requests"), "64");
  EXPECT_FALSE(is_left());
}

TEST_F(LeftSettings, WaitForWhoHoldsTheDisk) {
  leave("this-boot");
  const UniqueFd held = lock_owner({SettingArea::queue, "sda"}, tree_.root());
  EXPECT_THROW(restore_left_settings(kernel_, {directory()}, RestoreMode::put_back), Error);
  EXPECT_TRUE(is_left());
}

}  // namespace
}  // namespace xrunlab
