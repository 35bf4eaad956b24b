// This project's own tree against the rules.
#include <gtest/gtest.h>

#include "tests/structure/layer_rules.hpp"
#include "tests/structure/readme_commands.hpp"
#include "tests/structure/style_rules.hpp"
#include "tests/structure/temporary_tree.hpp"
#include "tests/structure/type_rules.hpp"

namespace xrunlab::structure {
namespace {

const SourceTree& project() {
  static const SourceTree tree(XRUNLAB_SOURCE_DIR);
  return tree;
}

TEST(Project, IncludesGoOneWay) {
  EXPECT_EQ(to_text(check_layers(project())), "");
}

TEST(Project, FilesAndFunctionsAreShort) {
  EXPECT_EQ(to_text(check_sizes(project())), "");
}

TEST(Project, NamesSayWhatIsInside) {
  EXPECT_EQ(to_text(check_names(project())), "");
}

TEST(Project, NoTwoTypesShareANameAndANamespace) {
  EXPECT_EQ(to_text(check_type_names(project())), "");
}

TEST(Project, RealTimeFilesNeitherAllocateNorLockNorPrint) {
  EXPECT_EQ(to_text(check_real_time(project())), "");
}

TEST(Project, TopLevelHoldsNothingElse) {
  EXPECT_EQ(to_text(check_top_level(project())), "");
}

TEST(Project, NothingIsMarkedAsUnfinished) {
  EXPECT_EQ(to_text(check_leftovers(project())), "");
}

TEST(Project, CommandsOfTheReadmeWork) {
  const auto* readme = project().find("README.md");
  ASSERT_NE(readme, nullptr);
  const auto blocks = find_run_blocks(*readme);
  if (blocks.empty()) GTEST_SKIP() << "README.md marks no commands to run";
  // Below the build directory: /tmp may be a tmpfs, from which nothing comes off a device.
  auto pattern = std::string(XRUNLAB_BINARY_DIR "/readme-XXXXXX");
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const auto program_directory = std::filesystem::path(XRUNLAB_PROGRAM).parent_path();
  EXPECT_EQ(to_text(run_blocks(readme->path, blocks, pattern, program_directory)), "");
  std::filesystem::remove_all(pattern);
}

}  // namespace
}  // namespace xrunlab::structure
