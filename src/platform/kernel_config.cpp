#include "xrunlab/platform/kernel_config.hpp"

#include <algorithm>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {

KernelConfig::KernelConfig(const SysRoot& root) {
  const std::string release = root.read("/proc/sys/kernel/osrelease").value_or("");
  if (release.empty()) return;
  for (const std::string& file : {"/boot/config-" + release, "/lib/modules/" + release + "/config"}) {
    auto text = root.read(file);
    if (!text) continue;
    text_ = std::move(*text);
    known_ = true;
    return;
  }
}

bool KernelConfig::has(std::string_view line) const {
  const auto lines = split_at(text_, '\n');
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

}  // namespace xrunlab
