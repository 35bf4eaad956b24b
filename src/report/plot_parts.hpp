// What the pictures have in common: colours and the unit of an axis of time. Private to report.
#pragma once

#include <cstdint>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

namespace plot_color {
// Distinct also for those who confuse red and green (after Okabe and Ito).
inline constexpr const char* kBlue = "#0072b2";
inline constexpr const char* kGrey = "#888888";
inline constexpr const char* kOrange = "#e69f00";
inline constexpr const char* kRed = "#d03020";
inline constexpr const char* kGreen = "#009e73";
inline constexpr const char* kPink = "#cc79a7";
inline constexpr const char* kBlack = "#000000";
}  // namespace plot_color

inline constexpr double kAxisRoom = 1.08;  // of an axis, above the highest value

struct TimeUnit {
  const char* name = "s";
  double ns = 1e9;
};

/// In which a stretch of `ns` has a readable number of digits.
inline TimeUnit time_unit(std::int64_t ns) {
  constexpr std::int64_t kMinute = 60 * kNsPerSecond;
  if (ns < 2 * kNsPerSecond) return {"ms", 1e6};
  if (ns < 20 * kMinute) return {"s", 1e9};
  if (ns < 10 * 60 * kMinute) return {"min", 60e9};
  return {"h", 3600e9};
}

}  // namespace xrunlab
