#include "xrunlab/platform/settings_journal.hpp"

#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

SettingsJournal example() {
  SettingsJournal journal{"0a1b-2c", 4711, "2026-11-30T18:00:00Z", {}, {}, {}};
  const SettingOwner disk{SettingArea::queue, "cciss!c0d0"};
  journal.owners = {{disk, "12", "4096 SERIAL"}, {{SettingArea::vm, ""}, "", ""}};
  journal.found = {{{disk, "", "scheduler"}, "mq-deadline"},
                   {{disk, "mq-deadline", "read_expire"}, "500"},
                   {{disk, "", "write_cache"}, "write back"},
                   {{{SettingArea::vm, ""}, "", "dirty_bytes"}, "0"}};
  journal.set = {{{disk, "", "scheduler"}, "bfq"}};
  return journal;
}

std::string text_of_example() {
  const SettingsJournal journal = example();
  std::string text = journal_head(journal);
  for (const auto& owner : journal.owners) text += journal_line(owner);
  for (const auto& record : journal.found) text += journal_line(RecordKind::found, record);
  for (const auto& record : journal.set) text += journal_line(RecordKind::set, record);
  return text;
}

std::string refusal_of_journal(const std::string& text) {
  try {
    parse_journal(text, "x.journal");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
    return error.what();
  }
  return "taken";
}

TEST(SettingsJournal, ComesBackAsItWasWritten) {
  const SettingsJournal read = parse_journal(text_of_example(), "x.journal");
  EXPECT_EQ(read.boot_id, "0a1b-2c");
  EXPECT_EQ(read.pid, 4711);
  EXPECT_EQ(read.begun, "2026-11-30T18:00:00Z");
  EXPECT_EQ(read.owners, example().owners);
  EXPECT_EQ(read.found, example().found);
  EXPECT_EQ(read.set, example().set);
}

TEST(SettingsJournal, ALineThatWasCutOffIsLeftOut) {
  const std::string text = text_of_example();
  for (std::size_t length = journal_head(example()).size(); length <= text.size(); ++length) {
    const SettingsJournal read = parse_journal(text.substr(0, length), "x.journal");
    const std::size_t lines = read.owners.size() + read.found.size() + read.set.size();
    const auto whole = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length), '\n');
    EXPECT_EQ(lines, static_cast<std::size_t>(whole) - 4);
  }
}

TEST(SettingsJournal, ATabInAValueIsNoField) {
  const SettingRecord record{{{SettingArea::vm, ""}, "", "swappiness"}, "6\t0\n"};
  const SettingsJournal read =
      parse_journal(journal_head(example()) + journal_line(RecordKind::found, record), "x");
  ASSERT_EQ(read.found.size(), 1u);
  EXPECT_EQ(read.found[0].value, "6 0 ");
}

TEST(SettingsJournal, NothingElseIsBelieved) {
  EXPECT_EQ(refusal_of_journal(""), "x.journal is no journal of changed settings: line 1 is missing");
  EXPECT_NE(refusal_of_journal("RIFF\n").find("line 1 is not"), std::string::npos);
  const std::string head = journal_head(example());
  for (const char* const line :
       {"found\tqueue\t..\t\tscheduler\tnone\n", "found\tqueue\t.\t\tscheduler\tnone\n",
        "found\tqueue\ta/b\t\tscheduler\tnone\n", "found\tqueue\tsda\t\t../x\tnone\n",
        "found\tqueue\tsda\t..\tread_expire\t1\n", "found\tvm\t\tbfq\tdirty_bytes\t1\n",
        "found\tvm\tsda\t\tdirty_bytes\t1\n", "found\tdevice\tsda\t\tscheduler\tnone\n",
        "found\tqueue\tsda\n", "owner\tqueue\t\t1\t2\n", "pid\tfirst\n", "pid\t0\n", "\n"}) {
    EXPECT_NE(refusal_of_journal(head + line).find("line 5 "), std::string::npos) << line;
  }
}

TEST(SettingsJournal, ADiskIsKnownByItsSequenceOrItsHardware) {
  test::FakeTree tree;
  tree.file("/sys/class/block/sda/diskseq", "5\n").file("/sys/class/block/sda/size", "99\n");
  tree.file("/sys/class/block/sda/device/wwid", "naa.5000\n");
  const SettingOwner sda{SettingArea::queue, "sda"};
  const OwnerIdentity then = identify(sda, tree.root());
  EXPECT_EQ(then, (OwnerIdentity{sda, "5", "99 naa.5000"}));
  EXPECT_TRUE(is_same_device(then, identify(sda, tree.root())));
  tree.file("/sys/class/block/sda/diskseq", "6\n");
  EXPECT_FALSE(is_same_device(then, identify(sda, tree.root())));
  const OwnerIdentity old_kernel{sda, "", "99 naa.5000"};
  EXPECT_TRUE(is_same_device(old_kernel, identify(sda, tree.root())));
  tree.file("/sys/class/block/sda/size", "100\n");
  EXPECT_FALSE(is_same_device(old_kernel, identify(sda, tree.root())));
}

}  // namespace
}  // namespace xrunlab
