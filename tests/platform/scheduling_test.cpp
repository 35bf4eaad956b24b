#include "xrunlab/platform/scheduling.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using test::run_in_child;

std::string described(const SchedResult& result) {
  std::string text =
      result.policy + " " + std::to_string(result.priority) + (result.as_asked ? " as asked" : "");
  for (const std::string& warning : result.warnings) text += " | " + warning;
  return text;
}

TEST(Scheduling, ParsesWhatPeopleType) {
  EXPECT_EQ(parse_sched_spec("-P", "f:70"), (SchedSpec{SchedPolicy::fifo, 70}));
  EXPECT_EQ(parse_sched_spec("-P", "r:20"), (SchedSpec{SchedPolicy::round_robin, 20}));
  EXPECT_EQ(parse_sched_spec("-P", "o"), SchedSpec{});
  EXPECT_EQ(parse_sched_spec("-P", "o:0"), SchedSpec{});
  for (const char* const wrong : {"", "f", "f:", "f:0", "f:100", "70", "x:1", "f:70x", "o:5", "f:-1"}) {
    EXPECT_THROW(parse_sched_spec("-P", wrong), Error) << wrong;
  }
  EXPECT_EQ(to_string(SchedSpec{SchedPolicy::fifo, 70}), "f:70");
  EXPECT_EQ(to_string(SchedSpec{}), "o");
}

TEST(Scheduling, AppliesAndReadsBack) {
  const auto child = run_in_child([] { return described(apply_scheduling({SchedPolicy::fifo, 3})); });
  if (child.text.find("no SCHED_FIFO") != std::string::npos)
    GTEST_SKIP() << "no real-time rights: " << child.text;
  EXPECT_EQ(child.text, "SCHED_FIFO 3 as asked");
}

TEST(Scheduling, LowersThePriorityToTheLimit) {
  const auto child = run_in_child([] {
    // Soft below hard: a process may raise its soft limit itself.
    const rlimit limit{0, 10};
    if (::setrlimit(RLIMIT_RTPRIO, &limit) != 0) return std::string("skip");
    if (!test::become_nobody()) return std::string("skip");
    return described(apply_scheduling({SchedPolicy::round_robin, 70}));
  });
  if (child.text == "skip") GTEST_SKIP() << "setting a limit of real-time priority needs CAP_SYS_RESOURCE";
  if (child.text.find("no SCHED_RR") != std::string::npos) GTEST_SKIP() << child.text;
  EXPECT_EQ(child.text.find("SCHED_RR 10 | priority 70 lowered to 10"), 0u) << child.text;
}

TEST(Scheduling, WithoutRightsItGoesOnAndSaysWhy) {
  const auto child = run_in_child([] {
    const rlimit limit{0, 0};
    ::setrlimit(RLIMIT_RTPRIO, &limit);
    if (!test::become_nobody()) return std::string("no nobody");
    test::FakeTree tree;
    tree.file("/proc/self/limits", "Max realtime priority     0                    0                    \n");
    return described(apply_scheduling({SchedPolicy::fifo, 70}, tree.root()));
  });
  EXPECT_EQ(child.text.find("SCHED_OTHER 0 | no SCHED_FIFO priority 70: the limit is 0"), 0u) << child.text;
  EXPECT_NE(child.text.find("\"@audio - rtprio 95\""), std::string::npos) << child.text;
}

TEST(Scheduling, WarnsOfAFiniteRttime) {
  const auto child = run_in_child([] {
    const rlimit limit{200000, 200000};
    ::setrlimit(RLIMIT_RTTIME, &limit);
    return described(apply_scheduling({SchedPolicy::fifo, 1})) + described(apply_scheduling({}));
  });
  if (child.text.find("no SCHED_FIFO") != std::string::npos)
    GTEST_SKIP() << "no real-time rights: " << child.text;
  EXPECT_NE(child.text.find("limited to 200000 us (RLIMIT_RTTIME)"), std::string::npos) << child.text;
  EXPECT_TRUE(child.text.ends_with("SCHED_OTHER 0 as asked")) << child.text;
}

}  // namespace
}  // namespace xrunlab
