// A card in virtual time that fails on demand: xruns, suspends, unplugging, short writes and refusals at
// given fragments. For tests of whatever writes to a Pcm; keeps every byte it accepted. Not for real time: it
// allocates.
#pragma once

#include <vector>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/audio/sim_card.hpp"
#include "xrunlab/core/clock.hpp"

namespace xrunlab {

enum class CardFault {
  xrun,         ///< the writer is late: the clock moves on until the card has been dry for `length`
  suspend,      ///< −ESTRPIPE; resume() says −EAGAIN for `length`, then succeeds (−ENOSYS when it is 0)
  unplug,       ///< −ENODEV from here on
  wrong_state,  ///< −EBADFD until prepared
  short_write,  ///< one write accepts `frames` only
  refuse,       ///< −EAGAIN for `length`, and no wake-up meanwhile
  hang,         ///< −EAGAIN for ever, and no wake-up
};

/// Happens once, at the first write with `fragment` whole fragments accepted before it.
struct ScriptedFault {
  std::int64_t fragment = 0;
  CardFault fault = CardFault::xrun;
  Nanoseconds length{};
  Frames frames = 0;
};

class ScriptedPcm final : public Pcm {
 public:
  /// Only format, rate, channels, period, buffer and fragment of `grant` are read; thresholds follow as in
  /// open_pcm.
  ScriptedPcm(PcmGrant grant, FakeClock& clock, std::vector<ScriptedFault> script);

  Frames write(const std::byte* data, Frames frames) noexcept override;
  int wait(Nanoseconds timeout) noexcept override;
  Frames avail() noexcept override;
  int prepare() noexcept override;
  int resume() noexcept override;
  int start() noexcept override;
  PcmState state() noexcept override;
  std::optional<Nanoseconds> stopped_at() noexcept override { return stopped_at_; }
  int drain(Nanoseconds limit, const std::atomic<bool>& stop) noexcept override;
  int drop() noexcept override;

  /// Everything accepted, in order.
  const std::vector<std::byte>& accepted() const noexcept { return accepted_; }
  int prepares() const noexcept { return prepares_; }

 private:
  /// Runs what the script has for now; 0, or the negative errno that the write returns.
  int play_script() noexcept;
  void look_at_card() noexcept;
  int error_of_state() const noexcept;

  FakeClock& clock_;
  std::vector<ScriptedFault> script_;
  SimCard card_;
  PcmState state_ = PcmState::prepared;
  Frames total_ = 0;
  Frames since_prepare_ = 0;
  Frames short_write_ = 0;
  int prepares_ = 0;
  Nanoseconds refuses_until_{};
  Nanoseconds resumes_at_{};
  bool can_resume_ = false;
  std::optional<Nanoseconds> stopped_at_;
  std::vector<std::byte> accepted_;
};

}  // namespace xrunlab
