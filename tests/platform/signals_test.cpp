#include "xrunlab/platform/signals.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include <atomic>
#include <thread>

#include "tests/platform/child_process.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/scheduling.hpp"
#include "xrunlab/platform/thread.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using test::run_in_child;

TEST(Signals, AreAFlagAndAReadableDescriptor) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const auto child = run_in_child([number] {
      ::signal(SIGHUP, SIG_DFL);
      const Signals signals;
      if (signals.caught() != 0 || signals.wait_for(1ms)) return std::string("too early");
      ::raise(number);
      pollfd waited{signals.fd(), POLLIN, 0};
      const bool readable = ::poll(&waited, 1, 0) == 1;
      if (!readable || !signals.wait_for(0ns)) return std::string("not seen");
      return std::to_string(signals.caught()) + " " + std::to_string(signals.exit_code());
    });
    EXPECT_EQ(child.text, std::to_string(number) + " " + std::to_string(128 + number));
  }
}

TEST(Signals, EndAWaitThatHasBegun) {
  const auto child = run_in_child([] {
    const Signals signals;
    const pid_t self = ::getpid();
    const Thread sender("sender", [self] {
      std::this_thread::sleep_for(20ms);
      ::kill(self, SIGTERM);
    });
    return std::string(signals.wait_for(60s) ? "woken" : "timed out");
  });
  EXPECT_EQ(child.text, "woken");
}

TEST(Signals, ASecondInterruptEndsAtOnce) {
  const auto child = run_in_child([] {
    const Signals signals;
    ::raise(SIGINT);
    std::this_thread::sleep_for(400ms);
    ::raise(SIGINT);
    return std::string("still here");
  });
  EXPECT_EQ(child.exit_code, 130);
  EXPECT_EQ(child.text, "");
}

TEST(Signals, ASignalSentTwiceAtOnceIsOne) {
  const auto child = run_in_child([] {
    const Signals signals;
    ::raise(SIGINT);
    ::raise(SIGINT);
    return std::string("still here");
  });
  EXPECT_EQ(child.exit_code, 0);
  EXPECT_EQ(child.text, "still here");
}

TEST(Signals, BrokenPipeIsAnErrorNotADeath) {
  const auto child = run_in_child([] {
    const Signals signals;
    int ends[2];
    if (::pipe(ends) != 0) return std::string("no pipe");
    ::close(ends[0]);
    const bool refused = ::write(ends[1], "x", 1) < 0 && errno == EPIPE;
    return std::string(refused ? "EPIPE" : "written");
  });
  EXPECT_EQ(child.text, "EPIPE");
}

TEST(Signals, PreviousHandlersComeBack) {
  struct sigaction before {};
  struct sigaction after {};
  ::sigaction(SIGINT, nullptr, &before);
  {
    const Signals signals;
    EXPECT_THROW(Signals second, Error);
    ::sigaction(SIGINT, nullptr, &after);
    EXPECT_NE(after.sa_handler, before.sa_handler);
  }
  ::sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
  EXPECT_NO_THROW(Signals again);
}

TEST(Signals, NohupIsRespected) {
  const auto child = run_in_child([] {
    ::signal(SIGHUP, SIG_IGN);
    const Signals signals;
    ::raise(SIGHUP);
    return std::to_string(signals.caught());
  });
  EXPECT_EQ(child.text, "0");
}

TEST(Signals, ARealTimeThreadThatRunsTooLongIsDemotedAndExplained) {
  const auto child = run_in_child([] {
    const rlimit limit{100'000, 20'000'000};
    ::setrlimit(RLIMIT_RTTIME, &limit);
    const Signals signals;
    std::string text;
    // Ends when it is demoted, in any case after 10 s of CPU time.
    Thread("playback", [&] {
      if (!apply_scheduling({SchedPolicy::fifo, 1}).as_asked) {
        text = "skip";
        return;
      }
      timespec spent{};
      while (::sched_getscheduler(0) == SCHED_FIFO && spent.tv_sec < 10) {
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
      }
      text = current_scheduling().policy;
    }).join();
    return text + " " + std::to_string(signals.exit_code());
  });
  if (child.text.starts_with("skip")) GTEST_SKIP() << "no real-time rights";
  EXPECT_EQ(child.text, "SCHED_OTHER 3");
  EXPECT_NE(child.stderr_text.find("ran longer than 100000 us without a wait (RLIMIT_RTTIME"),
            std::string::npos)
      << child.stderr_text;
}

}  // namespace
}  // namespace xrunlab
