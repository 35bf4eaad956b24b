#include "xrunlab/engine/stream_run.hpp"

#include <chrono>
#include <exception>

#include "run_worker.hpp"
#include "server_watch.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/ring_setup.hpp"
#include "xrunlab/engine/run_record.hpp"
#include "xrunlab/platform/dma_latency.hpp"
#include "xrunlab/platform/machine_usage.hpp"
#include "xrunlab/platform/process_io.hpp"
#include "xrunlab/platform/thread_usage.hpp"

namespace xrunlab {
namespace {

// How often main looks whether a thread has got on; a signal is seen at once.
constexpr Nanoseconds kPrimingLook = std::chrono::milliseconds{1};
// Main only waits for the end of playing, which wakes it: a thread more that wakes now and then is load.
constexpr Nanoseconds kPlayingLook = std::chrono::seconds{10};
constexpr Nanoseconds kAccompanimentLook = std::chrono::milliseconds{250};
// A thread that has not ended so long after it was told to is held by the kernel. With it a report comes
// within 200 ms.
constexpr Nanoseconds kJoinPatience = std::chrono::milliseconds{120};

/// The threads of one run. Lives on the heap: a thread that hangs keeps it.
class StreamRun {
 public:
  StreamRun(const StreamRequest& request, const Signals& signals, const StreamListeners& listeners)
      : request_(request),
        signals_(signals),
        listeners_(listeners),
        parts_(set_up_playback(request_, listeners_)) {}

  StreamEnd run() {
    const ThreadUsage main_before = sample_thread_usage();
    const MachineUsage machine_before = sample_machine_usage();
    const auto device_before = device_read_bytes();
    if (request_.realtime.dma_latency)
      dma_latency_ = std::make_unique<DmaLatency>(*request_.realtime.dma_latency);
    collector_.start("collector", request_.realtime.affinity, {}, [this] { parts_->collector->run(); });
    try {
      if (prime()) parts_->cycles ? play_cycles() : play();
    } catch (...) {
      stop_all();
      throw;
    }
    stop_all();
    const auto device_after = device_read_bytes();
    if (device_before && device_after && !request_.replay) end_.device_bytes = *device_after - *device_before;
    end_.machine_usage = machine_usage(machine_before, sample_machine_usage());
    end_.threads.push_back(
        thread_data("main", current_scheduling().policy, main_before, sample_thread_usage()));
    return std::move(end_);
  }

  PlaybackParts& parts() noexcept { return *parts_; }
  const StreamRequest& request() const noexcept { return request_; }

 private:
  /// Fills the rings. False when it is not to be played.
  bool prime() {
    if (!parts_->reader) return true;
    const Nanoseconds start = parts_->clock.now();
    reader_.start("reader", request_.realtime.affinity, request_.realtime.reader, [this] {
      parts_->reader->run(parts_->stop);
      reader_ended_.set();
    });
    parts_->lock->add("the reader's stack", reader_.stack());
    watch(SampledThread::reader, reader_);
    while (!parts_->reader->ready() && !signalled(kPrimingLook) && !forsaken()) {
    }
    if (parts_->reader->ready() && parts_->reader->error()) std::rethrow_exception(parts_->reader->error());
    if (parts_->reader->ready()) note_reader();
    if (parts_->decoder) start_decoder();
    while (!primed()) {
      if (signalled(kPrimingLook) || forsaken()) return false;
    }
    end_.priming = parts_->clock.now() - start;
    end_.primed_whole = parts_->reader->primed() && parts_->reader->primed_whole() &&
                        (!parts_->decoder || parts_->decoder->finished());
    return end_.signal == 0 && end_.forsaken_by.empty();
  }

  void start_decoder() {
    decoder_.start("decoder", request_.realtime.affinity, request_.realtime.reader,
                   [this] { parts_->decoder->run(parts_->stop); });
    parts_->lock->add("the decoder's stack", decoder_.stack());
    watch(SampledThread::decoder, decoder_);
  }

  void watch(SampledThread which, const RunWorker& worker) {
    if (parts_->causes) parts_->causes->watch_thread(which, worker.id());
  }

