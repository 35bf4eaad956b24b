#include "xrunlab/engine/latency_run.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <utility>

#include "latency_round.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/run_record.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/platform/dma_latency.hpp"
#include "xrunlab/platform/machine_usage.hpp"
#include "xrunlab/platform/realtime_refusal.hpp"
#include "xrunlab/platform/system_info.hpp"
#include "xrunlab/platform/thread_usage.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

// Main only waits for the threads, which wake it: whoever else wakes now and then is load.
constexpr Nanoseconds kMeasuringLook = 10s;
constexpr Nanoseconds kSampleLook = 50ms;
constexpr Nanoseconds kProgressLook = 500ms;
constexpr Nanoseconds kCompanyLook = 250ms;
constexpr Bytes kRoundBytes = Bytes{4} << 20;  // counts, stacks, the card

/// What one reading of the clock costs: the least of some means, so that no interrupt is in it.
std::int64_t clock_read_ns(const Clock& clock) {
  constexpr int kReads = 1000;
  std::int64_t least = INT64_MAX;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const Nanoseconds before = clock.now();
    for (int read = 1; read < kReads; ++read) static_cast<void>(clock.now());
    least = std::min(least, (clock.now() - before).count() / kReads);
  }
  return least;
}

class LatencyRun {
 public:
  LatencyRun(const LatencyRequest& request, const Signals& signals, const LatencyListeners& listeners)
      : request_(request), signals_(signals), listeners_(listeners), lock_(request.lock, kRoundBytes) {
    if (request_.dma_latency) dma_latency_.emplace(*request_.dma_latency);
    if (request_.limit) marker_.emplace();
    if (request_.record) samples_.emplace(*request_.record);
    run_.kind = kLatencyKind;
    run_.start = utc_text(std::chrono::system_clock::now());
    run_.system = describe_system();
    run_.ended_by = "end";
    describe_probe();
  }

  LatencyOutcome run() {
    const bool is_realtime = request_.sched.policy != SchedPolicy::other;
    const std::string throttling = is_realtime ? throttling_of(request_.burn_share) : std::string();
    if (!throttling.empty()) fall_back(throttling, ExitCode::system);
    const ThreadUsage main_before = sample_thread_usage();
    const MachineUsage machine_before = sample_machine_usage();
    for (std::int64_t round = 0; round < request_.rounds && goes_on(); ++round) {
      if (round > 0) pause(round);
      if (goes_on()) measure(round);
    }
    run_.machine_usage = machine_usage(machine_before, sample_machine_usage());
    add_thread_data(run_.threads,
                    thread_data("main", current_scheduling().policy, main_before, sample_thread_usage()));
    finish();
    return {std::move(run_), samples_are_cut_, hangs_};
  }

  bool hangs() const noexcept { return hangs_; }

 private:
  void describe_probe() {
    auto& probe = run_.latency.probe;
    probe.clock = to_string(request_.clock);
    if (request_.clock == WakeClock::rtc) probe.device = request_.rtc.device;
    if (request_.clock == WakeClock::pcm) probe.device = request_.card.device;
    probe.threads = static_cast<std::int64_t>(request_.cpus.size());
    probe.affinity = request_.affinity;
    probe.rounds = request_.rounds;
    if (request_.rounds > 1) probe.pause_ns = request_.pause.count();
    if (request_.burn_share > 0) probe.burn_share = request_.burn_share;
    if (request_.limit) probe.limit_ns = request_.limit->count();
    if (request_.duration) probe.duration_ns = request_.duration->count();
    probe.clock_read_ns = clock_read_ns(clock_);
  }

  bool goes_on() const noexcept { return run_.ended_by == "end"; }

  void end_by(const std::string& what) {
    if (goes_on()) run_.ended_by = what;
  }

  /// Warns; with --strict what is not as it was asked for is an error.
  void fall_back(const std::string& warning, ExitCode code) {
    if (!warned_.insert(warning).second) return;
    if (request_.strict == Strictness::refuse)
      throw Error(code, warning, "leave --strict out, and it is a warning");
    run_.warnings.push_back(warning);
    if (listeners_.warn) listeners_.warn(warning);
  }

  bool signalled(Nanoseconds look, const std::vector<int>& others = {}) {
    if (!signals_.wait_for(look, others)) return false;
    end_by("signal " + std::to_string(signals_.caught()));
    return true;
  }

  void pause(std::int64_t round) {
    const Nanoseconds until = clock_.now() + request_.pause;
    tell_progress(round, true);
    while (goes_on() && clock_.now() < until) {
      if (!signalled(std::min(look(), until - clock_.now()))) forsaken();
    }
  }

  void measure(std::int64_t round) {
    std::vector<std::string> warnings;
    round_ = std::make_unique<RoundOfThreads>(request_, clock_, marker_ ? &*marker_ : nullptr, warnings);
    for (const auto& warning : warnings) fall_back(warning, ExitCode::audio_device);
    round_->set_up(lock_);
    for (const auto& thread : round_->threads()) {
      for (const auto& warning : thread->worker.sched().warnings) fall_back(warning, ExitCode::system);
    }
    for (const auto& warning : lock_.warnings()) fall_back(warning, ExitCode::system);
    const std::string started = utc_text(std::chrono::system_clock::now());
    round_->begin();
    while (!round_->done()) {
      if (signalled(look(), round_->wakers()) || forsaken()) break;
      drain(round);
      tell_progress(round, false);
    }
    end_round(round, started);
  }

