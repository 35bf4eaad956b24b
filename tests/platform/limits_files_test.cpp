#include "xrunlab/platform/limits_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

class LimitsFiles : public testing::Test {
 protected:
  LimitsFiles() {
    tree_.file("/etc/group", "audio:x:29:me\n").file("/etc/passwd", "me:x:1000:1000::/home/me:/bin/sh\n");
  }
  /// What is wrong with one line of limits.conf, "" when nothing is.
  std::string flaw(const std::string& line) {
    tree_.file("/etc/security/limits.conf", line + "\n");
    const auto flaws = find_limits_flaws(read_limits_lines(tree_.root()), tree_.root());
    if (flaws.empty()) return "";
    EXPECT_EQ(flaws.front().place, "/etc/security/limits.conf:1");
    return flaws.front().what + " | " + flaws.front().mend;
  }
  test::FakeTree tree_;
};

TEST_F(LimitsFiles, WhatPamUnderstands) {
  for (const char* const line :
       {"", "# @audio - rtpio 95", "@audio - rtprio 95 # JACK", "@audio\t-\tmemlock\tunlimited",
        "* soft core 0", "me HARD NoFile 512", "@audio - nice -19", "me -", ":123 hard cpu 5000",
        "@500: soft cpu 10000", "@audio - memlock infinity", "unknown - nofile 10",
        "@audio - rtprio 95 more words"}) {
    EXPECT_EQ(flaw(line), "") << line;
  }
}

TEST_F(LimitsFiles, WhatItIgnores) {
  EXPECT_THAT(flaw("@audio - rtpio 95"), HasSubstr("'rtpio' is no limit | write rtprio"));
  EXPECT_THAT(flaw("@audio - memlok unlimited"), HasSubstr("write memlock"));
  EXPECT_THAT(flaw("@audio - colourful 1"), HasSubstr("limits.conf(5) lists the names"));
  EXPECT_THAT(flaw("@audio rtprio 95"), HasSubstr("not the four words"));
  EXPECT_THAT(flaw("@audio = rtprio 95"), HasSubstr("'=' is no type"));
  EXPECT_THAT(flaw("@audio \xE2\x80\x93 rtprio 95"), HasSubstr("not ASCII"));
  EXPECT_THAT(flaw("@audio - memlock 8GB"), HasSubstr("'8GB' is no value"));
  EXPECT_THAT(flaw("@audio - rtprio 100"), HasSubstr("no priority 100 | write 1 to 99"));
}

TEST_F(LimitsFiles, WhomItDoesNotReach) {
  EXPECT_THAT(flaw("audio - rtprio 95"), HasSubstr("audio is a group, and without @ a user is meant"));
  EXPECT_THAT(flaw("@realtime - rtprio 95"), HasSubstr("no group realtime in /etc/group"));
  std::filesystem::remove(tree_.directory() + "/etc/group");
  EXPECT_EQ(flaw("@realtime - rtprio 95"), "") << "no file tells";
}

TEST_F(LimitsFiles, FilesThatNobodyReads) {
  const std::string directory = "/etc/security/limits.d/";
  tree_.file(directory + "audio", "@audio - rtprio 95\n@audio - memlock unlimited\n");
  tree_.file(directory + "README", "These are files of pam_limits.\n");
  for (const char* const aside : {"a.conf~", "a.conf.disabled", "a.conf.dpkg-old", "a.conf.bak"})
    tree_.file(directory + aside, "@audio - rtprio 95\n");
  const auto flaws = find_limits_flaws(read_limits_lines(tree_.root()), tree_.root());
  ASSERT_EQ(flaws.size(), 1u);
  EXPECT_EQ(flaws.front().place, directory + "audio");
  EXPECT_EQ(flaws.front().mend, "sudo mv " + directory + "audio " + directory + "audio.conf");
}

}  // namespace
}  // namespace xrunlab
