// The directory of a sweep: its description (sweep.json) and a file for each run, put there whole or not at
// all and never overwritten. Held by `xrunlab sweep` on the main thread.
#pragma once

#include <filesystem>
#include <string>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/model/sweep_manifest.hpp"

namespace xrunlab {

class SweepDirectory {
 public:
  /// For a new sweep: makes the directory, or takes an empty one, and writes sweep.json into it. Throws
  /// Error{usage} for one that holds something, Error{system} when it cannot be written to.
  static SweepDirectory create(const std::filesystem::path& path, const SweepManifest& sweep);

  /// What create() would refuse in a directory that is there. Throws Error{usage}.
  static void check_free(const std::filesystem::path& path);

  /// Goes on with a sweep. Throws Error{input_file} when there is none or it cannot be read, Error{usage}
  /// while another process goes on with it.
  static SweepDirectory resume(const std::filesystem::path& path);

  /// For one run of many that several processes make at once: as create(), but a description that is there
  /// already is taken. Throws Error{usage} when it describes another sweep, or while a process goes on with
  /// it as a whole.
  static SweepDirectory join(const std::filesystem::path& path, const SweepManifest& sweep);

  const std::filesystem::path& path() const noexcept { return path_; }
  const SweepManifest& manifest() const noexcept { return manifest_; }

  /// Whether the run with this file is recorded. Throws Error{input_file} when the file is no run of this
  /// sweep.
  bool holds(const std::string& name) const;

  /// Where a run that is being made writes its file to; no run file yet, and hidden.
  std::filesystem::path draft(const std::string& name) const;

  /// Records a run, on the disk before it returns. Throws Error{system}, also when the file is there.
  void record(const std::string& name, const RunData& run) const;

  /// Puts down why a run failed, as NAME.failed-1.txt, or -2 and so on: the first that is free.
  void record_failure(const std::string& name, const std::string& text) const;

  /// Plans more runs, and writes that down.
  void extend(int exploratory_runs);

 private:
  SweepDirectory(std::filesystem::path path, SweepManifest sweep);
  void lock(int how);          ///< of flock
  void remove_drafts() const;  ///< of a process that was killed

  std::filesystem::path path_;
  SweepManifest manifest_;
  UniqueFd lock_;
};

}  // namespace xrunlab
