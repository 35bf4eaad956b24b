// What a client of the workload does in JACK's process thread, apart from what sets it up. Used by
// GraphClient.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "xrunlab/jack/cycle_board.hpp"
#include "xrunlab/jack/jack_library.hpp"

namespace xrunlab {

/// All that the callbacks need; nothing in it changes once the client is active.
struct ClientCallbacks {
  const JackLibrary* jack = nullptr;
  JackClient* client = nullptr;
  CycleSeat* seat = nullptr;
  std::uint64_t burn_us = 0;  ///< how long a cycle lasts at least
  std::vector<JackPort*> ins;
  std::vector<JackPort*> outs;
  std::vector<const float*> sources;  ///< as large as ins and outs
  std::vector<float*> sinks;
};

/// Every output is the mean of all inputs, silence where there is none. Real-time: wait-free.
void mean_of_inputs(std::span<const float* const> inputs, std::span<float* const> outputs,
                    std::uint32_t frames) noexcept;

/// JACK's process callback; `callbacks` is a ClientCallbacks. Thread: JACK's process thread. Real-time:
/// wait-free.
int process_cycle(std::uint32_t frames, void* callbacks) noexcept;

}  // namespace xrunlab
