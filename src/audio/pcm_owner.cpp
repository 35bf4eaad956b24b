#include "pcm_owner.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

std::optional<int> to_number(std::string_view text) {
  int number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The entries of a directory that are called `before`, a number and `after`, by their numbers; one of them
/// when `only` is given.
std::map<int, fs::path> numbered(const fs::path& directory, std::string_view before, std::string_view after,
                                 std::optional<int> only) {
  std::map<int, fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    const std::string text = entry->path().filename();
    std::string_view name = text;
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
      continue;
    name = name.substr(before.size(), name.size() - before.size() - after.size());
    const auto number = to_number(name);
    if (number && only.value_or(*number) == *number) found.emplace(*number, entry->path());
  }
  return found;
}

/// The number in a line "KEY : 123" of a file.
std::optional<int> number_in(const fs::path& file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const auto begin = line.find_first_not_of(" \t:", key.size());
    if (begin != std::string::npos) return to_number(std::string_view(line).substr(begin));
  }
  return std::nullopt;
}

/// The kernel names the thread that opened the PCM.
PcmOwner owner_of(int thread, const std::string& root) {
  PcmOwner owner;
  owner.process = number_in(root + "/proc/" + std::to_string(thread) + "/status", "Tgid").value_or(thread);
  std::ifstream in(root + "/proc/" + std::to_string(owner.process) + "/comm");
  std::getline(in, owner.command);
  return owner;
}

}  // namespace

std::vector<PcmOwner> playback_owners(const CardAddress& address, const std::string& root) {
  std::vector<PcmOwner> owners;
  for (const auto& [card, card_directory] : numbered(root + "/proc/asound", "card", "", address.card)) {
    for (const auto& [device, pcm_directory] : numbered(card_directory, "pcm", "p", address.device)) {
      for (const auto& [sub, directory] : numbered(pcm_directory, "sub", "", address.subdevice)) {
        const auto thread = number_in(directory / "status", "owner_pid");
        if (thread.value_or(0) <= 0) continue;
        const PcmOwner owner = owner_of(*thread, root);
        const auto same = [&](const PcmOwner& other) { return other.process == owner.process; };
        if (std::none_of(owners.begin(), owners.end(), same)) owners.push_back(owner);
      }
    }
  }
  return owners;
}

std::string to_text(const std::vector<PcmOwner>& owners) {
  std::string text;
  for (std::size_t index = 0; index < owners.size(); ++index) {
    if (index > 0) text += index + 1 == owners.size() ? " and " : ", ";
    const auto process = "process " + std::to_string(owners[index].process);
    text += owners[index].command.empty() ? process : owners[index].command + " (" + process + ")";
  }
  return text;
}

}  // namespace xrunlab
