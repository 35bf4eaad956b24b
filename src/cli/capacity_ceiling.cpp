#include "xrunlab/cli/capacity_ceiling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "xrunlab/cli/capacity_set.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/platform/limits.hpp"

namespace xrunlab {
namespace {

// What `play` opens besides its tracks.
constexpr std::int64_t kOtherFiles = 64;

}  // namespace

void CapacityCeiling::lower_to(std::int64_t most, const std::string& resource, const std::string& evidence) {
  if (most >= tracks) return;
  tracks = most;
  limit = {resource, evidence};
}

Bytes track_frame_bytes(const SetSpec& track) noexcept {
  return static_cast<Bytes>(track.channels) * bytes_per_sample(track.format);
}

CapacityCeiling find_ceiling(const CapacityOptions& options, const CapacityRequest& request) {
  CapacityCeiling ceiling{options.max_tracks,
                          {"--max-tracks", fmt::format("--max-tracks {}", options.max_tracks)}};
  const SetRoom room = room_for_set(options.directory, options.force);
  const std::int64_t kept = kept_tracks(options.directory, request.track);
  ceiling.lower_to(kept + room.allowed / track_file_bytes(request.track), "disk space",
                   fmt::format("{} are free, {} of them may be taken{}", binary_bytes(room.free),
                               binary_bytes(room.allowed), options.force ? "" : " (--force takes more)"));
  const ResourceLimit files = read_limit("Max open files");
  if (files.hard != kUnlimited) {
    ceiling.lower_to(files.hard - kOtherFiles, "open files",
                     fmt::format("at most {} open files (ulimit -Hn)", files.hard));
  }
  if (const Bytes memory = available_memory_bytes(); memory > 0 && request.ring > 0) {
    const Bytes ring = request.ring * track_frame_bytes(request.track);
    ceiling.lower_to(
        memory / 10 * 9 / std::max<Bytes>(1, ring), "memory",
        fmt::format("{} are available, a track's ring takes {}", binary_bytes(memory), binary_bytes(ring)));
  }
  return ceiling;
}

void check_room(const CapacityOptions& options, const CapacityRequest& request) {
  const SetRoom room = room_for_set(options.directory, options.force);
  const std::int64_t kept = std::min(kept_tracks(options.directory, request.track), request.tracks);
  const Bytes needed = (request.tracks - kept) * track_file_bytes(request.track);
  if (needed <= room.allowed) return;
  throw Error(ExitCode::usage,
              fmt::format("{} take {}, and {} are free in {}", counted(request.tracks, "track"),
                          binary_bytes(needed), binary_bytes(room.free), printable_text(options.directory)),
              "add --force to take more than half of it, or ask for fewer --tracks");
}

}  // namespace xrunlab
