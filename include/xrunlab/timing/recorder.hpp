// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// Keeps every figure of the playback thread: the three timed sections, lateness and slack on the card's
// clock, ring fill, low waters, counters and ten-second windows. The playback thread reports each fragment;
// other threads read snapshots (relaxed atomics, never dropped). Marks of starvations, xruns and late
// fragments, finished windows and, when recording, one trace event a fragment leave through event queues to
// the collector.
// 300 KB: made by main, on the heap.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "ringbuffer/event_queue.hpp"
#include "xrunlab/timing/card_clock.hpp"
#include "xrunlab/timing/event.hpp"
#include "xrunlab/timing/section.hpp"
#include "xrunlab/timing/window.hpp"

namespace xrunlab {

/// What was done when the ring held less than a fragment: T1 lasted until it was there, or silence was
/// played.
enum class StarveAnswer : std::uint8_t { waited, silenced };

/// A starved read of one fragment.
struct StarvedRead {
  Nanoseconds at{};         ///< when it began, CLOCK_MONOTONIC
  Nanoseconds duration{};   ///< the wait, or F/r for a silent fragment
  std::uint32_t track = 0;  ///< the one waited for longest
  StarveAnswer answer = StarveAnswer::waited;
};

/// One EPIPE or XRUN state met in a write.
struct XrunSample {
  Nanoseconds at{};                  ///< when the card stopped, or when it was noticed; CLOCK_MONOTONIC
  std::optional<Nanoseconds> dry{};  ///< restart − trigger time; absent when it cannot be known
};

/// The poll of a write: when it returned and how many frames the card had run past avail_min by then. Of
/// several polls in one write the one with the most frames.
struct Wake {
  Nanoseconds at{};
  Frames late = 0;
};

/// Of a fragment that a sound server called for: both from the begin of the server's cycle.
struct CycleSample {
  Nanoseconds length{};  ///< to when the fragment was handed over
  Nanoseconds delay{};   ///< to when we were called
};

/// Everything about one fragment, known after its write.
struct FragmentSample {
  std::int64_t index = 0;                ///< from 0
  Nanoseconds ring_read{};               ///< T1
  Nanoseconds pcm_write{};               ///< T2; not looked at with `cycle`
  std::optional<CycleSample> cycle{};    ///< in place of T2 and T3 where a sound server calls
  std::optional<Nanoseconds> outside{};  ///< T3; absent for the first fragment
  Nanoseconds ended{};                   ///< end of T2, CLOCK_MONOTONIC
  std::optional<Frames> fill{};          ///< just before T1, least over the unfinished tracks; absent: none
  bool filling_card = false;             ///< the card has not started: rings may be short, nobody hears it
  std::optional<Wake> wake{};            ///< absent when the write did not wait
  std::optional<Frames> queued{};  ///< in the card after T2; absent until the first fill since a (re)start
  std::optional<StarvedRead> starved{};  ///< absent when the ring held the fragment
  std::span<const XrunSample> xruns{};   ///< in this write, oldest first
  std::int64_t suspends = 0;             ///< ESTRPIPE in this write
  int xruns_met = 0;                     ///< begun in this write; `xruns` are those that are over
};

/// Who is on time for whom: we write when the card has room, or a sound server calls, and nobody knows where
/// its card is.
enum class CardDrive : std::uint8_t { by_writing, by_server };

struct RecorderConfig {
  Nanoseconds bound{};  ///< of T1, T2 and T3
  CardGeometry card;
  CardDrive drive = CardDrive::by_writing;
  std::optional<EventProducer<Event>> trace{};  ///< with --record only
  EventProducer<Event> marks;                   ///< starvations, xruns and late fragments
  EventProducer<WindowFigures> windows;
};

/// What the live line shows; every field is up to date by one fragment.
struct LiveFigures {
  std::int64_t fragments = 0;
  std::int64_t starved_reads = 0;
  std::int64_t xruns = 0;
  std::int64_t ring_read_max_ns = 0;
  std::int64_t pcm_write_max_ns = 0;
  std::int64_t outside_max_ns = 0;
  std::optional<std::int64_t> cycle_max_ns;  ///< where a sound server calls
  std::optional<Frames> fill;                ///< of the newest fragment, before its read
  std::optional<Frames> ring_low_water;      ///< fill − F, least so far
  std::optional<Frames> slack_low_water;
};

/// All figures; exact once the playback thread has ended.
struct RecorderFigures {
  SectionFigures ring_read;
  SectionFigures pcm_write;
  SectionFigures outside;
  SectionFigures cycle;
  SectionFigures lateness;
  SectionFigures wake_lateness;
  HistogramData fill;   ///< ns of audio
  HistogramData slack;  ///< ns of audio
  std::optional<Frames> ring_low_water;
  std::optional<Frames> slack_low_water;
  std::int64_t fragments = 0;
  std::int64_t starved_reads = 0;
  std::int64_t starved_ns = 0;  ///< sum of the waits and of the silences
  std::int64_t silent_fragments = 0;
  std::int64_t xruns = 0;
  std::int64_t suspends = 0;
  std::int64_t lost_ns = 0;         ///< time in which the card stood dry, as far as it is known
  std::int64_t events_dropped = 0;  ///< trace events and marks that found their queue full
};

class PlaybackRecorder {
 public:
  static constexpr Nanoseconds kWindowLength = std::chrono::seconds{10};