  bool primed() const noexcept {
    const bool read = parts_->reader->primed() || parts_->reader->finished();
    return read && (!parts_->decoder || parts_->decoder->primed() || parts_->decoder->finished());
  }

  void note_reader() {
    for (const auto& warning : reader_.sched().warnings)
      add_fallback(*parts_, request_.strict, {ExitCode::system, warning});
    note_engine(request_, *parts_, parts_->reader->grant());
  }

  void play() {
    playback_.start("playback", request_.realtime.affinity,
                    playback_scheduling(request_.realtime, parts_->pcm->grant()), [this] {
                      while (!may_play_.load(std::memory_order_acquire))
                        parts_->clock.sleep_until(parts_->clock.now() + kPrimingLook);
                      if (!parts_->stop.load(std::memory_order_relaxed)) end_.playback = parts_->loop->run();
                      playback_ended_.set();
                    });
    parts_->lock->add("the playback stack", playback_.stack());
    watch(SampledThread::playback, playback_);
    while (!playback_.set_up()) parts_->clock.sleep_until(parts_->clock.now() + kPrimingLook);
    end_.playback_sched = playback_.sched();
    try {
      for (const auto& warning : playback_.sched().warnings) {
        add_fallback(*parts_, request_.strict, {ExitCode::system, warning});
      }
    } catch (...) {
      tell_to_stop();
      may_play_.store(true, std::memory_order_release);
      throw;
    }
    end_.playback_began = true;
    next_so_far_ = parts_->clock.now() + listeners_.so_far_interval;
    may_play_.store(true, std::memory_order_release);
    while (!playback_.done() && !signalled(playing_look(), wakers()) && !overwritten() && !forsaken() &&
           !record_is_over()) {
      tell_so_far();
    }
  }

  /// The server's thread plays; main looks whether it still calls.
  void play_cycles() {
    server_ = std::make_unique<ServerWatch>(*parts_);
    end_.playback_began = true;
    next_so_far_ = parts_->clock.now() + listeners_.so_far_interval;
    while (server_->goes_on(end_.signal == 0 ? kServerPatience : kStopPatience) && !overwritten() &&
           !forsaken()) {
      tell_so_far();
      server_->follow_thread(end_);
      if (end_.signal == 0) {
        signalled(kAccompanimentLook, wakers());
      } else {
        parts_->clock.sleep_until(parts_->clock.now() + kPrimingLook);  // it stops in its next cycle
      }
    }
  }

  /// When a replay waits for a read that never came, it ends as the record did: by hand.
  std::optional<Nanoseconds> end_of_record() const {
    const auto started_ns = parts_->progress.started_ns.load(std::memory_order_relaxed);
    if (!request_.replay || !request_.replay->script->hung || started_ns == 0) return std::nullopt;
    return Nanoseconds{started_ns} + request_.replay->script->length;
  }

  /// A crash loses no more than what came since.
  void tell_so_far() {
    if (!listeners_.so_far || parts_->clock.now() < next_so_far_) return;
    next_so_far_ = parts_->clock.now() + listeners_.so_far_interval;
    listeners_.so_far(record_so_far(request_, *parts_));
  }

  Nanoseconds playing_look() const {
    Nanoseconds look = look_for_end();
    if (listeners_.so_far) look = std::min(look, listeners_.so_far_interval);
    return request_.accompaniment ? std::min(look, kAccompanimentLook) : look;
  }

  Nanoseconds look_for_end() const {
    if (!request_.replay || !request_.replay->script->hung) return kPlayingLook;
    const auto end = end_of_record();
    if (!end) return kPrimingLook;
    return std::clamp(*end - parts_->clock.now(), kPrimingLook, kPlayingLook);
  }

  bool record_is_over() {
    const auto end = end_of_record();
    if (!end || parts_->clock.now() < *end) return false;
    tell_to_stop();
    return true;
  }

  /// What main waits for beside a signal.
  std::vector<int> wakers() const {
    std::vector<int> fds{parts_->cycles ? parts_->cycles->ended_fd() : playback_ended_.fd(),
                         parts_->watch->fd()};
    if (!all_read_) fds.push_back(reader_ended_.fd());
    return fds;
  }

