// The other half of the recorder: empties the event queues ten times a second, keeps the marks and windows,
// writes the trace file and has the live line drawn. Runs on an ordinary thread that the caller starts;
// everything that may wait for a disk or a terminal happens here.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ringbuffer/event_queue.hpp"
#include "xrunlab/timing/episodes.hpp"
#include "xrunlab/timing/event.hpp"
#include "xrunlab/timing/trace_window.hpp"
#include "xrunlab/timing/trace_writer.hpp"
#include "xrunlab/timing/window.hpp"

namespace xrunlab {

/// Whether a starved read lets silence be heard (--on-starve silence) and so counts as a dropout.
enum class StarvationSounds : std::uint8_t { as_wait, as_silence };

/// Hears every event on the collector's thread, each queue's in order, and looks around once an interval.
class EventWatcher {
 public:
  virtual ~EventWatcher() = default;
  virtual void take(const Event& event) = 0;

  /// After the queues were emptied: returns what it adds to the trace, valid until the next call.
  virtual std::span<const Event> look() = 0;

  /// As look(), when nothing more will come.
  virtual std::span<const Event> finish() = 0;
};

struct CollectorConfig {
  EventConsumer<Event> marks;
  EventConsumer<WindowFigures> windows;
  std::vector<EventConsumer<Event>> events;  ///< trace events of each thread; emptied also without a trace
  EventWatcher* watcher = nullptr;           ///< may be absent
  std::unique_ptr<TraceWriter> trace;        ///< may be absent
  std::optional<TraceWindow> keep;           ///< of the trace; absent: all
  StarvationSounds starvation = StarvationSounds::as_wait;
  std::function<void()> live;  ///< called once per interval, on the collector's thread; may be absent
  std::function<void(const std::string&)> warn;  ///< one line, when the recording has to stop; may be absent
  Nanoseconds interval = std::chrono::milliseconds{100};
  std::size_t windows_expected = 1;  ///< so many need no more memory while the run goes on
};

struct XrunMark {
  Nanoseconds at{};
  std::optional<Nanoseconds> dry;
};

/// What was collected; complete once run() or close() has returned.
struct Collected {
  static constexpr std::size_t kMostXruns = 100'000;

  std::vector<XrunMark> xruns;                 ///< the first kMostXruns; the recorder's counter knows of all
  std::vector<StarvationEpisode> starvations;  ///< the first StarvationEpisodes::kMostListed
  std::int64_t starvation_count = 0;           ///< all of them
  Nanoseconds starvation_longest{};
  std::vector<WindowFigures> windows;
  std::int64_t dropouts = 0;
  std::int64_t events_recorded = 0;  ///< in the trace file
  std::int64_t events_dropped = 0;   ///< marks and trace events that found their queue full
  bool window_overflowed = false;    ///< the trace's window could not hold all that it should have
  std::string trace_error;           ///< one line; empty when the trace is whole or none was asked for
};

class Collector {
 public:
  explicit Collector(CollectorConfig config);

  /// The thread's body: works until stop() is called, then empties the queues, closes the trace and returns.
  /// A full disk ends the recording, not the run. Thread: the collector's own. Throws what `live` throws.
  void run();

  /// What run() does once an interval, and at its end: for whoever lets the intervals pass himself, in
  /// virtual time. Throw as run(). Thread: the collector's own.
  void look();
  void close();

  /// Asks run() to end; call it when the producing threads have ended, or their last events may be missing.
  /// Thread: any.
  void stop();

  /// Thread: any, once run() or close() has returned.
  const Collected& collected() const noexcept { return collected_; }

 private:
  bool wait_for_interval();
  void drain();
  void take_mark(const Event& mark);
  void record(const Event& event);
  void record(std::span<const Event> events);
  void check_trace();
  void finish();
  std::int64_t dropped() const noexcept;

  CollectorConfig config_;
  bool recording_;  ///< a trace was asked for
  StarvationEpisodes starvations_;
  Dropouts dropouts_;
  WindowSeries windows_;
  Collected collected_;
  std::vector<Event> batch_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_asked_ = false;  // under mutex_
  int looks_ = 0;
};

}  // namespace xrunlab
