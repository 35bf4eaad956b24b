// A resource limit of a process, as the kernel holds it. Read by platform, judged by the checks of `doctor`.
#pragma once

#include <cstdint>

namespace xrunlab {

inline constexpr std::int64_t kUnlimited = -1;

struct ResourceLimit {
  std::int64_t soft = kUnlimited;
  std::int64_t hard = kUnlimited;

  bool allows(std::int64_t amount) const noexcept { return soft == kUnlimited || amount <= soft; }
};

}  // namespace xrunlab
