// The simulated card as the playback loop sees it: an AlsaPcm on our own ALSA plug-in, with the exact instant
// at which it ran dry. With a clock that is not CLOCK_MONOTONIC waiting and draining move the clock, so that
// a whole run takes no time. Opened by open_pcm.
#pragma once

#include "xrunlab/audio/alsa_pcm.hpp"

namespace xrunlab {

class SimPlug;

class SimPcm final : public AlsaPcm {
 public:
  /// `plug` is configured and prepared; its PCM handle is taken over.
  SimPcm(std::unique_ptr<SimPlug> plug, PcmGrant grant, Clock& clock);
  ~SimPcm() override;

  int wait(Nanoseconds timeout) noexcept override;
  std::optional<Nanoseconds> stopped_at() noexcept override;
  void close() override;

 protected:
  void wait_for_drain(Nanoseconds until) noexcept override;

 private:
  std::unique_ptr<SimPlug> plug_;
};

}  // namespace xrunlab