  void end_round(std::int64_t round, const std::string& started) {
    const bool stopped_early = !round_->done();
    if (stopped_early) round_->tell_to_stop();
    hangs_ = !round_->join();
    drain(round);
    if (hangs_) {
      run_.warnings.emplace_back("a measuring thread is held by the kernel; its round is left out");
      return end_by("device");
    }
    auto& figures = run_.latency.rounds.emplace_back(round_->figures());
    figures.start = started;
    for (const auto& thread : round_->threads()) {
      add_thread_data(run_.threads, thread->worker.usage());
      note_end(*thread);
      early_ += thread->counts.early.load(std::memory_order_relaxed);
      if (thread->samples) dropped_ += thread->samples->producer.dropped();
    }
    const auto& first = *round_->threads().front();
    run_.rt.policy = first.worker.sched().policy;
    run_.rt.priority = first.worker.sched().priority;
    run_.rt.locked_bytes = locked_bytes();
    auto& probe = run_.latency.probe;
    probe.interval_ns = round_->interval().count();
    probe.loops = round_->loops();
    probe.origin_ns = std::max(probe.origin_ns.value_or(0), first.source->origin_error().count());
    round_.reset();
  }

  void note_end(const MeasuringThread& thread) {
    if (thread.end == WakeEnd::limit) end_by("limit");
    if (thread.end != WakeEnd::failed) return;
    end_by("device");
    run_.error = run_.latency.probe.device.empty() ? run_.latency.probe.clock : run_.latency.probe.device;
    run_.error += " failed: " + errno_text(-thread.loop->error());
  }

  /// What the run was to be measured under has ended.
  bool forsaken() {
    if (!request_.accompaniment || request_.accompaniment->goes_on()) return false;
    end_by(request_.accompaniment->name);
    return true;
  }

  Nanoseconds look() const {
    Nanoseconds look = kMeasuringLook;
    if (request_.accompaniment) look = kCompanyLook;
    if (listeners_.progress) look = std::min(look, kProgressLook);
    return samples_ ? std::min(look, kSampleLook) : look;
  }

  void drain(std::int64_t round) {
    if (!samples_) return;
    for (std::size_t index = 0; index < round_->threads().size(); ++index)
      samples_->drain(round_->threads()[index]->samples->consumer, round, index);
  }

  void tell_progress(std::int64_t round, bool pausing) {
    if (!listeners_.progress) return;
    LatencyProgress progress{.round = round + 1, .rounds = request_.rounds, .pausing = pausing};
    if (round_) {
      progress.planned = round_->loops() * static_cast<std::int64_t>(request_.cpus.size());
      for (const auto& thread : round_->threads()) {
        progress.counted += thread->counts.all.count();
        progress.missed += thread->counts.missed.load(std::memory_order_relaxed);
        progress.max_ns = std::max(progress.max_ns, thread->counts.all.max_ns());
      }
    }
    listeners_.progress(progress);
  }

  void finish() {
    auto& latency = run_.latency;
    std::vector<LatencyFigures> figures;
    std::vector<LatencyFigures> as_cyclictest;
    for (const auto& round : latency.rounds) {
      figures.push_back(round.figures);
      as_cyclictest.push_back(*round.as_cyclictest);
    }
    latency.all = together(figures);
    latency.as_cyclictest = together(as_cyclictest);
    run_.rt.mlock = to_string(lock_.mode());
    if (dma_latency_) run_.rt.dma_latency_us = dma_latency_->value().count();
    run_.complete = goes_on();
    if (samples_) {
      const std::string cut = samples_->finish();
      samples_are_cut_ = !cut.empty() || dropped_ > 0;
      if (!cut.empty()) run_.warnings.push_back(cut);
      if (dropped_ > 0)
        run_.warnings.push_back(std::to_string(dropped_) +
                                " samples are not in the file: their queue was full");
    }
    check_itself();
    run_.end = utc_text(std::chrono::system_clock::now());
    judge(run_);
  }

  void check_itself() {
    const auto& latency = run_.latency;
    const std::int64_t all = latency.all.count.value_or(0);
    const std::int64_t missed = latency.all.missed.value_or(0);
    const std::int64_t woken = latency.as_cyclictest->count.value_or(0);
    run_.self_checks.push_back(
        {"counts_match", all == woken + missed,
         std::to_string(woken) + " woken + " + std::to_string(missed) + " missed = " + std::to_string(all)});
    run_.self_checks.push_back(
        {"none_early", early_ == 0, std::to_string(early_) + " woken before their instant"});
    const bool whole = std::all_of(latency.rounds.begin(), latency.rounds.end(),
                                   [](const auto& round) { return is_whole(round).value_or(false); });
    if (run_.complete)
      run_.self_checks.push_back({"rounds_whole", whole, std::to_string(latency.rounds.size()) + " rounds"});
  }

  const LatencyRequest& request_;
  const Signals& signals_;
  const LatencyListeners& listeners_;
  SystemClock clock_;
  MemoryLock lock_;
  std::optional<DmaLatency> dma_latency_;
  std::optional<TraceMarker> marker_;
  std::optional<SampleFile> samples_;
  std::unique_ptr<RoundOfThreads> round_;
  RunData run_;
  std::set<std::string> warned_;
  std::int64_t early_ = 0;
  std::int64_t dropped_ = 0;
  bool samples_are_cut_ = false;
  bool hangs_ = false;
};

}  // namespace

std::string_view to_string(WakeClock clock) noexcept {
  switch (clock) {
    case WakeClock::timerfd:
      return "timerfd";
    case WakeClock::rtc:
      return "rtc";
    case WakeClock::pcm:
      return "pcm";
    case WakeClock::nanosleep:
      break;
  }
  return "nanosleep";
}

LatencyOutcome run_latency(const LatencyRequest& request, const Signals& signals,
                           const LatencyListeners& listeners) {
  auto run = std::make_unique<LatencyRun>(request, signals, listeners);
  LatencyOutcome outcome = run->run();
  if (run->hangs()) static_cast<void>(run.release());
  return outcome;
}

}  // namespace xrunlab
