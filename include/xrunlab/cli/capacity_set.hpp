// The set of a capacity search: tracks that are written into a directory as the search needs them, in parts,
// each with a manifest of its own. Removed at the end, also after kill -9, unless it is to be kept; what an
// earlier search has kept is used again. Used by `capacity` on main.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "xrunlab/disk/set_spec.hpp"
#include "xrunlab/platform/guard_process.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

enum class KeepSet : std::uint8_t { no, yes };
enum class ShowProgress : std::uint8_t { no, yes };

/// How much of a directory's file system a set may take.
struct SetRoom {
  Bytes free = 0;
  Bytes allowed = 0;  ///< half of it, or with force all but a twentieth
};

/// Throws Error{system} when the file system does not tell.
SetRoom room_for_set(const std::filesystem::path& directory, bool force);

/// Tracks of this kind that an earlier search has kept in `directory`: they need no more room.
std::int64_t kept_tracks(const std::filesystem::path& directory, const SetSpec& track);

class CapacitySet {
 public:
  /// `track`: one track; its number of tracks is passed over. Writes nothing yet, but looks for what was
  /// kept. `guard` and `signals` must outlive it. Throws Error{system} when `directory` is none to write to.
  CapacitySet(GuardProcess& guard, const Signals& signals, std::filesystem::path directory,
              const SetSpec& track, KeepSet keep, ShowProgress progress);
  ~CapacitySet();
  CapacitySet(const CapacitySet&) = delete;
  CapacitySet& operator=(const CapacitySet&) = delete;

  /// Writes what is lacking to `tracks`; says before how much that is and about how long it takes. False when
  /// a signal came. Throws Error as write_set.
  bool grow_to(std::int64_t tracks);

  /// What `play` has to be given to play so many; grow_to has made them. No file is there twice.
  std::vector<std::string> inputs(std::int64_t tracks) const;

  std::int64_t size() const noexcept { return size_; }
  Bytes written() const noexcept { return written_; }

 private:
  struct Part {
    std::filesystem::path directory;
    SetSpec spec;
  };

  void find_kept();
  std::filesystem::path place_for_parts();
  bool write_part(int tracks, std::int64_t wanted);

  GuardProcess& guard_;
  const Signals& signals_;
  std::filesystem::path directory_;
  SetSpec track_;
  KeepSet keep_;
  ShowProgress progress_;
  std::filesystem::path kept_;       ///< where a kept set is or would be
  std::filesystem::path temporary_;  ///< empty until something is written there
  std::vector<Part> parts_;
  std::int64_t size_ = 0;
  Bytes written_ = 0;
  Nanoseconds writing_{};
};

}  // namespace xrunlab
