#include "xrunlab/model/run_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/model/sample_run.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

class RunFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "run_file.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::string content(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator{});
  }

  std::filesystem::path folder_;
};

TEST_F(RunFile, ReplacesAnOlderOneAndLeavesNothingElse) {
  const auto path = folder_ / "run.json";
  write_run_file(RunData{}, path);
  write_run_file(sample_run(), path);
  EXPECT_EQ(run_from_json(content(path), "run.json"), sample_run());
  EXPECT_EQ(entries(), 1);
}

TEST_F(RunFile, IsAsReadableAsAnyNewFile) {
  const auto path = folder_ / "run.json";
  const mode_t mask = umask(0027);
  write_run_file(RunData{}, path);
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(RunFile, FollowsALink) {
  write_run_file(RunData{}, folder_ / "real.json");
  std::filesystem::create_symlink("real.json", folder_ / "link.json");
  write_run_file(sample_run(), folder_ / "link.json");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.json"));
  EXPECT_EQ(content(folder_ / "real.json"), to_json(sample_run()));
}

TEST_F(RunFile, ADeviceIsWrittenToAndNotReplaced) {
  write_run_file(RunData{}, "/dev/null");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(RunFile, AMissingFolderIsASystemErrorWithARemedyAndLeavesNothing) {
  try {
    write_run_file(RunData{}, folder_ / "none" / "run.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos);
    EXPECT_NE(error.remedy().find("mkdir -p"), std::string::npos);
  }
  EXPECT_THROW(write_run_file(RunData{}, folder_), Error);  // a folder is no file
  EXPECT_EQ(entries(), 0);
}

}  // namespace
}  // namespace xrunlab
