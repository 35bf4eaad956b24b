// The memory that the clients of a JACK workload share with main, one memfd: each client has a seat, where
// main has written what it is to do, and where it writes how far it has come and when each of its cycles
// began and ended. So that what a client did is known whatever becomes of it. Used by main and by every
// client process.
//
// Memory ordering: a client stores a stamp's words and then `written`, all with release; main loads `written`
// with acquire, then a stamp's words with acquire, then `written` again: whoever has seen a word of the next
// round also sees that `written` has come so far, and drops the stamp. `stage` is stored with release after
// what it announces.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {

/// Where a client is. Each but the last three is a call of libjack that may hang.
enum class JackStage : std::uint32_t {
  starting,
  opening,
  registering,
  activating,
  connecting,
  working,
  closing,
  closed,
  failed
};

/// "jack_client_open", … : the call that a stage is in.
const char* call_of(JackStage stage) noexcept;

/// One cycle of one client; times are µs of the server's clock.
struct CycleStamp {
  std::uint32_t frame_time = 0;  ///< jack_last_frame_time: names the cycle
  std::uint64_t start_us = 0;    ///< current_usecs of jack_get_cycle_times: the cycle's start, filtered
  std::uint64_t wake_us = 0;     ///< when the driver woke, unfiltered, to one frame; 0: not known
  std::uint64_t begin_us = 0;    ///< entry into the process callback
  std::uint64_t end_us = 0;      ///< its return
  friend bool operator==(const CycleStamp&, const CycleStamp&) = default;
};

enum class SeatRole : std::uint32_t { client, meter };

/// One client's part. Zeros at first.
struct CycleSeat {
  static constexpr std::size_t kStamps = 4096;  // 6 s of 64 frames at 44.1 kHz, 0.7 s of 16 frames at 96 kHz
  static constexpr std::size_t kNameSize = 64;  // as jackd has it

  // Written by main before the client is started.
  SeatRole role = SeatRole::client;
  std::int32_t ports = 0;
  std::int32_t burn_ppm = 0;       ///< of the period
  std::int32_t awaits_server = 0;  ///< 1: the server may just be starting
  char server[kNameSize] = {};
  char name[kNameSize] = {};
  char source[kNameSize] = {};  ///< the client whose outputs it takes; empty: it stays unconnected

  // Written by the client.
  std::atomic<JackStage> stage{JackStage::starting};
  std::atomic<std::uint32_t> calls{0};  ///< of libjack that have returned: a stage may have many
  std::atomic<std::int32_t> pid{0};
  std::atomic<std::uint32_t> rate_hz{0};
  std::atomic<std::uint32_t> period_frames{0};
  std::atomic<std::uint32_t> realtime{0};
  std::atomic<std::int32_t> priority{0};         ///< of its process thread, where the server is real-time
  std::atomic<std::int64_t> clock_offset_us{0};  ///< the server's clock less CLOCK_MONOTONIC
  std::atomic<std::uint64_t> xruns{0};           ///< xrun callbacks, of the meter only
  std::atomic<std::uint64_t> driver_xruns{0};    ///< of those: the driver had been late
  std::atomic<std::uint32_t> dsp_load_ppm{0};    ///< of the meter only
  char what[240] = {};                           ///< why it failed
  std::atomic<std::uint64_t> written{0};         ///< stamps so far
  std::array<std::array<std::atomic<std::uint64_t>, 5>, kStamps> stamps{};

  void fail(const std::string& why) noexcept;

  /// Thread: the client's process thread. Real-time: wait-free.
  void put(const CycleStamp& stamp) noexcept {
    const std::uint64_t index = written.load(std::memory_order_relaxed);
    auto& words = stamps[index % kStamps];
    words[0].store(stamp.frame_time, std::memory_order_release);
    words[1].store(stamp.start_us, std::memory_order_release);
    words[2].store(stamp.wake_us, std::memory_order_release);
    words[3].store(stamp.begin_us, std::memory_order_release);
    words[4].store(stamp.end_us, std::memory_order_release);
    written.store(index + 1, std::memory_order_release);
  }
};

/// Reads the stamps of one seat in their order. Thread: main.
class StampReader {
 public:
  explicit StampReader(const CycleSeat& seat) noexcept : seat_(&seat) {}

  /// Appends those that have come since the last call.
  void read(std::vector<CycleStamp>& stamps);

  /// Overwritten before they were read.
  std::int64_t lost() const noexcept { return lost_; }

 private:
  const CycleSeat* seat_;
  std::uint64_t next_ = 0;
  std::int64_t lost_ = 0;
};

class CycleBoard {
 public:
  /// Anew, with so many seats. Throws Error{system}.
  explicit CycleBoard(int seats);

  /// As handed to a client. Throws Error{usage} when it is no board.
  explicit CycleBoard(UniqueFd fd);
  CycleBoard(const CycleBoard&) = delete;
  CycleBoard& operator=(const CycleBoard&) = delete;
  ~CycleBoard();

  int fd() const noexcept { return fd_.get(); }
  int seats() const noexcept;
  CycleSeat& seat(int index) const noexcept;

  /// Asks all clients to leave.
  void stop() noexcept;
  bool stopped() const noexcept;

 private:
  struct Head;
  void map(std::size_t size);

  UniqueFd fd_;
  Head* head_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace xrunlab
