// The directory side of writing a set: what is in it already, whose it is, and the change from the old files
// to the new ones as one step that is undone unless it is committed. Used by the set writer only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/disk/set_writer.hpp"
#include "xrunlab/model/set_manifest.hpp"

namespace xrunlab {

/// The manifest in `dir`, if there is one. Throws Error{input_file} for an unreadable or broken one.
std::optional<SetManifest> read_manifest(const std::filesystem::path& dir);

class SetTransaction {
 public:
  /// Looks, and changes nothing: throws where files stand in the way. `wanted` names the files to come.
  SetTransaction(const std::filesystem::path& dir, SetManifest wanted, Force force);

  /// Undoes what was not committed: temporary files, the manifest, the directory.
  ~SetTransaction();
  SetTransaction(const SetTransaction&) = delete;
  SetTransaction& operator=(const SetTransaction&) = delete;

  /// Makes the directory and puts down a manifest with complete = false, so that even after a kill everything
  /// is known to be ours.
  void begin();

  /// Where to write file `index`; it does not exist yet. The name becomes final with commit().
  std::filesystem::path partial_path(std::size_t index) const;

  /// Gives the files, all written and synced, their names; removes those of the old set that have no
  /// successor.
  std::vector<std::filesystem::path> commit();

 private:
  void refuse_what_stands_in_the_way(Force force) const;
  bool is_ours(const std::string& name) const;

  std::filesystem::path dir_;
  SetManifest wanted_;
  std::optional<SetManifest> old_;
  bool made_directory_ = false;
  bool begun_ = false;
  std::vector<std::filesystem::path> named_;  ///< new files that commit() has given their names
  bool replaced_any_ = false;
  bool committed_ = false;
};

}  // namespace xrunlab
