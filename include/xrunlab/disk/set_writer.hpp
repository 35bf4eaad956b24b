// Writes and removes sets of generated tracks. A set appears as a whole or not at all: every file is written
// under a temporary name, synced, and renamed when all are there; a manifest beside them says what is ours.
// Used by `gen` and `play --tracks`, on the main thread, before any clock starts.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "xrunlab/disk/set_spec.hpp"

namespace xrunlab {

/// Whether a set of ours may be overwritten, more than half of the free space used, and files of the set
/// removed that have changed since. What the manifest does not name is never touched.
enum class Force : std::uint8_t { no, yes };

struct WriteProgress {
  Bytes bytes_done = 0;
  Bytes bytes_total = 0;
  bool finished = false;  ///< the last call
};

struct WriteOptions {
  Force force = Force::no;
  /// Called at most ten times a second and once at the end.
  std::function<void(const WriteProgress&)> progress;
  /// One line for each fallback, such as a refused O_DIRECT.
  std::function<void(const std::string&)> warn;
  /// Polled for every block; true ends the writing and leaves nothing of it. May be set by a signal handler.
  const std::atomic<bool>* stop = nullptr;
};

/// Writes the set into `dir`, which is made if it is not there, and returns its files in the order of the
/// tracks. Empty when `stop` ended it: then `dir` is as it was before. Throws Error: usage for an impossible
/// set, a set or foreign files in the way, or more than half of the free space without Force::yes; system for
/// a full disk or missing rights; input_file for a broken manifest. After an error, too, `dir` is as it was,
/// but for one while the files of an old set are being replaced at the very end: then remove_set clears up.
std::vector<std::filesystem::path> write_set(const std::filesystem::path& dir, const SetSpec& spec,
                                             const WriteOptions& options = {});

/// Removes the files that the manifest in `dir` names, the manifest, and `dir` itself if it was made for the
/// set and is empty then. Returns how many files it removed. Throws Error{input_file} where there is no
/// manifest, or where a file has changed its size (unless Force::yes): then nothing is touched.
int remove_set(const std::filesystem::path& dir, Force force = Force::no);

/// Throws what TemporarySet would, but writes nothing.
void check_temporary_set(const std::filesystem::path& in, const SetSpec& spec);

/// A set in a fresh directory, which lives as long as this object.
class TemporarySet {
 public:
  /// Makes a directory "xrunlab-XXXXXX" in `in`, tells `made` which, and writes the set there; errors as
  /// write_set's.
  TemporarySet(
      const std::filesystem::path& in, const SetSpec& spec, const WriteOptions& options = {},
      const std::function<void(const std::filesystem::path&)>& made = [](const auto&) {});
  ~TemporarySet();
  TemporarySet(const TemporarySet&) = delete;
  TemporarySet& operator=(const TemporarySet&) = delete;

  const std::filesystem::path& directory() const noexcept { return directory_; }

  /// Empty when the stop flag ended the writing.
  const std::vector<std::filesystem::path>& files() const noexcept { return files_; }

 private:
  std::filesystem::path directory_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace xrunlab