  /// From here on it is another recording that is played: no figure would be worth anything.
  bool overwritten() {
    const bool nothing_left_to_read = all_read_;  // before the last look: what came since may have been read
    all_read_ = parts_->reader && parts_->reader->finished();
    while (const auto track = parts_->watch->overwritten()) {
      const auto& file = request_.files[*track];
      const Frames taken = parts_->progress.taken.load(std::memory_order_relaxed);
      const bool played = request_.looping == Looping::once && file.frames_known && taken >= file.frames;
      if (nothing_left_to_read || played) continue;
      end_.overwritten = {*track, taken};
      tell_to_stop();
      return true;
    }
    return false;
  }

  /// What the run was to be measured under has ended.
  bool forsaken() {
    const auto& accompaniment = request_.accompaniment;
    if (!accompaniment || parts_->clock.now() < next_look_) return false;
    next_look_ = parts_->clock.now() + kAccompanimentLook;
    if (playback_.done() || accompaniment->goes_on()) return false;
    end_.forsaken_by = accompaniment->name;
    tell_to_stop();
    return true;
  }

  bool signalled(Nanoseconds look, const std::vector<int>& other_fds = {}) {
    if (!signals_.wait_for(look, other_fds)) return false;
    end_.signal = signals_.caught();
    tell_to_stop();
    return true;
  }

  void tell_to_stop() {
    parts_->stop.store(true, std::memory_order_relaxed);
    parts_->reader_wake.set();
  }

  void stop_all() {
    tell_to_stop();
    // Who was told to stop, and got no call more in which to do it, was stopped.
    const bool stopped = end_.signal != 0 || end_.overwritten || !end_.forsaken_by.empty();
    const bool server_ended =
        !server_ || server_->finish(end_, stopped ? PlaybackEnd::stopped : PlaybackEnd::card);
    const bool playback_ended = playback_.join_within(kJoinPatience) && server_ended;
    const bool reader_ended = reader_.join_within(playback_ended ? kJoinPatience : Nanoseconds{});
    const bool decoder_ended = decoder_.join_within(reader_ended ? kJoinPatience : Nanoseconds{});
    end_.thread_hangs = !playback_ended || !reader_ended || !decoder_ended;
    parts_->collector->stop();
    collector_.join_within(std::chrono::seconds{10});
    if (parts_->causes) parts_->causes->close();
    for (const RunWorker* const worker : {&playback_, &reader_, &decoder_, &collector_}) {
      if (worker->started() && worker->done()) end_.threads.push_back(worker->usage());
    }
    if (!playback_ended) end_.playback = PlaybackResult{.end = PlaybackEnd::stopped};
    if (end_.thread_hangs) return;
    try {
      parts_->pcm->close();
    } catch (const Error& error) {
      end_.capture_error = error.what();
    }
  }

  StreamRequest request_;
  const Signals& signals_;
  StreamListeners listeners_;
  std::unique_ptr<PlaybackParts> parts_;
  std::unique_ptr<DmaLatency> dma_latency_;
  StreamEnd end_;
  bool all_read_ = false;
  Nanoseconds next_look_{};  ///< at the accompaniment
  Nanoseconds next_so_far_{};
  std::atomic<bool> may_play_{false};
  WakeEvent playback_ended_;
  WakeEvent reader_ended_;
  std::unique_ptr<ServerWatch> server_;  ///< where a sound server calls
  RunWorker playback_;
  RunWorker reader_;
  RunWorker decoder_;
  RunWorker collector_;
};

}  // namespace

StreamOutcome run_stream(const StreamRequest& request, const Signals& signals,
                         const StreamListeners& listeners) {
  const auto started = std::chrono::system_clock::now();
  auto run = std::make_unique<StreamRun>(request, signals, listeners);
  const StreamEnd end = run->run();
  StreamOutcome outcome;
  outcome.run = record_run(run->request(), run->parts(), end);
  outcome.run.start = utc_text(started);
  outcome.run.end = utc_text(std::chrono::system_clock::now());
  outcome.trace_is_cut = !run->parts().collector->collected().trace_error.empty();
  outcome.thread_hangs = end.thread_hangs;
  if (end.thread_hangs) static_cast<void>(run.release());
  return outcome;
}

}  // namespace xrunlab
