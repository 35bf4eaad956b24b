// Which real-time clock wakes a measuring thread of `latency`, and how often. Plain data.
#pragma once

#include <string>

namespace xrunlab {

struct RtcRequest {
  std::string device = "/dev/rtc0";
  int hz = 4096;  ///< a power of two, 2 … 8192
  int ticks = 2;  ///< that each wake-up waits for
};

}  // namespace xrunlab
