#include "xrunlab/platform/kernel_config.hpp"

#include <algorithm>

#include "xrunlab/core/file_text.hpp"
#include "xrunlab/platform/gzip_text.hpp"
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
  // Not by root.read, which drops zeros at the end.
  constexpr std::size_t kMostBytes = std::size_t{4} << 20;
  const auto packed = file_text(root.path("/proc/config.gz").c_str());
  auto text = packed ? gunzip(*packed, kMostBytes) : std::nullopt;
  if (!text) return;
  text_ = std::move(*text);
  known_ = true;
}

bool KernelConfig::has(std::string_view line) const {
  const auto lines = split_at(text_, '\n');
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

}  // namespace xrunlab
