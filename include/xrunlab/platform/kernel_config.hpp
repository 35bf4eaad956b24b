// The configuration that the running kernel was built with, where a file has it: /boot/config-RELEASE,
// /lib/modules/RELEASE/config or /proc/config.gz. Used by the machine's description; set-up code, any thread.
#pragma once

#include <string>
#include <string_view>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

class KernelConfig {
 public:
  explicit KernelConfig(const SysRoot& root = SysRoot());

  /// Whether there is such a file: without one has() is false for everything.
  bool known() const noexcept { return known_; }

  /// Whether it has this whole line, "CONFIG_PREEMPT=y".
  bool has(std::string_view line) const;

 private:
  std::string text_;
  bool known_ = false;
};

}  // namespace xrunlab
