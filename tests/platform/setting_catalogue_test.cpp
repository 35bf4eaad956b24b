#include "xrunlab/platform/setting_catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ParsedSetting parsed(std::string_view text) {
  return parse_setting("--vary", text);
}

std::string refusal(std::string_view text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "taken";
}

TEST(SettingCatalogue, KnowsWhereEachLives) {
  EXPECT_EQ(place_of_setting("scheduler"), SettingPlace::queue);
  EXPECT_EQ(place_of_setting("nr_requests"), SettingPlace::queue);
  EXPECT_EQ(place_of_setting("read_ahead_kb"), SettingPlace::read_ahead);
  EXPECT_EQ(place_of_setting("iosched.read_expire"), SettingPlace::iosched);
  EXPECT_EQ(place_of_setting("vm.dirty_bytes"), SettingPlace::vm);
  EXPECT_EQ(place_of_setting("swappiness"), SettingPlace::vm);
  EXPECT_EQ(place_of_setting("governor"), SettingPlace::governor);
  EXPECT_EQ(place_of_setting("io-priority"), SettingPlace::play_option);
  for (const char* const other :
       {"ring", "", "iosched.", "iosched.../..", "iosched.a/b", "vm.", "vm.panic", "queue"}) {
    EXPECT_EQ(place_of_setting(other), std::nullopt) << other;
  }
}

TEST(SettingCatalogue, ReadsOneValueOrSeveral) {
  EXPECT_THAT(parsed("scheduler=none,mq-deadline,bfq").values, ElementsAre("none", "mq-deadline", "bfq"));
  EXPECT_THAT(parsed("scheduler=all").values, ElementsAre("all"));
  EXPECT_THAT(parsed("read_ahead_kb=128,0512").values, ElementsAre("128", "512"));
  EXPECT_THAT(parsed("wbt_lat_usec=-1,0").values, ElementsAre("-1", "0"));
  EXPECT_THAT(parsed("vm.dirty_bytes=16MiB").values, ElementsAre("16777216"));
  EXPECT_THAT(parsed("io-priority=none,rt:0").values, ElementsAre("none", "rt:0"));
  EXPECT_EQ(parsed("swappiness=10").key, "vm.swappiness");
  EXPECT_EQ(parsed("iosched.low_latency=0").key, "iosched.low_latency");
  EXPECT_THAT(parsed("scheduler=bfq").notes, IsEmpty());
}

TEST(SettingCatalogue, OldNamesAreMappedWithANote) {
  const auto old = parsed("scheduler=noop,deadline,cfq");
  EXPECT_THAT(old.values, ElementsAre("none", "mq-deadline", "bfq"));
  EXPECT_THAT(old.notes,
              ElementsAre(HasSubstr("noop is called none"), HasSubstr("mq-deadline"), HasSubstr("bfq")));
  const auto elvtune = parsed("read=250,500");
  EXPECT_EQ(elvtune.key, "iosched.read_expire");
  EXPECT_THAT(elvtune.values, ElementsAre("250", "500"));
  EXPECT_THAT(elvtune.notes, ElementsAre(HasSubstr("elvtune's read= counted")));
  EXPECT_EQ(parsed("write=8192").key, "iosched.write_expire");
}

TEST(SettingCatalogue, RefusesWhatNoKernelTakes) {
  EXPECT_THAT(refusal("read_ahead_kb=fast"), HasSubstr("--vary read_ahead_kb: 'fast' is not a whole number"));
  EXPECT_THAT(refusal("nomerges=3"), HasSubstr("from 0 to 2"));
  EXPECT_THAT(refusal("vm.dirty_ratio=101"), HasSubstr("from 0 to 100"));
  EXPECT_THAT(refusal("vm.dirty_bytes=0"), HasSubstr("takes no 0"));
  EXPECT_THAT(refusal("scheduler=../../etc"), HasSubstr("is no value of it"));
  EXPECT_THAT(refusal("scheduler=a b"), HasSubstr("is no value of it"));
  EXPECT_THAT(refusal("scheduler="), HasSubstr("is no value of it"));
  EXPECT_THAT(refusal("scheduler"), HasSubstr("no value"));
  EXPECT_THAT(refusal("scheduler=bfq,cfq"), HasSubstr("bfq is there twice"));
  EXPECT_THAT(refusal("scheduler=all,bfq"), HasSubstr("every scheduler"));
  EXPECT_THAT(refusal("scheduler=anticipatory"), HasSubstr("gone since Linux 2.6.33"));
  EXPECT_THAT(refusal("io-priority=first"), HasSubstr("not an I/O priority"));
  EXPECT_THAT(refusal("iosched.x=a\nb"), HasSubstr("is no value of it"));
}

TEST(SettingCatalogue, AllIsWhatEveryDiskOffers) {
  test::FakeTree tree;
  tree.file("/sys/class/block/sda/queue/scheduler", "none [mq-deadline] kyber bfq\n");
  tree.file("/sys/class/block/sdb/queue/scheduler", "bfq [none]\n");
  const std::vector<std::string> one{"sda"};
  const std::vector<std::string> two{"sda", "sdb"};
  const std::vector<std::string> none{"sdc"};
  EXPECT_THAT(scheduler_choices(one, tree.root()), ElementsAre("none", "mq-deadline", "kyber", "bfq"));
  EXPECT_THAT(scheduler_choices(two, tree.root()), ElementsAre("none", "bfq"));
  EXPECT_THROW(scheduler_choices(none, tree.root()), Error);
}

TEST(SettingCatalogue, TheTextNamesEveryKey) {
  for (const char* const key : {"scheduler:", "iosched.KEY:", "vm.swappiness:", "io-priority:"}) {
    EXPECT_THAT(setting_keys_text(), HasSubstr(key));
  }
}

}  // namespace
}  // namespace xrunlab
