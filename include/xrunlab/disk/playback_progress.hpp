// What the playback thread tells the reader about itself: how far it has taken and when. Written once a
// fragment.
#pragma once

#include <atomic>
#include <cstdint>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

struct PlaybackProgress {
  alignas(64) std::atomic<Frames> taken{0};  ///< frames taken out of every ring since the start of play;
                                             ///< released after the blocks that this emptied
  std::atomic<std::int64_t> at_ns{0};        ///< when `taken` was last set
  std::atomic<std::int64_t> started_ns{0};   ///< the card's first start; 0 before it
};

}  // namespace xrunlab
