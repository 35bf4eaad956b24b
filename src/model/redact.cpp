#include "xrunlab/model/redact.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace xrunlab {
namespace {

constexpr std::string_view kPathEnds = " \t\n\"'=,;:()[]<>";
constexpr const char* kHidden = "redacted";

bool stays(std::string_view path) {
  static constexpr std::array<std::string_view, 5> kRoots{"/proc/", "/sys/", "/dev/", "/etc/", "/usr/"};
  return std::any_of(kRoots.begin(), kRoots.end(), [path](auto root) { return path.starts_with(root); });
}

std::string_view base_name(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

std::string shortened(std::string_view path) {
  if (path.starts_with("/dev/disk/")) return kHidden;
  return std::string(stays(path) ? path : base_name(path));
}

bool starts_as_path(std::string_view word) {
  return (word.starts_with('/') && word.size() > 1) || word.starts_with("~/") || word.starts_with("./") ||
         word.starts_with("../");
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

bool is_word(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '_';
}

/// Replaces `word` where it stands alone: a host named "io" must not change "io_uring".
void replace_word(std::string& text, std::string_view word, std::string_view by) {
  if (word.empty()) return;
  for (auto at = text.find(word); at != std::string::npos;) {
    const auto end = at + word.size();
    const bool alone = (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
    if (alone) text.replace(at, word.size(), by);
    at = text.find(word, at + (alone ? by.size() : word.size()));
  }
}

/// 8-4-4-4-12 hexadecimal digits.
bool is_uuid(std::string_view text) {
  static constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (text.size() < kShape.size()) return false;
  for (std::size_t index = 0; index < kShape.size(); ++index) {
    const char letter = text[index];
    const bool digit = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') ||
                       (letter >= 'A' && letter <= 'F');
    if (kShape[index] == '-' ? letter != '-' : !digit) return false;
  }
  return true;
}

void hide_uuids(std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_uuid(std::string_view(text).substr(at))) text.replace(at, 36, kHidden);
  }
}

/// FNV-1a, 32 bits. A boot id is 122 random bits: the hash tells nothing of it.
std::string hashed_boot(const std::string& boot_id) {
  if (boot_id.empty()) return {};
  std::uint32_t hash = 2'166'136'261u;
  for (const char letter : boot_id) hash = (hash ^ static_cast<unsigned char>(letter)) * 16'777'619u;
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "boot-%08x", static_cast<unsigned>(hash));
  return text.data();
}

/// Folders of the inputs, each with its slash. A folder's name may hold blanks, which without_directories
/// takes for the end of a path; the longest come first, since one may lie in another.
std::vector<std::string> input_folders(const RunData& run) {
  std::set<std::string> folders;
  for (const auto& input : run.inputs) {
    const auto slash = input.path.rfind('/');
    if (slash != std::string::npos) folders.insert(input.path.substr(0, slash + 1));
  }
  std::vector<std::string> sorted(folders.begin(), folders.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& left, const auto& right) { return left.size() > right.size(); });
  return sorted;
}

/// Calls `change` for every text of `run` that may name a path or the host.
void for_each_text(RunData& run, const std::function<void(std::string&)>& change) {
  for (auto* texts : {&run.cmdline, &run.reasons, &run.warnings}) {
    for (auto& text : *texts) change(text);
  }
  for (auto* text :
       {&run.error, &run.verdict_line, &run.device.name, &run.load, &run.load_error, &run.system.cmdline}) {
    change(*text);
  }
  for (auto& check : run.self_checks) change(check.detail);
  for (auto& episode : run.episodes) change(episode.evidence.detail);
  for (auto& load : run.loads) {
    for (auto* text : {&load.spec, &load.error, &load.output}) change(*text);
  }
  if (!run.experiment) return;
  for (auto* settings : {&run.experiment->varied, &run.experiment->fixed}) {
    for (auto& setting : *settings) {
      change(setting.value);
      if (setting.asked) change(*setting.asked);
    }
  }
}

/// An argument is no prose: what holds a slash there is a path, unless it is a set such as 48k/24/1.
void clean_argument(std::string& argument) {
  const auto equals = argument.find('=');
  const std::size_t begin = argument.starts_with('-') && equals != std::string::npos ? equals + 1 : 0;
  const std::string value = argument.substr(begin);
  const bool is_set = !value.empty() && value.find_first_not_of("0123456789.kf/") == std::string::npos &&
                      value.front() != '/' && value.front() != '.';
  if (value.find('/') == std::string::npos || is_set || value.find('=') != std::string::npos) return;
  argument.replace(begin, std::string::npos, shortened(value));
}

/// The directory or file of a load's spec may be a relative one, which without_directories does not see.
void clean_load(RunData& run, const LoadData& load) {
  if (load.kind == "stress-ng" || load.spec.empty()) return;
  const auto colon = std::min(load.spec.find(':'), load.spec.size() - 1) + 1;
  const auto end = load.kind == "fio" ? std::string::npos : load.spec.find(',', colon);
  const auto named = load.spec.substr(0, end);
  const auto cleaned = load.spec.substr(0, colon) + shortened(named.substr(colon));
  for (auto& argument : run.cmdline) replace_all(argument, named, cleaned);
  for_each_text(run, [&](std::string& text) { replace_all(text, named, cleaned); });
}

}  // namespace

std::string without_directories(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto length = std::min(text.find_first_of(kPathEnds), text.size());
    const auto word = text.substr(0, length);
    result += starts_as_path(word) ? shortened(word) : std::string(word);
    if (length < text.size()) result += text[length];
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return result;
}

RunData with_base_names(RunData run) {
  for (const auto& load : std::vector<LoadData>(run.loads)) clean_load(run, load);
  for (auto& argument : run.cmdline) clean_argument(argument);
  for_each_text(run, [folders = input_folders(run)](std::string& text) {
    for (const auto& folder : folders) replace_all(text, folder, "");
    text = without_directories(text);
  });
  for (auto& input : run.inputs) input.path = std::string(base_name(input.path));
  return run;
}

RunData redacted(RunData run) {
  run = with_base_names(std::move(run));
  for_each_text(run, [host = run.system.host](std::string& text) {
    hide_uuids(text);
    replace_word(text, host, kHidden);
  });
  if (!run.system.host.empty()) run.system.host = kHidden;
  run.system.boot_id = hashed_boot(run.system.boot_id);
  return run;
}

}  // namespace xrunlab
