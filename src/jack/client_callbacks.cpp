// Real-time: this file runs on JACK's process thread; it must not allocate, lock, print or make unplanned system calls.
#include "client_callbacks.hpp"

#include <algorithm>
#include <cstring>

namespace xrunlab {

void mean_of_inputs(std::span<const float* const> inputs, std::span<float* const> outputs,
                    std::uint32_t frames) noexcept {
  if (outputs.empty()) return;
  float* const first = outputs.front();
  std::fill_n(first, frames, 0.0F);
  for (const float* const input : inputs) {
    for (std::uint32_t frame = 0; frame < frames; ++frame) first[frame] += input[frame];
  }
  if (!inputs.empty()) {
    const float share = 1.0F / static_cast<float>(inputs.size());
    for (std::uint32_t frame = 0; frame < frames; ++frame) first[frame] *= share;
  }
  for (float* const output : outputs.subspan(1)) std::memcpy(output, first, frames * sizeof(float));
}

int process_cycle(std::uint32_t frames, void* callbacks) noexcept {
  auto& self = *static_cast<ClientCallbacks*>(callbacks);
  const JackLibrary& jack = *self.jack;
  CycleStamp stamp;
  stamp.begin_us = jack.get_time();
  stamp.frame_time = jack.last_frame_time(self.client);
  std::uint32_t current_frames = 0;
  std::uint64_t next_us = 0;
  float period_us = 0;
  if (jack.get_cycle_times(self.client, &current_frames, &stamp.start_us, &next_us, &period_us) != 0) {
    stamp.start_us = stamp.begin_us;
  }
  for (std::size_t port = 0; port < self.ins.size(); ++port) {
    self.sources[port] = static_cast<const float*>(jack.port_get_buffer(self.ins[port], frames));
    self.sinks[port] = static_cast<float*>(jack.port_get_buffer(self.outs[port], frames));
    // Not zero: JACK takes the client out of its graph, and the seat, which no longer advances, tells.
    if (self.sources[port] == nullptr || self.sinks[port] == nullptr) return 1;
  }
  mean_of_inputs(self.sources, self.sinks, frames);
  if (self.burn_us > 0) {
    while (jack.get_time() - stamp.begin_us < self.burn_us) {
    }
  }
  stamp.end_us = jack.get_time();
  self.seat->put(stamp);
  return 0;
}

}  // namespace xrunlab