  explicit PlaybackRecorder(RecorderConfig config);

  /// The card's first start; windows count from here. Fragments reported earlier belong to the first window.
  /// Thread: playback. Real-time: wait-free.
  void card_started(Nanoseconds at) noexcept;

  /// Takes one fragment into every figure. At an xrun `queued` is not looked at: slack is 0, lateness is that
  /// of the gap. Thread: playback. Real-time: wait-free.
  void fragment(const FragmentSample& sample) noexcept;

  /// A starved read that no fragment came of: the run ended while it waited. Thread: playback. Real-time:
  /// wait-free.
  void starved(const StarvedRead& read) noexcept;

  /// Xruns that no fragment came after: the run ended before the card started again.
  /// Thread: playback. Real-time: wait-free.
  void xruns(std::span<const XrunSample> xruns) noexcept;

  /// The window still open, ended at `end` (CLOCK_MONOTONIC); nothing when it holds no fragment.
  /// Thread: any, once the playback thread has ended.
  std::optional<WindowFigures> open_window(Nanoseconds end) const noexcept;

  /// Thread: any.
  CardDrive drive() const noexcept { return drive_; }

  /// Thread: any. Real-time: wait-free.
  LiveFigures live() const noexcept;

  /// Thread: any; allocates.
  RecorderFigures snapshot() const;

 private:
  using Counter = std::atomic<std::int64_t>;

  void record_times(const FragmentSample& sample) noexcept;
  void record_card(const FragmentSample& sample) noexcept;
  void record_xrun(const XrunSample& xrun) noexcept;
  void record_lateness(Nanoseconds late) noexcept;
  void record_slack(Frames slack) noexcept;
  void record_ring(const FragmentSample& sample) noexcept;
  void record_window(const FragmentSample& sample) noexcept;
  bool noteworthy(const FragmentSample& sample) const noexcept;
  Event event_of(const FragmentSample& sample) const noexcept;
  WindowFigures closed_at(Nanoseconds since_start) const noexcept;

  CardGeometry card_;
  CardDrive drive_;
  Section ring_read_;
  Section pcm_write_;
  Section outside_;
  Section cycle_;
  Section lateness_;
  Section wake_lateness_;
  Histogram fill_;
  Histogram slack_;
  Counter ring_low_water_{INT64_MAX};  // INT64_MAX: none yet
  Counter slack_low_water_{INT64_MAX};
  Counter last_fill_{-1};
  Counter fragments_{0};
  Counter starved_reads_{0};
  Counter starved_ns_{0};
  Counter silent_fragments_{0};
  Counter xruns_{0};
  Counter suspends_{0};
  Counter lost_ns_{0};
  std::optional<Nanoseconds> first_start_;
  WindowFigures window_;
  Nanoseconds window_end_ = kWindowLength;  // since the first start
  std::optional<EventProducer<Event>> trace_;
  EventProducer<Event> marks_;
  EventProducer<WindowFigures> windows_;
};

}  // namespace xrunlab
