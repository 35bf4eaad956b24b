#include "xrunlab/platform/cold_pages.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/platform/page_cache.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kPages = 256;

/// A file of 256 pages, none of which is cached; on a file system that keeps its pages there is nothing to
/// test.
class ColdPagesTest : public testing::Test {
 protected:
  void SetUp() override {
    tree_.file("/data", std::string(static_cast<std::size_t>(kPages * kPageBytes), 'x'));
    file_.reset(::open((tree_.directory() + "/data").c_str(), O_RDONLY | O_CLOEXEC));
    // Without read-ahead exactly the pages that are read come in.
    ::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_RANDOM);
    if (evict(file_.get()) || cached(0, kPages).value_or(1) > 0) {
      GTEST_SKIP() << "this file system keeps its pages, or does not tell";
    }
  }
  std::optional<double> cached(Bytes first, Bytes count) const {
    const FileRange range{file_.get(), first * kPageBytes, count * kPageBytes};
    return cached_share({&range, 1});
  }
  void read_pages(Bytes first, Bytes count) const {
    std::vector<char> buffer(static_cast<std::size_t>(count * kPageBytes));
    EXPECT_EQ(::pread(file_.get(), buffer.data(), buffer.size(), first * kPageBytes),
              static_cast<ssize_t>(buffer.size()));
  }
  test::FakeTree tree_;
  UniqueFd file_;
};

TEST_F(ColdPagesTest, WhatWasCachedStaysAndTheRestGoes) {
  read_pages(0, 1);
  read_pages(100, 31);
  {
    const ColdPages cold(file_.get(), kPages * kPageBytes);
    read_pages(0, kPages);
    EXPECT_EQ(cached(0, kPages), 1.0);
  }
  EXPECT_EQ(cached(0, 1), 1.0);
  EXPECT_EQ(cached(100, 31), 1.0);
  EXPECT_EQ(cached(1, 99), 0.0);
  EXPECT_EQ(cached(131, kPages - 131), 0.0);
}

TEST_F(ColdPagesTest, AreDroppedBehindTheReader) {
  read_pages(10, 1);
  ColdPages cold(file_.get(), kPages * kPageBytes);
  for (Bytes page = 0; page < kPages; page += 64) {
    read_pages(page, 64);
    cold.drop_before((page + 64) * kPageBytes);
    EXPECT_EQ(cached(page, 64), page == 0 ? 1.0 / 64 : 0.0);
  }
}

TEST_F(ColdPagesTest, AnEmptyFileHasNone) {
  ColdPages cold(file_.get(), 0);
  cold.drop_before(kPages * kPageBytes);
}

}  // namespace
}  // namespace xrunlab
