// The fake behind the seam of a sound server: it calls when a test says so, and keeps every sample. Used by
// tests, on their thread. Not for real time: it allocates.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "xrunlab/audio/server_pcm.hpp"

namespace xrunlab {

class ScriptedServerPcm final : public ServerPcm {
 public:
  explicit ScriptedServerPcm(PcmGrant grant) { grant_ = std::move(grant); }

  void start_cycles(CycleListener& listener) override { listener_ = &listener; }
  bool stop_cycles() noexcept override {
    listener_ = nullptr;
    return true;
  }
  bool gone() const noexcept override { return false; }
  pid_t cycle_thread() const noexcept override { return 0; }

  Frames write(const std::byte* data, Frames frames) noexcept override {
    const auto samples = static_cast<std::size_t>(frames * grant_.channels);
    if (samples > 0) std::memcpy(&*(taken_.end() - under_way_), data, samples * sizeof(float));
    return frames;
  }

  /// One cycle of the server.
  void call(const AudioCycle& cycle) {
    under_way_ = static_cast<std::ptrdiff_t>(cycle.frames * grant_.channels);
    taken_.resize(taken_.size() + static_cast<std::size_t>(under_way_));
    if (listener_ != nullptr) listener_->cycle(cycle);
  }

  /// What all cycles carried, interleaved.
  const std::vector<float>& taken() const noexcept { return taken_; }

 private:
  CycleListener* listener_ = nullptr;
  std::ptrdiff_t under_way_ = 0;
  std::vector<float> taken_;
};

}  // namespace xrunlab
