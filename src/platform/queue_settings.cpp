#include "xrunlab/platform/queue_settings.hpp"

#include <algorithm>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/block_class.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kIoschedPrefix = "iosched.";

/// Letters, digits and underscores, as the kernel names its attributes: no way out of the directory.
bool is_setting_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_';
  });
}

void add_settings(const std::string& directory, std::string_view prefix, const SysRoot& root,
                  std::vector<QueueSetting>& settings) {
  for (const std::string& file : root.list(directory)) {
    const std::string path = directory + "/" + file;
    if (!is_setting_name(file) || !root.is_regular_file(path)) continue;
    QueueSetting setting{std::string(prefix) + file, root.read(path), root.is_writable(path), {}};
    if (setting.name == "scheduler" && setting.value) {
      setting.choices = offered_schedulers(*setting.value);
      setting.value = active_scheduler(*setting.value);
    }
    settings.push_back(std::move(setting));
  }
}

}  // namespace

std::vector<QueueSetting> read_queue_settings(const std::string& device, const SysRoot& root) {
  const std::string queue = block_device_directory(device, root) + "/queue";
  std::vector<QueueSetting> settings;
  add_settings(queue, "", root, settings);
  add_settings(queue + "/iosched", kIoschedPrefix, root, settings);
  return settings;
}

std::string active_scheduler(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']', open);
  if (open != std::string_view::npos && close != std::string_view::npos) {
    return std::string(text.substr(open + 1, close - open - 1));
  }
  const auto words = split_words(text);
  return words.size() == 1 ? std::string(words.front()) : "";
}

std::vector<std::string> offered_schedulers(std::string_view text) {
  std::vector<std::string> names;
  for (std::string_view word : split_words(text)) {
    if (word.starts_with('[') && word.ends_with(']')) word = word.substr(1, word.size() - 2);
    if (!word.empty()) names.emplace_back(word);
  }
  return names;
}

}  // namespace xrunlab
