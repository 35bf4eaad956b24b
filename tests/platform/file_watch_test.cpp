#include "xrunlab/platform/file_watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

/// Two files of a thousand bytes, both watched.
class FileWatchTest : public ::testing::Test {
 protected:
  FileWatchTest() {
    std::string name = (fs::temp_directory_path() / "xrunlab-watch-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    for (const auto& path : {first(), second()}) {
      std::ofstream(path) << std::string(1000, 'a');
      handles_.emplace_back(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    }
    watch_.emplace(std::vector{handles_[0].get(), handles_[1].get()});
  }
  ~FileWatchTest() override { fs::remove_all(folder_); }
  void SetUp() override {
    if (!watch_->refusal().empty()) GTEST_SKIP() << watch_->refusal();
  }

  fs::path first() const { return folder_ / "first"; }
  fs::path second() const { return folder_ / "second"; }
  static void write_at(const fs::path& path, off_t offset, const std::string& bytes) {
    const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_EQ(::pwrite(fd.get(), bytes.data(), bytes.size(), offset), static_cast<ssize_t>(bytes.size()));
  }

  fs::path folder_;
  std::vector<UniqueFd> handles_;
  std::optional<FileWatch> watch_;
};

TEST_F(FileWatchTest, NothingHappensToFilesThatAreOnlyRead) {
  std::string bytes(1000, ' ');
  ASSERT_EQ(::pread(handles_[0].get(), bytes.data(), 1000, 0), 1000);
  EXPECT_FALSE(watch_->overwritten());
}

TEST_F(FileWatchTest, BytesWrittenOverOthersAreNoticedInTheirFile) {
  write_at(second(), 500, "b");
  EXPECT_EQ(watch_->overwritten(), 1u);
  EXPECT_FALSE(watch_->overwritten());
}

TEST_F(FileWatchTest, AFileWrittenAnewIsNoticedAtTheLatestWhenItHasItsSizeAgain) {
  std::ofstream out(first(), std::ios::trunc);
  out << std::string(400, 'b') << std::flush;
  EXPECT_FALSE(watch_->overwritten());
  out << std::string(800, 'b') << std::flush;
  EXPECT_EQ(watch_->overwritten(), 0u);
}

TEST_F(FileWatchTest, AFileThatIsOnlyCutIsLeftToWhoReadsIt) {
  fs::resize_file(first(), 400);
  EXPECT_FALSE(watch_->overwritten());
}

TEST_F(FileWatchTest, AppendedBytesAreNoChange) {
  std::ofstream(first(), std::ios::app) << "more";
  EXPECT_FALSE(watch_->overwritten());
  std::ofstream(first(), std::ios::app) << "and more";
  EXPECT_FALSE(watch_->overwritten());
}

TEST_F(FileWatchTest, NamesAndTimesAreNoChange) {
  std::ofstream(folder_ / "other") << std::string(1000, 'b');
  fs::rename(folder_ / "other", first());
  fs::remove(second());
  ASSERT_EQ(::futimens(handles_[1].get(), nullptr), 0);
  ASSERT_EQ(::fchmod(handles_[1].get(), 0600), 0);
  EXPECT_FALSE(watch_->overwritten());
  std::ofstream(first()) << "what has the name now is not what is watched";
  EXPECT_FALSE(watch_->overwritten());
}

TEST(FileWatch, AFileTwiceIsWatchedOnce) {
  std::string name = (fs::temp_directory_path() / "xrunlab-watch-XXXXXX").string();
  const UniqueFd fd(::mkstemp(name.data()));
  FileWatch watch({fd.get(), fd.get()});
  if (!watch.refusal().empty()) GTEST_SKIP() << watch.refusal();
  ASSERT_EQ(::write(fd.get(), "x", 1), 1);
  ASSERT_EQ(::pwrite(fd.get(), "y", 1, 0), 1);
  EXPECT_FALSE(watch.overwritten());  // it has grown
  ASSERT_EQ(::ftruncate(fd.get(), 0), 0);
  EXPECT_EQ(watch.overwritten(), 0u);  // as large as it was
  fs::remove(name);
}

TEST(FileWatch, WhatCannotBeWatchedIsSaid) {
  FileWatch watch({-1});
  EXPECT_NE(watch.refusal().find("will not be noticed: inotify: "), std::string::npos);
  EXPECT_FALSE(watch.overwritten());
}

}  // namespace
}  // namespace xrunlab
