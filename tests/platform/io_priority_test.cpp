#include "xrunlab/platform/io_priority.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace xrunlab
