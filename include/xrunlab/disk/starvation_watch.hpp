// The filling side of a StarvationGate: wakes the starved playback thread once all rings of its caller hold
// what it waits for. The disk reader and the decoder have one each, and each looks at its own tracks only: a
// playback thread that is woken by the first of them finds the rest missing and waits again.
#pragma once

#include <cstddef>

#include "xrunlab/core/units.hpp"
#include "xrunlab/disk/starvation_gate.hpp"

namespace xrunlab {

class StarvationWatch {
 public:
  /// `gate` must outlive the watch.
  explicit StarvationWatch(StarvationGate& gate) noexcept : gate_(gate) {}

  /// Wakes the playback thread when it waits for a position (frames since the start of play) and
  /// has(index, position) is true of every index below `count`. Call after publishing.
  template <typename Has>
  void look(std::size_t count, const Has& has) noexcept {
    const Frames wanted = gate_.wanted();
    if (wanted >= 0) {
      while (lacking_ < count && has(lacking_, wanted)) ++lacking_;
      if (lacking_ < count) return;
      gate_.wake();
    }
    lacking_ = 0;
  }

 private:
  StarvationGate& gate_;
  std::size_t lacking_ = 0;  ///< first track that may lack it: the ones before it have been seen to have it
};

}  // namespace xrunlab
