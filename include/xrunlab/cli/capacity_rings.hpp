// The rings that a capacity search tries: as `play` grants them, so that what is said is what was had. Used
// by capacity_request on main.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/disk/set_spec.hpp"

namespace xrunlab {

class RingSteps {
 public:
  /// Of a ring, at the least.
  static constexpr std::int64_t kLeastReads = 4;

  /// Throws Error{usage} for an --io-size that is no amount of bytes.
  RingSteps(const PlayOptions& play, const SetSpec& track);

  /// What is granted for a ring of so many frames, in whole frames: the same again when that is asked for.
  /// Throws Error{usage} for an impossible --io-size.
  Frames granted(Frames asked) const;

  /// From `longest` or a little less down to the smallest that can be had, 20 a decade in frames. Two that
  /// come to the same are one step. At least one. Throws as granted().
  std::vector<std::int64_t> down_from(Nanoseconds longest) const;

  Bytes smallest_read() const noexcept { return io_size_.value_or(kPageBytes); }

 private:
  Frames smallest_asked() const;

  Bytes frame_bytes_;
  SampleRate rate_;
  Frames fragment_;
  std::optional<Bytes> io_size_;  ///< nothing: auto
};

}  // namespace xrunlab
