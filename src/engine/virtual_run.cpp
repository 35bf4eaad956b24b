#include "xrunlab/engine/virtual_run.hpp"

#include <algorithm>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/recorded_reads.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/ring_setup.hpp"
#include "xrunlab/engine/run_record.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kNeverDue = Nanoseconds::max();
constexpr Nanoseconds kCollecting = std::chrono::milliseconds{100};
// A plan to sleep for no time at all would stop a clock that moves by plans.
constexpr Nanoseconds kLeastSleep = std::chrono::microseconds{1};

/// The reader's thread.
class ReaderActor final : public VirtualClock::Actor {
 public:
  ReaderActor(PlaybackParts& parts, const RecordedReads& reads) : parts_(parts), reads_(reads) {
    begin_turn();
  }

  Nanoseconds due() const noexcept override { return let_run_; }

  void act() noexcept override {
    try {
      parts_.reader->end_turn(parts_.reader->engine().wait(Nanoseconds{0}), planned_);
      begin_turn();
    } catch (...) {
      error_ = std::current_exception();
      planned_ = let_run_ = kNeverDue;
      parts_.stop.store(true, std::memory_order_relaxed);
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void begin_turn() {
    const auto limit = parts_.reader->begin_turn();
    planned_ = let_run_ = kNeverDue;
    if (!limit) return;
    const Nanoseconds now = parts_.clock.now();
    planned_ = now + std::max(*limit, kLeastSleep);
    if (const auto due = parts_.reader->engine().next_due())
      planned_ = std::min(planned_, std::max(*due, now));
    let_run_ = planned_;
    const Nanoseconds started{parts_.progress.started_ns.load(std::memory_order_relaxed)};
    if (started.count() != 0) let_run_ = started + reads_.let_run(planned_ - started);
  }

  PlaybackParts& parts_;
  const RecordedReads& reads_;
  Nanoseconds planned_{};
  Nanoseconds let_run_{};  ///< when it does run
  std::exception_ptr error_;
};

/// The decoder's thread.
class DecoderActor final : public VirtualClock::Actor {
 public:
  explicit DecoderActor(PlaybackParts& parts) : parts_(parts), due_(parts.clock.now()) {}

  Nanoseconds due() const noexcept override { return due_; }

  void act() noexcept override {
    try {
      due_ = parts_.decoder->turn().value_or(kNeverDue);
    } catch (...) {
      error_ = std::current_exception();
      due_ = kNeverDue;
      parts_.stop.store(true, std::memory_order_relaxed);
    }
    if (due_ == kNeverDue) parts_.decoder->close();
  }

  /// When the run has ended.
  void finish() noexcept {
    if (!parts_.decoder->finished()) parts_.decoder->close();
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  PlaybackParts& parts_;
  Nanoseconds due_;
  std::exception_ptr error_;
};

/// What main gives to the run beside its parts.
struct RunSurroundings {
  const StreamRequest& request;
  const Signals& signals;
  const StreamListeners& listeners;
};

/// The collector's thread, and main, which ends the run.
class CollectorActor final : public VirtualClock::Actor {
 public:
  CollectorActor(PlaybackParts& parts, const RunSurroundings& surroundings)
      : parts_(parts),
        surroundings_(surroundings),
        script_(*surroundings.request.replay->script),
        due_(parts.clock.now() + kCollecting),
        next_so_far_(parts.clock.now() + surroundings.listeners.so_far_interval) {}

  Nanoseconds due() const noexcept override { return std::min(due_, end_of_record()); }

  void act() noexcept override {
    const Nanoseconds now = parts_.clock.now();
    if (surroundings_.signals.caught() != 0 || now >= end_of_record()) {
      parts_.stop.store(true, std::memory_order_relaxed);
      ended_ = true;
    }
    if (now < due_) return;
    due_ = now + kCollecting;
    try {
      parts_.collector->look();
      tell_so_far(now);
    } catch (...) {
      error_ = std::current_exception();
      parts_.stop.store(true, std::memory_order_relaxed);
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void tell_so_far(Nanoseconds now) {
    if (!surroundings_.listeners.so_far || now < next_so_far_) return;
    next_so_far_ = now + surroundings_.listeners.so_far_interval;
    surroundings_.listeners.so_far(record_so_far(surroundings_.request, parts_));
  }

  /// Of one that hung: a read that never came is waited for no longer than it was.
  Nanoseconds end_of_record() const noexcept {
    const Nanoseconds started{parts_.progress.started_ns.load(std::memory_order_relaxed)};
    return !script_.hung || ended_ || started.count() == 0 ? kNeverDue : started + script_.length;
  }

  PlaybackParts& parts_;
  const RunSurroundings& surroundings_;
  const ReplayScript& script_;
  Nanoseconds due_;
  Nanoseconds next_so_far_;
  bool ended_ = false;
  std::exception_ptr error_;
};

bool primed(const PlaybackParts& parts) {
  return (!parts.reader || parts.reader->primed()) &&
         (!parts.decoder || parts.decoder->primed() || parts.decoder->finished());
}

void check_virtual(const StreamRequest& request) {
  const auto refuse = [](const std::string& what) {
    throw Error(ExitCode::usage, what + " in virtual time", "leave out --virtual");
  };
  const auto& device = request.card.device;
  if (device != "sim" && !device.starts_with("sim:"))
    refuse("-D " + device + ": only the simulated card works");
  if (request.blame == Blame::with_sched_trace) refuse("--blame: there is no scheduler");
  for (const auto& spec : request.faults.specs) {
    if (spec.kind == FaultKind::reader_delay) refuse("--fault " + spec.text + ": the reader cannot be held");
  }
}

}  // namespace

StreamOutcome run_in_virtual_time(const StreamRequest& request, const Signals& signals,
                                  const StreamListeners& listeners) {
  check_virtual(request);
  const ReplayScript& script = *request.replay->script;
  StreamRequest quiet = request;
  quiet.realtime.lock = MemoryLockMode::off;
  quiet.program_start = Nanoseconds{0};
  VirtualClock clock;
  const RunSurroundings surroundings{quiet, signals, listeners};
  const auto parts = set_up_playback(quiet, listeners, &clock);
  StreamEnd end;
  const Nanoseconds opened = clock.now();
  std::optional<ReaderActor> reader;
  if (parts->reader) clock.add(reader.emplace(*parts, *script.reads));
  std::optional<DecoderActor> decoder;
  if (parts->decoder) clock.add(decoder.emplace(*parts));
  CollectorActor collector(*parts, surroundings);
  clock.add(collector);
  while (!primed(*parts) && !parts->stop.load(std::memory_order_relaxed)) clock.step(kNeverDue);
  if (reader) {
    reader->rethrow();
    note_engine(quiet, *parts, parts->reader->grant());
    end.priming = clock.now() - opened;
    end.primed_whole = parts->reader->primed() && parts->reader->primed_whole() &&
                       (!parts->decoder || parts->decoder->finished());
  }
  if (!parts->stop.load(std::memory_order_relaxed)) {
    end.playback_began = true;
    end.playback = parts->loop->run();
  }
  end.signal = signals.caught();
  if (parts->reader) parts->reader->tell_of_awaited_reads();
  if (decoder) decoder->finish();
  parts->collector->close();
  if (reader) reader->rethrow();
  if (decoder) decoder->rethrow();
  collector.rethrow();
  parts->pcm->close();
  StreamOutcome outcome;
  outcome.run = record_run(quiet, *parts, end);
  // When the recorded run was, so that the file says the same whenever it is made.
  using WallTime = std::chrono::system_clock::time_point;
  const WallTime started{
      std::chrono::duration_cast<WallTime::duration>(Nanoseconds{script.header.start_unix_ns})};
  outcome.run.start = utc_text(started);
  outcome.run.end = utc_text(started + std::chrono::duration_cast<WallTime::duration>(clock.now() - opened));
  outcome.trace_is_cut = !parts->collector->collected().trace_error.empty();
  return outcome;
}

}  // namespace xrunlab
