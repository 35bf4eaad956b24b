#include "xrunlab/platform/put_back.hpp"

#include <algorithm>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

/// Scheduler, its settings, and what rounding one of them has done to another.
constexpr int kMostPasses = 4;

/// The other half of a pair of which the kernel keeps one: "dirty_bytes" and "dirty_ratio". "" for the rest.
std::string other_half(const SettingFile& file) {
  if (file.owner.area != SettingArea::vm) return "";
  const std::string_view name = file.name;
  if (name.ends_with("_bytes")) return std::string(name.substr(0, name.size() - 5)) + "ratio";
  if (name.ends_with("_ratio")) return std::string(name.substr(0, name.size() - 5)) + "bytes";
  return "";
}

const SettingRecord* find_record(std::span<const SettingRecord> found, const SettingFile& file) {
  const auto at =
      std::find_if(found.begin(), found.end(), [&file](const auto& one) { return one.file == file; });
  return at == found.end() ? nullptr : &*at;
}

/// dirty_bytes is switched off by writing the ratio, not by 0, which the kernel refuses or passes over. So of
/// a pair the half is written that was in force, also when only the other one differs.
const SettingRecord& half_in_force(const SettingRecord& record, std::span<const SettingRecord> found) {
  if (record.value != "0") return record;
  SettingFile other = record.file;
  other.name = other_half(record.file);
  const SettingRecord* const partner = other.name.empty() ? nullptr : find_record(found, other);
  if (partner == nullptr) return record;
  return partner->value != "0" || partner->file.name.ends_with("_ratio") ? *partner : record;
}

}  // namespace

bool is_as_found(const SettingRecord& record, const SettingFiles& files) {
  if (!record.file.scheduler.empty() &&
      files.active_scheduler_of(record.file.owner.name) != record.file.scheduler) {
    return true;
  }
  return files.read(record.file) == record.value;
}

std::string to_string(const SettingDifference& difference) {
  std::string text = describe(difference.file) + " is " +
                     (difference.is.empty() ? "not readable" : difference.is) + ", was " + difference.wanted;
  if (!difference.cause.empty()) text += ": " + difference.cause;
  return text;
}

std::vector<SettingDifference> differences(std::span<const SettingRecord> found, const SettingFiles& files) {
  std::vector<SettingDifference> different;
  for (const SettingRecord& record : found) {
    if (is_as_found(record, files)) continue;
    different.push_back({record.file, record.value, files.read(record.file).value_or(""), ""});
  }
  return different;
}

std::vector<SettingDifference> put_back(std::span<const SettingRecord> found, SettingFiles& files) {
  std::vector<int> refusals(found.size(), 0);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool wrote = false;
    for (std::size_t index = found.size(); index-- > 0;) {
      const SettingRecord& record = found[index];
      if (is_as_found(record, files)) continue;
      const SettingRecord& in_force = half_in_force(record, found);
      refusals[index] = files.write(in_force.file, in_force.value);
      if (&in_force != &record && !is_as_found(record, files)) {
        refusals[index] = files.write(record.file, record.value);
      }
      wrote = wrote || refusals[index] == 0;
    }
    if (!wrote) break;
  }
  auto left = differences(found, files);
  for (SettingDifference& difference : left) {
    const auto* const record = find_record(found, difference.file);
    const int refusal = refusals[static_cast<std::size_t>(record - found.data())];
    if (refusal != 0) difference.cause = errno_text(refusal);
  }
  return left;
}

}  // namespace xrunlab
