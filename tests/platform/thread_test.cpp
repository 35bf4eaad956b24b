#include "xrunlab/platform/thread.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "tests/sanitized.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

TEST(Thread, RunsUnderItsNameAndIsJoined) {
  char name[16] = {};
  pid_t id = 0;
  pid_t known_id = 0;
  {
    Thread thread("playback", [&] {
      ::pthread_getname_np(::pthread_self(), name, sizeof name);
      id = ::gettid();
    });
    known_id = thread.id();
    EXPECT_TRUE(thread.joinable());
  }
  EXPECT_EQ(id, known_id);
  EXPECT_NE(id, ::gettid());
}

TEST(Thread, NameIsSeenByTheKernel) {
  std::atomic<bool> go{false};
  Thread thread("a name longer than fifteen", [&] { go.wait(false); });
  const std::string path = "/proc/self/task/" + std::to_string(thread.id()) + "/comm";
  EXPECT_EQ(SysRoot("").read(path), "a name longer t");
  go = true;
  go.notify_all();
  thread.join();
  EXPECT_FALSE(thread.joinable());
}

TEST(Thread, StackIsSmallAndContainsItsVariables) {
  std::uintptr_t address = 0;
  std::atomic<bool> go{false};
  Thread thread("stack", [&] {
    int variable = 0;
    address = reinterpret_cast<std::uintptr_t>(&variable);
    go.wait(false);
  });
  const MemoryRange stack = thread.stack();
  go = true;
  go.notify_all();
  thread.join();
#if XRUNLAB_SANITIZED
  GTEST_SKIP() << "sanitizers enlarge and replace stacks";
#endif
  EXPECT_LE(stack.size, kThreadStackBytes);
  EXPECT_GE(address, reinterpret_cast<std::uintptr_t>(stack.address));
  EXPECT_LT(address,
            reinterpret_cast<std::uintptr_t>(stack.address) + static_cast<std::uintptr_t>(stack.size));
}

/// Writes to 128 KiB of fresh stack, a page at a time.
[[gnu::noinline]] void use_stack() {
  volatile char deep[128 << 10];
  for (std::size_t index = 0; index < sizeof deep; index += 4096) deep[index] = 1;
}

long minor_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_minflt;
}

TEST(Thread, StackPagesAreThereBeforeItBegins) {
#if XRUNLAB_SANITIZED
  GTEST_SKIP() << "sanitizers fault for their own shadow memory";
#endif
  long faults = -1;
  Thread("touched", [&] {
    const long before = minor_faults();
    use_stack();
    faults = minor_faults() - before;
  }).join();
  EXPECT_LE(faults, 2) << "32 pages were written to";
}

TEST(Thread, LeavesSignalsToMain) {
  sigset_t set;
  Thread("quiet", [&] { ::pthread_sigmask(SIG_BLOCK, nullptr, &set); }).join();
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) EXPECT_EQ(::sigismember(&set, number), 1) << number;
  for (const int number : {SIGSEGV, SIGXCPU}) EXPECT_EQ(::sigismember(&set, number), 0) << number;
  sigset_t ours;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &ours);
  EXPECT_EQ(::sigismember(&ours, SIGINT), 0) << "the starter's own mask is as before";
}

TEST(Thread, MovesAndJoinsWhatItReplaces) {
  std::atomic<int> ran{0};
  Thread thread("one", [&] { ++ran; });
  thread = Thread("two", [&] { ++ran; });
  Thread moved = std::move(thread);
  moved.join();
  EXPECT_EQ(ran, 2);
}

TEST(Thread, AnImpossibleStackIsASystemError) {
  try {
    Thread thread(
        "huge", [] {}, Bytes{1} << 60);
    FAIL() << "started";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
  }
}

}  // namespace
}  // namespace xrunlab
