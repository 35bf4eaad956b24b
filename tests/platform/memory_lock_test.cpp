#include "xrunlab/platform/memory_lock.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"
#include "tests/sanitized.hpp"
#include "xrunlab/platform/limits.hpp"

namespace xrunlab {
namespace {

using test::run_in_child;

constexpr Bytes kRing = 32 * kPageBytes;

void* map(Bytes size) {
  return ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
}

/// Under AddressSanitizer and ThreadSanitizer locking is switched off and the address space is terabytes.
bool locking_works() {
#if XRUNLAB_SANITIZED
  return false;
#else
  return true;
#endif
}

TEST(MemoryLock, LocksAllAndUnlocksAtTheEnd) {
  if (!locking_works()) GTEST_SKIP() << "sanitizers make mlock do nothing";
  const auto child = run_in_child([] {
    const Bytes before = locked_bytes();
    std::string text;
    {
      MemoryLock lock(MemoryLockMode::all, kRing);
      if (lock.mode() != MemoryLockMode::all) return std::string("skip");
      const Bytes at_first = locked_bytes();
      map(kRing);
      text = at_first > before && locked_bytes() >= at_first + kRing ? "present and future" : "not locked";
    }
    return text + (locked_bytes() == before ? ", released" : ", kept");
  });
  if (child.text == "skip") GTEST_SKIP() << "the memlock limit is too small for all of the process";
  EXPECT_EQ(child.text, "present and future, released");
}

TEST(MemoryLock, UnderASmallLimitOnlyTheRangesAreLocked) {
  if (!locking_works()) GTEST_SKIP() << "sanitizers make mlock do nothing";
  const auto child = run_in_child([] {
    const rlimit limit{0, static_cast<rlim_t>(2 * kRing)};
    ::setrlimit(RLIMIT_MEMLOCK, &limit);
    if (!test::become_nobody()) return std::string("no nobody");
    MemoryLock lock(MemoryLockMode::all, kRing);
    std::string text(to_string(lock.mode()));
    lock.add("the ring", {map(kRing), kRing});
    text.append(" ").append(std::to_string(locked_bytes() / kPageBytes));
    text.append(" ").append(std::to_string(lock.warnings().size()));
    for (const std::string& warning : lock.warnings()) text += " | " + warning;
    lock.add("the arena", {map(4 * kRing), 4 * kRing});
    for (const std::string& warning : lock.warnings()) text += " | " + warning;
    return text;
  });
  EXPECT_EQ(child.text.find("ring 32 1 | only the ring and the stacks are locked in memory"), 0u)
      << child.text;
  EXPECT_NE(child.text.find("the limit 256 KiB"), std::string::npos) << child.text;
  EXPECT_NE(
      child.text.find("| only the ring is locked in memory: the arena (512 KiB) is beyond the limit of 256 "
                      "KiB (RLIMIT_MEMLOCK), which would have to be 640 KiB"),
      std::string::npos)
      << child.text;
}

TEST(MemoryLock, WhenNoRangeCanBeLockedItIsOffAndSaysSo) {
  if (!locking_works()) GTEST_SKIP() << "sanitizers make mlock do nothing";
  const auto child = run_in_child([] {
    const rlimit limit{0, static_cast<rlim_t>(2 * kPageBytes)};
    ::setrlimit(RLIMIT_MEMLOCK, &limit);
    if (!test::become_nobody()) return std::string("no nobody");
    MemoryLock lock(MemoryLockMode::all, kRing);
    lock.add("the ring", {map(kRing), kRing});
    lock.add("the playback stack", {map(kRing), kRing});
    std::string text(to_string(lock.mode()));
    text.append(" ").append(std::to_string(locked_bytes()));
    for (const std::string& warning : lock.warnings()) text += " | " + warning;
    lock.add("a page", {map(kPageBytes), kPageBytes});
    text.append(" > ").append(to_string(lock.mode()));
    for (const std::string& warning : lock.warnings()) text += " | " + warning;
    return text;
  });
  EXPECT_EQ(
      child.text.find("off 0 | nothing is locked in memory: the ring (128 KiB) and the playback stack "
                      "(128 KiB) are beyond the limit of 8 KiB (RLIMIT_MEMLOCK), which would have to be "
                      "256 KiB"),
      0u)
      << child.text;
  EXPECT_NE(child.text.find("> ring | only a page is locked in memory: the ring "), std::string::npos)
      << "one range is not nothing: " << child.text;
}

/// Of a mapping that nobody has touched.
std::ptrdiff_t resident_pages(void* memory, Bytes size) {
  std::vector<unsigned char> pages(static_cast<std::size_t>(size / kPageBytes));
  if (::mincore(memory, static_cast<std::size_t>(size), pages.data()) != 0) return -1;
  return std::count(pages.begin(), pages.end(), 1);
}

TEST(MemoryLock, OnTouchCountsAgainstTheLimitButBringsNothingIn) {
  if (!locking_works()) GTEST_SKIP() << "sanitizers make mlock do nothing";
  const auto all = run_in_child([] {
    MemoryLock lock(MemoryLockMode::all, kRing, SysRoot(), LockTime::on_touch);
    if (lock.mode() != MemoryLockMode::all) return std::string("skip");
    return std::to_string(resident_pages(map(kRing), kRing));
  });
  EXPECT_TRUE(all.text == "0" || all.text == "skip") << all.text;
  const auto ranges = run_in_child([] {
    const rlimit limit{0, static_cast<rlim_t>(2 * kRing)};
    ::setrlimit(RLIMIT_MEMLOCK, &limit);
    if (!test::become_nobody()) return std::string("no nobody");
    MemoryLock lock(MemoryLockMode::all, kRing, SysRoot(), LockTime::on_touch);
    void* const ring = map(kRing);
    lock.add("the ring", {ring, kRing});
    std::string text =
        std::to_string(resident_pages(ring, kRing)) + " " + std::to_string(locked_bytes() / kPageBytes);
    lock.add("the arena", {map(4 * kRing), 4 * kRing});
    text += lock.warnings().front().find("the arena (512 KiB) is beyond") == std::string::npos ? " allowed"
                                                                                               : " refused";
    return text + (may_lock(kRing) ? ", may" : ", may not") + (may_lock(4 * kRing) ? ", may" : ", may not");
  });
  EXPECT_EQ(ranges.text, "0 32 refused, may, may not");
}

TEST(MemoryLock, OffLocksNothing) {
  MemoryLock lock(MemoryLockMode::off, kRing);
  const Bytes before = locked_bytes();
  void* const memory = map(kRing);
  lock.add("the ring", {memory, kRing});
  EXPECT_EQ(locked_bytes(), before);
  EXPECT_TRUE(lock.warnings().empty());
  ::munmap(memory, static_cast<std::size_t>(kRing));
}

TEST(MemoryLock, ReadsLockedBytesInKibibytes) {
  test::FakeTree tree;
  tree.file("/proc/self/status", "VmSize:\t  9000 kB\nVmLck:\t  12 kB\n");
  EXPECT_EQ(locked_bytes(tree.root()), 12 * 1024);
}

}  // namespace
}  // namespace xrunlab
