// The decoder thread: keeps the rings of all coded tracks full of decoded frames, the emptiest track first,
// out of the raw bytes that the disk reader delivers. A track without bytes is passed over; when nothing can
// be done it sleeps until, by the rate of play, the next block falls vacant. It is woken by nobody. run() is
// the thread's body; step() is one turn of it, for tests.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/disk_reader.hpp"
#include "xrunlab/disk/playback_progress.hpp"
#include "xrunlab/disk/starvation_gate.hpp"
#include "xrunlab/disk/starvation_watch.hpp"
#include "xrunlab/disk/track_decoder.hpp"
#include "xrunlab/timing/planned_delays.hpp"

namespace xrunlab {

struct DecoderConfig {
  SampleRate rate;
  Frames fragment = 1024;
  Pacing pacing = Pacing::by_rate;
  Looping looping = Looping::once;
  OddFile odd_file = OddFile::is_warned_of;
  PlannedDelays* delays = nullptr;  ///< of --fault decoder-delay, spent on a chunk whose raw bytes are there
};

enum class DecoderTells : std::uint8_t { waits, waits_and_pieces };

class Decoder {
 public:
  /// What is given by reference must outlive the decoder.
  Decoder(const DecoderConfig& config, std::vector<DecoderTrack> tracks, const PlaybackProgress& progress,
          StarvationGate& gate, Clock& clock);

  /// Before run(): tells of each time that a track had room, but for a millisecond or more no raw bytes, and
  /// if so asked of each piece that was decoded. `tracks`: the number of the file of each track, by which
  /// events name it.
  void tell(EventProducer<Event> events, std::vector<std::uint32_t> tracks,
            DecoderTells what = DecoderTells::waits);

  /// Decodes until every track is closed or `stop` is set (seen within 100 ms). What goes wrong is kept for
  /// failure() and error(). Thread: decoder.
  void run(const std::atomic<bool>& stop) noexcept;

  /// One turn: decodes one chunk, or sleeps until there may be something to do. False when nothing is left to
  /// do.
  bool step();

  /// A step without its rest, for whoever rests in virtual time: does what can be done now, and returns until
  /// when to rest; nothing when nothing is left to do.
  std::optional<Nanoseconds> turn();
  /// What run() does at its end.
  void close() noexcept;

  /// True once every ring is full or holds its whole track. Thread: any.
  bool primed() const noexcept { return primed_.load(std::memory_order_acquire); }
  /// True once run() has returned. Thread: any.
  bool finished() const noexcept { return finished_.load(std::memory_order_acquire); }
  /// The first track that could not be decoded on; its index is that of the vector given. Thread: any.
  std::optional<DecodeFailure> failure() const;
  /// Bytes that were read beside the disk reader: what a decoder wanted before it was there, and headers
  /// again with looping. Thread: any.
  Bytes strayed_bytes() const noexcept { return strayed_.load(std::memory_order_relaxed); }
  /// Frames decoded so far, summed over the tracks. Thread: any.
  Frames decoded_frames() const noexcept { return decoded_.load(std::memory_order_relaxed); }

  // What follows is valid once finished().
  const std::exception_ptr& error() const noexcept { return error_; }
  /// Files that ended before the length that their headers give.
  std::vector<std::string> warnings() const;
  /// When the ring that was full least recently was last full; the clock's origin when one never was.
  Nanoseconds all_full_since() const noexcept;

 private:
  struct Look {
    std::optional<std::size_t> emptiest;  ///< of the tracks that can be decoded on now
    bool any_room = false;
    bool any_open = false;
  };
  Look look(Nanoseconds now);
  void decode(std::size_t index, Nanoseconds now);
  void tell_of_piece(std::size_t index, const DecodedEvent& before, std::int64_t passes, Nanoseconds end);
  void end_raw_wait(std::size_t index, Nanoseconds now);
  Nanoseconds sleep_limit(const Look& seen, Nanoseconds now) const;

  DecoderConfig config_;
  std::vector<std::unique_ptr<TrackDecoder>> tracks_;
  const PlaybackProgress& progress_;
  StarvationGate& gate_;
  StarvationWatch watch_;
  Clock& clock_;
  std::vector<Nanoseconds> last_full_;
  std::vector<std::optional<Nanoseconds>> without_raw_since_;
  std::optional<std::size_t> under_way_;  ///< in a replay: the track whose chunk takes its time
  Nanoseconds free_since_{};              ///< when it could have begun what it does next
  std::optional<EventProducer<Event>> events_;
  std::vector<std::uint32_t> event_tracks_;
  DecoderTells tells_ = DecoderTells::waits;
  std::optional<DecodeFailure> failure_;
  std::exception_ptr error_;
  std::atomic<Bytes> strayed_{0};
  std::atomic<Frames> decoded_{0};
  std::atomic<bool> failed_{false};
  std::atomic<bool> primed_{false};
  std::atomic<bool> finished_{false};
};

}  // namespace xrunlab
