#include "tests/structure/style_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/structure/temporary_tree.hpp"

namespace xrunlab::structure {
namespace {

using ::testing::HasSubstr;

const std::string kBannerLine =
    "// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make "
    "unplanned "
    "system calls.\n";

std::string repeated(const std::string& line, std::size_t count) {
  std::string text;
  for (std::size_t index = 0; index < count; ++index) text += line;
  return text;
}

TEST(StyleRules, ALongFileIsFound) {
  TemporaryTree tree;
  tree.plant("src/core/long.cpp", repeated("int a;\n", kMaxFileLines + 1));
  tree.plant("src/core/fits.cpp", repeated("int a;\n", kMaxFileLines));
  EXPECT_EQ(to_text(check_sizes(tree.read())), "src/core/long.cpp:301: file of 301 lines, at most 300\n");
}

TEST(StyleRules, ALongFunctionIsFoundWhereverItStands) {
  const auto body = [](std::size_t lines) { return repeated("  if (a) { b(\"}\"); }  // {\n", lines); };
  TemporaryTree tree;
  tree.plant("src/core/a.cpp", "namespace {\nint x{1};\nvoid f(int a) {\n" + body(59) + "}\n}\n");
  tree.plant("src/core/b.cpp", "struct S {\n  S(int a) : a_{a}, b_{a} {\n" + body(59) + "  }\n};\n");
  tree.plant("src/core/c.cpp", "template <class T>\nint f(T a)\n  noexcept {\n" + body(57) + "}\n");
  tree.plant("src/core/fits.cpp", "void f() {\n" + body(58) + "}\nvoid g() {\n" + body(58) +
                                      "}\nint a[] = {\n" + repeated("1,\n", 70) + "};\n");
  EXPECT_EQ(to_text(check_sizes(tree.read())),
            "src/core/a.cpp:3: function of 61 lines, at most 60\n"
            "src/core/b.cpp:2: function of 61 lines, at most 60\n"
            "src/core/c.cpp:1: function of 61 lines, at most 60\n");
}

TEST(StyleRules, CatchAllNamesAreFound) {
  TemporaryTree tree;
  tree.plant("docs/manager.md", "").plant("scripts/helpers.sh", "").plant("docs/commonly.md", "");
  tree.plant("tests/disk/test_utils.hpp", "// x\n");
  const auto findings = check_names(tree.read());
  ASSERT_EQ(findings.size(), 3u) << to_text(findings);
  EXPECT_EQ(findings[0].path, "docs/manager.md");
  EXPECT_EQ(findings[1].path, "scripts/helpers.sh");
  EXPECT_EQ(findings[2].path, "tests/disk/test_utils.hpp");
}

TEST(StyleRules, SourcesAndTestsWithoutTheirHeaderAreFound) {
  TemporaryTree tree;
  tree.plant("include/xrunlab/disk/reader.hpp", "// Reader.\n").plant("src/disk/reader_uring.cpp", "");
  tree.plant("src/disk/part.cpp", "#include \"xrunlab/disk/reader.hpp\"\n");
  tree.plant("src/cli/play.cpp", "").plant("tests/disk/reader_test.cpp", "");
  EXPECT_EQ(to_text(check_names(tree.read())), "");
  tree.plant("src/disk/orphan.cpp", "").plant("tests/disk/orphan_test.cpp", "");
  tree.plant("include/xrunlab/disk/mute.hpp", "#pragma once\n");
  const auto findings = to_text(check_names(tree.read()));
  EXPECT_THAT(findings, HasSubstr("src/disk/orphan.cpp: no header of this name"));
  EXPECT_THAT(findings, HasSubstr("tests/disk/orphan_test.cpp: no header of this name"));
  EXPECT_THAT(findings, HasSubstr("include/xrunlab/disk/mute.hpp:1: a header opens with a comment"));
}

TEST(StyleRules, EachOffenceInARealTimeFileIsFound) {
  for (const char* line : {"auto* a = new int;", "free(a);", "std::mutex m;", "std::lock_guard lock(m);",
                           "std::string s(a);", "printf(\"x\");", "std::cout << 1;", "throw 1;",
                           "v.push_back(1);", "v->resize(3);", "v.emplace_back();"}) {
    TemporaryTree tree;
    tree.plant("src/engine/loop.cpp", kBannerLine + "void f() {\n  " + line + "\n}\n");
    EXPECT_THAT(to_text(check_real_time(tree.read())), HasSubstr("src/engine/loop.cpp:3: real-time code "))
        << line;
  }
}

TEST(StyleRules, CommentsIncludesAndSetUpOfARealTimeFileAreLeftAlone) {
  TemporaryTree tree;
  tree.plant("ringbuffer/block_ring.hpp",
             kBannerLine +
                 "#include <new>\nclass Ring {\n public:\n  // Never calls malloc, nor throws.\n"
                 "  void take(std::string_view name);\n"
                 "  /// Runs in set-up.\n  Ring(int a) : a_{a}, b_{a} {\n    v_.resize(3);\n  }\n};\n");
  tree.plant("src/disk/reader.cpp", "void f() { throw 1; }\n");
  EXPECT_EQ(to_text(check_real_time(tree.read())), "");
}

TEST(StyleRules, AFunctionThatNeverAllocatesIsNotExempt) {
  TemporaryTree tree;
  tree.plant("src/engine/a.cpp", kBannerLine + "// Never allocates.\nvoid f() {\n  v.push_back(1);\n}\n");
  tree.plant("src/engine/b.cpp", kBannerLine + "// Allocates 4 KiB.\nvoid f() {\n  v.push_back(1);\n}\n");
  EXPECT_EQ(to_text(check_real_time(tree.read())),
            "src/engine/a.cpp:4: real-time code grows a container: .push_back(\n");
}

TEST(StyleRules, TheBannerMayBeWrapped) {
  TemporaryTree tree;
  std::string wrapped = kBannerLine;
  wrapped.replace(wrapped.rfind(" system"), 1, "\n// ");
  tree.plant("src/engine/playback_loop.cpp", wrapped + "// More.\nvoid f() { throw 1; }\n");
  EXPECT_EQ(to_text(check_real_time(tree.read())),
            "src/engine/playback_loop.cpp:4: real-time code throws: throw\n");
}

TEST(StyleRules, AMissingOrMisspeltBannerIsFound) {
  TemporaryTree tree;
  tree.plant("src/engine/playback_loop.cpp", "#include <atomic>\n");
  tree.plant("src/audio/tone.cpp", "// Real-time: never blocks.\n");
  const auto findings = to_text(check_real_time(tree.read()));
  EXPECT_THAT(findings, HasSubstr("src/engine/playback_loop.cpp:1: "));
  EXPECT_THAT(findings, HasSubstr("src/audio/tone.cpp:1: the real-time banner is misspelt"));
}

TEST(StyleRules, StrangersAtTheTopLevelAreFound) {
  TemporaryTree tree;
  tree.plant("README.md", "").plant(".ci/run", "").plant("build/x", "").plant("notes.txt", "");
  EXPECT_EQ(to_text(check_top_level(tree.read())), "notes.txt: not an entry of the top level\n");
}

TEST(StyleRules, UnfinishedWorkIsFoundAndItsLettersInOtherWordsAreNot) {
  TemporaryTree tree;
  const std::string word = std::string("TO") + "DO";
  tree.plant("docs/a.md", "x\n" + word + ": write this\n")
      .plant("scripts/run", "# mktemp -d /tmp/a-XXXXXX\n");
  tree.plant("src/core/a.cpp", "int MY_" + word + ";\n");
  EXPECT_EQ(to_text(check_leftovers(tree.read())), "docs/a.md:2: unfinished work (" + word + ")\n");
}

}  // namespace
}  // namespace xrunlab::structure
