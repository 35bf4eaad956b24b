#include "xrunlab/platform/sys_root.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "xrunlab/core/file_text.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {

SysRoot::SysRoot() {
  if (const char* const prefix = std::getenv("XRUNLAB_SYSROOT")) prefix_ = prefix;
}

std::optional<std::string> SysRoot::read(std::string_view absolute) const {
  auto whole = file_text(path(absolute).c_str());
  if (!whole) return std::nullopt;
  std::string& text = *whole;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\0')) text.pop_back();
  return whole;
}

std::optional<std::int64_t> SysRoot::read_integer(std::string_view absolute) const {
  const auto text = read(absolute);
  return text ? leading_number(*text) : std::nullopt;
}

std::optional<std::string> SysRoot::read_link(std::string_view absolute) const {
  std::error_code error;
  const auto target = std::filesystem::read_symlink(path(absolute), error);
  if (error) return std::nullopt;
  return target.string();
}

std::vector<std::string> SysRoot::list(std::string_view absolute) const {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path(absolute), error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool SysRoot::exists(std::string_view absolute) const {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(path(absolute), error));
}

bool SysRoot::is_regular_file(std::string_view absolute) const {
  std::error_code error;
  return std::filesystem::is_regular_file(path(absolute), error);
}

bool SysRoot::is_writable(std::string_view absolute) const {
  std::error_code error;
  const auto permissions = std::filesystem::status(path(absolute), error).permissions();
  return !error && (permissions & std::filesystem::perms::owner_write) != std::filesystem::perms::none;
}

}  // namespace xrunlab
