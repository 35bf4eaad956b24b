// The root under which /proc, /sys, /dev and /etc are read: "" on a machine, a directory in tests, so that a
// fake tree stands in for a machine. Everything in platform that reads such a file takes one. Set-up code,
// any thread; not real-time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab {

class SysRoot {
 public:
  /// The directory in XRUNLAB_SYSROOT, or the machine itself.
  SysRoot();

  /// `prefix`: a directory without a trailing slash, or "" for the machine itself.
  explicit SysRoot(std::string prefix) : prefix_(std::move(prefix)) {}

  bool is_fake() const noexcept { return !prefix_.empty(); }

  /// Where `absolute` (which begins with '/') really lies.
  std::string path(std::string_view absolute) const { return prefix_ + std::string(absolute); }

  /// The whole file, blanks and newlines at its end cut; nothing when it cannot be read.
  std::optional<std::string> read(std::string_view absolute) const;

  /// The number at the start of the file; nothing when there is none.
  std::optional<std::int64_t> read_integer(std::string_view absolute) const;

  /// What a symbolic link contains, unresolved.
  std::optional<std::string> read_link(std::string_view absolute) const;

  /// The names in a directory, sorted; empty when it cannot be read.
  std::vector<std::string> list(std::string_view absolute) const;

  bool exists(std::string_view absolute) const;

  /// Links are followed.
  bool is_regular_file(std::string_view absolute) const;

  /// Whether its owner may write to it, whoever asks: sysfs so tells a setting from a fact.
  bool is_writable(std::string_view absolute) const;

 private:
  std::string prefix_;
};

}  // namespace xrunlab
