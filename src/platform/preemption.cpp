#include <algorithm>

#include "xrunlab/platform/kernel_config.hpp"
#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/system_info.hpp"

namespace xrunlab {
namespace {

/// The word in brackets: "none voluntary (full) lazy".
std::string bracketed(const std::string& text) {
  const auto open = text.find('(');
  const auto close = text.find(')', open);
  if (open == std::string::npos || close == std::string::npos) return "";
  return text.substr(open + 1, close - open - 1);
}

std::string from_command_line(const SysRoot& root) {
  const std::string text = root.read("/proc/cmdline").value_or("");
  for (const std::string_view word : split_words(text)) {
    if (word.starts_with("preempt=")) return std::string(word.substr(8));
  }
  return "";
}

/// What the kernel was configured with; "" when its configuration is nowhere to be read.
std::string from_configuration(const SysRoot& root) {
  const KernelConfig config(root);
  if (config.has("CONFIG_PREEMPT_RT=y")) return "rt";
  if (config.has("CONFIG_PREEMPT_LAZY=y")) return "lazy";
  if (config.has("CONFIG_PREEMPT_VOLUNTARY=y")) return "voluntary";
  if (config.has("CONFIG_PREEMPT=y")) return "full";
  return config.has("CONFIG_PREEMPT_NONE=y") ? "none" : "";
}

}  // namespace

std::string describe_preemption(const SysRoot& root) {
  const std::string version = root.read("/proc/sys/kernel/version").value_or("");
  const auto words = split_words(version);
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (has("PREEMPT_RT") || (has("PREEMPT") && has("RT")) || root.read_integer("/sys/kernel/realtime") == 1)
    return "rt";
  const std::string switched = bracketed(root.read("/sys/kernel/debug/sched/preempt").value_or(""));
  if (has("PREEMPT_DYNAMIC") || !switched.empty()) {
    for (const std::string& model : {switched, from_command_line(root), from_configuration(root)}) {
      if (!model.empty()) return model + " (dynamic)";
    }
    return "unknown (dynamic)";
  }
  if (has("PREEMPT")) return "full";
  if (version.empty()) return "";
  const std::string configured = from_configuration(root);
  return configured.empty() ? "none or voluntary" : configured;
}

}  // namespace xrunlab
