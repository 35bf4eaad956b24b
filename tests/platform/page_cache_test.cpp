#include "xrunlab/platform/page_cache.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <vector>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kSize = 256 * kPageBytes;

/// A written file of 256 pages; on a file system in memory the eviction tests have nothing to test.
class PageCache : public testing::Test {
 protected:
  PageCache() {
    tree_.file("/data", std::string(static_cast<std::size_t>(kSize), 'x'));
    file_.reset(::open((tree_.directory() + "/data").c_str(), O_RDONLY | O_CLOEXEC));
  }
  bool in_memory() const {
    struct statfs filesystem {};
    return ::fstatfs(file_.get(), &filesystem) != 0 || filesystem.f_type == TMPFS_MAGIC;
  }
  std::vector<FileRange> whole() const { return {{file_.get(), 0, kSize}}; }
  void read_pages(Bytes first, Bytes count) const {
    std::vector<char> buffer(static_cast<std::size_t>(count * kPageBytes));
    // Without read-ahead exactly these pages come in.
    ::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_RANDOM);
    EXPECT_EQ(::pread(file_.get(), buffer.data(), buffer.size(), first * kPageBytes),
              static_cast<ssize_t>(buffer.size()));
  }
  test::FakeTree tree_;
  UniqueFd file_;
};

TEST_F(PageCache, JustWrittenIsAllThere) {
  EXPECT_EQ(cached_share(whole()), 1.0);
  EXPECT_EQ(cached_share(whole(), CacheCounting::mincore), 1.0);
}

TEST_F(PageCache, EvictedIsGoneAndWhatIsReadComesBack) {
  if (in_memory()) GTEST_SKIP() << "the directory for temporary files is in memory";
  EXPECT_EQ(evict(file_.get()), std::nullopt);
  for (const auto counting : {CacheCounting::automatic, CacheCounting::mincore}) {
    const auto share = cached_share(whole(), counting);
    if (share && *share > 0)
      GTEST_SKIP() << "this file system keeps its pages (overlay of a memory file system?)";
    EXPECT_EQ(share, 0.0);
  }
  read_pages(16, 64);
  for (const auto counting : {CacheCounting::automatic, CacheCounting::mincore}) {
    EXPECT_EQ(cached_share(whole(), counting), 0.25);
    const std::vector<FileRange> ranges = {{file_.get(), 16 * kPageBytes, 64 * kPageBytes},
                                           {file_.get(), 128 * kPageBytes, 64 * kPageBytes}};
    EXPECT_EQ(cached_share(ranges, counting), 0.5);
  }
}

TEST_F(PageCache, MeasuringReadsNothingInAfterLockingAll) {
  if (in_memory()) GTEST_SKIP() << "the directory for temporary files is in memory";
  const auto child = test::run_in_child([this] {
    if (evict(file_.get()) || cached_share(whole()) != 0.0) return std::string("skip");
    if (::mlockall(MCL_FUTURE) != 0) return std::string("skip");
    const auto share = cached_share(whole(), CacheCounting::mincore);
    return std::string(!share || share == 0.0 ? "cold" : "read in");
  });
  if (child.text == "skip") GTEST_SKIP() << "no eviction or no locking here";
  EXPECT_EQ(child.text, "cold");
}

TEST_F(PageCache, OnlyThePartInsideTheFileCounts) {
  const std::vector<FileRange> beyond = {{file_.get(), kSize - kPageBytes, 100 * kPageBytes}};
  EXPECT_EQ(cached_share(beyond), 1.0);
  const std::vector<FileRange> outside = {{file_.get(), 2 * kSize, kPageBytes}, {file_.get(), 0, 0}};
  EXPECT_EQ(cached_share(outside), std::nullopt);
  EXPECT_EQ(cached_share({}), std::nullopt);
}

TEST_F(PageCache, WhatIsNoFileCannotBeMeasured) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::vector<FileRange> pipe = {{ends[0], 0, kPageBytes}};
  EXPECT_EQ(cached_share(pipe), std::nullopt);
  EXPECT_NE(evict(ends[0]), std::nullopt);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(PageCache, FilesOfOthersAreNotGuessedAt) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to give up rights afterwards";
  ASSERT_EQ(::fchmod(file_.get(), 0644), 0);
  const auto child = test::run_in_child([this] {
    if (!test::become_nobody()) return std::string("no nobody");
    return std::string(cached_share(whole(), CacheCounting::mincore) ? "guessed" : "absent");
  });
  EXPECT_EQ(child.text, "absent");
}

TEST(PageCacheInMemory, SaysThatItNeverLeaves) {
  const UniqueFd file(::open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  struct statfs filesystem {};
  if (!file || ::fstatfs(file.get(), &filesystem) != 0 || filesystem.f_type != TMPFS_MAGIC) {
    GTEST_SKIP() << "/dev/shm is no tmpfs here";
  }
  EXPECT_EQ(evict(file.get()), "cannot be evicted: tmpfs never leaves memory");
}

}  // namespace
}  // namespace xrunlab
