#include "xrunlab/core/wake_event.hpp"

#include <gtest/gtest.h>
#include <poll.h>

namespace xrunlab {
namespace {

bool readable(const WakeEvent& event) {
  pollfd waited{event.fd(), POLLIN, 0};
  return poll(&waited, 1, 0) == 1;
}

TEST(WakeEvent, IsReadableOnceSetAndStaysSo) {
  const WakeEvent event;
  EXPECT_FALSE(readable(event));
  event.set();
  event.set();
  EXPECT_TRUE(readable(event));
  EXPECT_TRUE(readable(event));
}

}  // namespace
}  // namespace xrunlab
