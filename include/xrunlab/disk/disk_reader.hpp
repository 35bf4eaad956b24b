// The reader thread: keeps all rings full, the emptiest track first, and sleeps until a read completes or, by
// the rate of play, the next block falls vacant. It is woken by nobody. run() is the thread's body; step() is
// one turn of it, for tests in virtual time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "ringbuffer/event_queue.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/io_engine.hpp"
#include "xrunlab/disk/playback_progress.hpp"
#include "xrunlab/disk/reader_track.hpp"
#include "xrunlab/disk/starvation_gate.hpp"
#include "xrunlab/disk/starvation_watch.hpp"
#include "xrunlab/timing/event.hpp"
#include "xrunlab/timing/histogram.hpp"
#include "xrunlab/timing/planned_delays.hpp"

namespace xrunlab {

enum class Pacing { by_rate, unpaced };

struct ReaderConfig {
  std::function<std::unique_ptr<IoEngine>()> make_engine;  ///< called on the reader thread
  SampleRate rate;
  Frames fragment = 1024;
  Pacing pacing = Pacing::by_rate;
  Looping looping = Looping::once;
  std::vector<int>
      drop_behind;  ///< descriptors, by track, whose pages are dropped from the cache once read; or empty
  std::optional<EventProducer<Event>> events;  ///< each read, each entry later than planned, each failure
  PlannedDelays* delays = nullptr;             ///< of --fault reader-delay, spent when a wait returns
};

/// The reader's account of the window: from the card's first start until the first track has been read to its
/// end.
struct ReaderAccount {
  Bytes bytes = 0;
  Nanoseconds vacant{};  ///< time in which some block was vacant

  friend ReaderAccount operator-(const ReaderAccount& a, const ReaderAccount& b) noexcept {
    return {a.bytes - b.bytes, a.vacant - b.vacant};
  }
};

class DiskReader {
 public:
  DiskReader(ReaderConfig config, std::vector<TrackSource> tracks, const PlaybackProgress& progress,
             StarvationGate& gate, const Clock& clock);

  /// Reads until every track is closed or `stop` is set (seen within 100 ms). What goes wrong is kept for
  /// error() and input_failure(). Thread: reader.
  void run(const std::atomic<bool>& stop) noexcept;

  /// One turn: submit, wait at most until the planned wake-up, take completions. False when nothing is left
  /// to do.
  bool step();

  /// The two halves of step(), for whoever lets the time between them pass himself: submits, and says how
  /// long at most there is nothing to do (nothing: nothing is left to do) …
  std::optional<Nanoseconds> begin_turn();
  /// … and takes what the engine has handed out since. `due`: when this turn was to go on, by a completion or
  /// by its plan; what is later is the reader's own lateness.
  void end_turn(std::span<const ReadCompletion> completions, Nanoseconds due);
  /// The engine, after the first begin_turn().
  IoEngine& engine() noexcept { return *engine_; }
  /// For the end of a run in turns: tells of the reads that nobody will see complete. run() does it itself.
  void tell_of_awaited_reads();

  /// True once the engine is there (or has failed). Thread: any.
  bool ready() const noexcept { return ready_.load(std::memory_order_acquire); }
  /// True once every ring is full or holds its whole track. Thread: any.
  bool primed() const noexcept { return primed_.load(std::memory_order_acquire); }
  /// Once primed(): every track was read whole by then.
  bool primed_whole() const noexcept { return primed_whole_; }
  /// True once run() has returned. Thread: any.
  bool finished() const noexcept { return finished_.load(std::memory_order_acquire); }
  /// The first input that could not be read on. Thread: any.
  std::optional<InputFailure> input_failure() const noexcept;
  Bytes bytes_read() const noexcept { return bytes_.load(std::memory_order_relaxed); }
  /// Reads under way now. Thread: any.
  int in_flight() const noexcept { return in_flight_.load(std::memory_order_relaxed); }

  // What follows is valid once ready() (grant, error) or once finished() (the rest).
  const IoGrant& grant() const noexcept { return grant_; }
  const std::exception_ptr& error() const noexcept { return error_; }
  HistogramData io_latency() const { return io_latency_->snapshot(); }
  HistogramData deadline() const { return deadline_->snapshot(); }
  std::int64_t reads() const noexcept { return io_latency_->count(); }
  std::int64_t short_reads() const noexcept { return short_reads_; }
  ReaderAccount account() const noexcept { return window_end_.value_or(totals_) - window_start_; }
  /// When the ring that was full least recently was last full; the clock's origin when one never was.
  /// Raw bytes of coded tracks do not count; without other tracks: Nanoseconds::max().
  Nanoseconds all_full_since() const noexcept;
  /// When the first track had been read to its end, or had failed; nothing before. Its ring is never full
  /// again, so whether the disk sustained the play is told by the time before it.
  std::optional<Nanoseconds> first_track_read() const noexcept { return first_track_read_; }

 private:
  void open_engine();
  void collect_wanting(Nanoseconds now);
  void follow_pace(Frames taken, Nanoseconds now);
  void look_at(std::uint32_t index, Nanoseconds now);
  void submit_emptiest(Nanoseconds now);
  void note_entry(Nanoseconds planned, Nanoseconds now);
  void complete(const ReadCompletion& completion, Nanoseconds now);
  void note_track_end(const ReaderTrack& track, Nanoseconds now);
  void keep_account(Nanoseconds now);
  void wake_starved();
  Nanoseconds sleep_limit(Nanoseconds now) const;
  void push_wanting(std::uint32_t index);

  ReaderConfig config_;
  std::vector<ReaderTrack> tracks_;
  std::vector<std::uint32_t> coded_;  ///< tracks that the decoder takes from
  const PlaybackProgress& progress_;
  StarvationGate& gate_;
  const Clock& clock_;
  std::unique_ptr<IoEngine> engine_;
  IoGrant grant_;
  std::exception_ptr error_;

  struct Wanting {
    double planned_ns;
    std::uint32_t index;
    /// The emptiest is the greatest.
    friend bool operator<(const Wanting& a, const Wanting& b) noexcept { return a.planned_ns > b.planned_ns; }
  };
  std::priority_queue<Wanting> wanting_;  ///< the emptiest on top
  std::vector<bool> is_wanting_;
  std::vector<Nanoseconds> last_full_;
  std::size_t open_tracks_ = 0;
  std::size_t closed_played_ = 0;  ///< of those that are played without decoding
  StarvationWatch watch_;
  Frames last_taken_ = -1;
  Nanoseconds last_turn_{};
  Nanoseconds planned_{};                 ///< when the turn under way is to end at the latest
  Nanoseconds disk_until_{};              ///< what was seen in this entry was the disk's up to here
  std::optional<Nanoseconds> last_look_;  ///< the last reading of the clock: from there no sleep was planned
  double ns_per_frame_;                   ///< pace of play as seen

  std::unique_ptr<Histogram> io_latency_;
  std::unique_ptr<Histogram> deadline_;
  std::int64_t short_reads_ = 0;
  ReaderAccount totals_;
  ReaderAccount window_start_;
  Nanoseconds account_mark_{};
  bool was_vacant_ = false;
  bool primed_whole_ = false;  ///< written before primed_
  bool window_open_ = false;
  std::optional<ReaderAccount> window_end_;
  std::optional<Nanoseconds> first_track_read_;
  InputFailure failure_;
  std::atomic<Bytes> bytes_{0};
  std::atomic<int> in_flight_{0};
  std::atomic<bool> failed_{false};
  std::atomic<bool> ready_{false};
  std::atomic<bool> primed_{false};
  std::atomic<bool> finished_{false};
};

}  // namespace xrunlab
