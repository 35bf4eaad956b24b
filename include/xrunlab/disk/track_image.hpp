// One track as the stream of bytes that its file consists of: header, samples, padding. Lets a writer cut the
// file into blocks wherever it likes. Used by the track writers.
#pragma once

#include <span>

#include "xrunlab/disk/container.hpp"
#include "xrunlab/disk/set_spec.hpp"

namespace xrunlab {

class TrackImage {
 public:
  /// `spec` has passed check_set and is not FLAC.
  TrackImage(const SetSpec& spec, int track_index);

  Bytes file_bytes() const noexcept { return layout_.file_bytes(); }

  /// The next bytes of the file; zeros beyond its end.
  void read(std::span<std::byte> out);

 private:
  ContainerLayout layout_;
  SignalStream samples_;
  Bytes position_ = 0;
};

}  // namespace xrunlab
