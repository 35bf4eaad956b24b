#include <chrono>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/replay_script.hpp"

namespace xrunlab {

Bytes played_frame_bytes(const TraceTrack& track) noexcept {
  return static_cast<Bytes>(bytes_per_sample(track.format)) * track.channels;
}

bool has_rings(const TraceChain& chain) noexcept {
  return !chain.tracks.empty() && chain.tracks.front().block_count > 0;
}

void check_replayable(const TraceHeader& header, const std::string& name) {
  const auto refuse = [&name](const std::string& what, const std::string& remedy = {}) {
    throw Error(ExitCode::input_file, name + ": " + what, remedy);
  };
  if (!header.chain) {
    refuse("this trace does not say how the tracks were cut into reads, so it cannot be played again",
           "record the run again: traces from version 3 on say so");
  }
  const auto& chain = *header.chain;
  if (!chain.paced)
    refuse("was recorded on an unpaced card: it was as fast as its machine, nothing in it could be late");
  constexpr Frames kMostFrames = Frames{1} << 28;
  constexpr Nanoseconds kLatestStart = std::chrono::hours{24 * 366 * 100};  // a machine's uptime
  if (header.rate.hz == 0 || header.rate.hz > 10'000'000 || header.fragment <= 0 || header.buffer <= 0 ||
      header.fragment > kMostFrames || header.buffer > kMostFrames || header.start.count() < 0 ||
      header.start > kLatestStart || chain.tracks.empty()) {
    refuse("the header of this trace is damaged");
  }
  for (std::size_t index = 0; index < chain.tracks.size(); ++index) {
    const auto& track = chain.tracks[index];
    if ((track.block_count > 0) != has_rings(chain)) refuse("the header of this trace is damaged");
    if (track.decoded && !track.coding) {
      refuse(printable_text(header.tracks[index]) +
                 " is decoded, and what the decoder made of its bytes is in traces from version 4 on only",
             "record the run again");
    }
    if (track.start < track.data_begin || track.start > track.data_end)
      refuse("the header of this trace is damaged");
  }
}

}  // namespace xrunlab
