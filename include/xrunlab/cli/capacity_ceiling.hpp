// How many tracks may be tried at the most, and what says so: the disk's free space, open files, memory. Used
// by capacity_request on main before anything is written.
#pragma once

#include <cstdint>
#include <string>

#include "xrunlab/cli/capacity_request.hpp"

namespace xrunlab {

struct CapacityCeiling {
  std::int64_t tracks = 0;
  CapacityLimit limit;

  void lower_to(std::int64_t most, const std::string& resource, const std::string& evidence);
};

/// Bytes of one frame of all channels.
Bytes track_frame_bytes(const SetSpec& track) noexcept;

/// For `request.track` and `request.ring`; tracks that an earlier search has kept take no more room. Throws
/// Error{system} when the file system does not tell.
CapacityCeiling find_ceiling(const CapacityOptions& options, const CapacityRequest& request);

/// Throws Error{usage} when `request.tracks` tracks do not fit; Error{system} as find_ceiling.
void check_room(const CapacityOptions& options, const CapacityRequest& request);

}  // namespace xrunlab
