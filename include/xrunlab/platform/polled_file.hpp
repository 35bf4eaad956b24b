// A file of /proc that is read over and over: it stays open, so a reading is one pread and not a walk of the
// path, an open, two reads and a close, which cost three times as much. Used by the system sampler on the
// collector's thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {

class PolledFile {
 public:
  /// `path`: where it really lies, under a fake root too. It is opened by the first reading that finds it.
  explicit PolledFile(std::string path) : path_(std::move(path)) {}

  /// What it says now, as a whole; nothing when it is not there or cannot be read. Valid until the next
  /// reading.
  std::optional<std::string_view> read();

 private:
  std::string path_;
  UniqueFd file_;
  std::string text_;
};

}  // namespace xrunlab
