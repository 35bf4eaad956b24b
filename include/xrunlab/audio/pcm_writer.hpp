// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// Writes one fragment to a card to its last frame, as the author of aplay would: short writes are continued,
// a full card is waited for, after an xrun the card is prepared and takes the same frames again, a suspended
// one is resumed. Says what happened on the way; counts nothing itself.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/timing/recorder.hpp"

namespace xrunlab {

enum class PcmWriteStatus : std::uint8_t {
  written,
  stopped,  ///< told to stop while waiting for the card
  stuck,    ///< the card took nothing for ten seconds and ten buffers
  failed,   ///< `error` says why: −ENODEV when the card has gone
};

struct PcmXrun {
  Nanoseconds noticed{};
  std::optional<Nanoseconds> stopped_at;  ///< the card's own word
};

struct PcmWriteResult {
  static constexpr std::size_t kMostXruns = 8;

  PcmWriteStatus status = PcmWriteStatus::written;
  int error = 0;
  std::size_t xrun_count = 0;  ///< all, also those beyond kMostXruns
  std::array<PcmXrun, kMostXruns> xruns{};
  std::int64_t suspends = 0;
  std::optional<Wake> wake;           ///< of the wait that ended latest; absent: there was none
  Frames accepted = 0;                ///< of this fragment
  Frames accepted_since_prepare = 0;  ///< those after the last xrun in this write; else as `accepted`
  bool prepared_anew = false;         ///< the card was prepared in this write and starts again when full
};

class PcmWriter {
 public:
  /// All three must outlive the writer; `stop` is looked at while the card is waited for, every 100 ms.
  PcmWriter(Pcm& pcm, Clock& clock, const std::atomic<bool>& stop) noexcept;

  /// `frames` interleaved frames at `data`. Thread: playback. Real-time: waits for the card only.
  PcmWriteResult write(const std::byte* data, Frames frames) noexcept;

 private:
  enum class Step : std::uint8_t { go_on, give_up };

  Step wait(PcmWriteResult& result, Nanoseconds& waiting_since) noexcept;
  Step recover(int error, PcmWriteResult& result) noexcept;
  Step recover_xrun(PcmWriteResult& result) noexcept;
  Step recover_suspend(PcmWriteResult& result) noexcept;
  Step fail(int error, PcmWriteResult& result) noexcept;
  bool stopping() const noexcept { return stop_.load(std::memory_order_relaxed); }

  Pcm& pcm_;
  Clock& clock_;
  const std::atomic<bool>& stop_;
  Bytes frame_bytes_;
  Nanoseconds patience_;
};

}  // namespace xrunlab
