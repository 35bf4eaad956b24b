#include <algorithm>

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

/// What the kernel was configured with; "" when its configuration is not in /boot.
std::string from_configuration(const SysRoot& root) {
  const auto release = root.read("/proc/sys/kernel/osrelease").value_or("");
  const auto text = root.read("/boot/config-" + release);
  if (!text) return "";
  const auto lines = split_at(*text, '\n');
  const auto has = [&](std::string_view line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  if (has("CONFIG_PREEMPT_RT=y")) return "rt";
  if (has("CONFIG_PREEMPT_LAZY=y")) return "lazy";
  if (has("CONFIG_PREEMPT_VOLUNTARY=y")) return "voluntary";
  if (has("CONFIG_PREEMPT=y")) return "full";
  return has("CONFIG_PREEMPT_NONE=y") ? "none" : "";
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
