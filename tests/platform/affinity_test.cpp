#include "xrunlab/platform/affinity.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using test::FakeTree;

TEST(Affinity, ParsesThreadsAndCpus) {
  const AffinityPlan plan = parse_affinity("--affinity", "playback=1,reader=0+2-3");
  EXPECT_EQ(plan, (AffinityPlan{{"playback", {1}}, {"reader", {0, 2, 3}}}));
  for (const char* const wrong :
       {"", "playback", "playback=", "drums=1", "playback=x", "playback=1,playback=2"}) {
    EXPECT_THROW(parse_affinity("--affinity", wrong), Error) << wrong;
  }
}

std::string syntax_refusal_of(const std::string& plan) {
  try {
    parse_affinity("--affinity", plan);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Affinity, SaysWhatIsWrongWithAPlan) {
  EXPECT_EQ(syntax_refusal_of("playback=0,playback=1"), "--affinity: playback is there twice");
  EXPECT_EQ(syntax_refusal_of("main=1"),
            "--affinity: 'main=1' is not thread=CPU: write playback=1,reader=0 (threads: playback, reader, "
            "decoder, collector)");
}

std::string refusal_of(const std::string& plan, const SysRoot& root) {
  try {
    check_affinity(parse_affinity("--affinity", plan), root);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "accepted";
}

TEST(Affinity, RefusesCpusThatAreNotThereOrNotAllowed) {
  FakeTree tree;
  tree.file("/sys/devices/system/cpu/online", "0-2,4\n");
  tree.file("/proc/self/status", "Cpus_allowed:\t7\nCpus_allowed_list:\t0-1\n");
  EXPECT_EQ(refusal_of("playback=1,reader=0", tree.root()), "accepted");
  EXPECT_EQ(refusal_of("playback=3", tree.root()),
            "--affinity playback=3: this machine has no such CPU online, it has 0-2,4");
  EXPECT_EQ(refusal_of("reader=2", tree.root()), "--affinity reader=2: this process may run on 0-1 only");
}

TEST(Affinity, BindsTheCallingThread) {
  const auto child = test::run_in_child([] {
    cpu_set_t allowed;
    ::sched_getaffinity(0, sizeof allowed, &allowed);
    int last = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed)) last = cpu;
    }
    pin_calling_thread({last});
    cpu_set_t bound;
    ::sched_getaffinity(0, sizeof bound, &bound);
    const bool right = CPU_COUNT(&bound) == 1 && CPU_ISSET(last, &bound) && ::sched_getcpu() == last;
    return std::string(right ? "bound" : "not bound");
  });
  EXPECT_EQ(child.text, "bound");
}

TEST(Affinity, TheKernelsRefusalIsAUsageError) {
  try {
    pin_calling_thread({60000});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
  }
}

}  // namespace
}  // namespace xrunlab
