#include "xrunlab/platform/io_priority.hpp"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "tests/platform/child_process.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

TEST(IoPriority, ParsesToTheKernelsValue) {
  EXPECT_EQ(parse_io_priority("--io-priority", "none").value, 0);
  EXPECT_EQ(parse_io_priority("--io-priority", "rt:4").value, 0x2004);
  EXPECT_EQ(parse_io_priority("--io-priority", "be:0").value, 0x4000);
  EXPECT_EQ(parse_io_priority("--io-priority", "idle").value, 0x6000);
  for (const char* const text : {"none", "rt:0", "rt:7", "be:3", "idle"}) {
    EXPECT_EQ(to_string(parse_io_priority("--io-priority", text)), text);
  }
  for (const char* const wrong : {"", "rt", "rt:8", "rt:", "be:-1", "idle:0", "rt:44"}) {
    EXPECT_THROW(parse_io_priority("--io-priority", wrong), Error) << wrong;
  }
}

TEST(IoPriority, IsInForceAfterwards) {
  const auto child = test::run_in_child([] {
    const auto warning = apply_io_priority(parse_io_priority("--io-priority", "be:2"));
    if (warning) return *warning;
    return std::to_string(::syscall(SYS_ioprio_get, 1, 0));
  });
  EXPECT_EQ(child.text, std::to_string(0x4002));
}

TEST(IoPriority, RealTimeClassWithoutRightsIsAWarning) {
  const auto child = test::run_in_child([] {
    if (!test::become_nobody()) return std::string("no nobody");
    return apply_io_priority(parse_io_priority("--io-priority", "rt:4")).value_or("accepted");
  });
  EXPECT_EQ(child.text.find("I/O priority rt:4 refused: it needs CAP_SYS_NICE"), 0u) << child.text;
}

}  // namespace
}  // namespace xrunlab
