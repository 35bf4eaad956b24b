#include "tests/structure/readme_commands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/structure/temporary_tree.hpp"

namespace xrunlab::structure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<ReadmeBlock> blocks_of(const std::string& text) {
  TemporaryTree tree;
  tree.plant("README.md", text);
  const auto source = tree.read();
  return find_run_blocks(*source.find("README.md"));
}

std::string run(const std::string& text) {
  const TemporaryTree directory;
  return to_text(run_blocks("README.md", blocks_of(text), directory.root(), directory.root()));
}

TEST(ReadmeCommands, OnlyMarkedBlocksAreTaken) {
  const auto blocks = blocks_of(
      "```sh\nfalse\n```\n<!-- run -->\n```sh\na\nb\n```\n<!-- run exit=0,1 -->\n```sh\nc\n```\n<!-- run "
      "-->\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].script, "a\nb\n");
  EXPECT_EQ(blocks[0].line, 6u);
  EXPECT_THAT(blocks[0].exit_codes, ElementsAre(0));
  EXPECT_THAT(blocks[1].exit_codes, ElementsAre(0, 1));
}

TEST(ReadmeCommands, ABlockFindsWhatTheOneBeforeLeft) {
  EXPECT_EQ(run("<!-- run -->\n```sh\necho 1 > made\n```\n<!-- run -->\n```sh\ntest -s made\n```\n"), "");
}

TEST(ReadmeCommands, AFailingCommandIsFoundWithItsOutput) {
  const auto findings = run("x\n<!-- run -->\n```sh\necho reason\nfalse\ntrue\n```\n");
  EXPECT_THAT(findings, HasSubstr("README.md:4: the commands exit with 1:\nreason"));
}

TEST(ReadmeCommands, TheMarkedExitCodeMustBeTheOne) {
  EXPECT_EQ(run("<!-- run exit=1 -->\n```sh\nexit 1\n```\n"), "");
  EXPECT_NE(run("<!-- run exit=1 -->\n```sh\ntrue\n```\n"), "");
  EXPECT_NE(run("<!-- run exit=0,1 -->\n```sh\nexit 2\n```\n"), "");
}

}  // namespace
}  // namespace xrunlab::structure
