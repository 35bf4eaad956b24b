#include "latency_round.hpp"

#include <algorithm>
#include <chrono>

#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/pcm_wakes.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kSetUpLook = 1ms;
constexpr Nanoseconds kRoundLead = 20ms;  // from main's word to the first planned wake-ups
// A stop is seen within 100 ms (a card: 50 ms); a thread that takes longer is held by the kernel.
constexpr Nanoseconds kMeasuringPatience = 2s;
// Main empties it some times a second; a busy machine may keep it from that for seconds.
constexpr std::size_t kSampleQueue = std::size_t{1} << 16;

std::string thread_name(std::size_t index) {
  return "measure-" + std::to_string(index);
}

LatencyFigures without_histogram(const HistogramData& histogram) {
  LatencyFigures figures = figures_of(histogram);
  figures.histogram.reset();
  figures.percentiles_ns.clear();
  figures.overflow.reset();
  return figures;
}

/// The figures of all threads of a round, from their histograms.
LatencyFigures over_threads(const std::vector<std::unique_ptr<MeasuringThread>>& threads,
                            Histogram WakeCounts::*histogram, std::atomic<std::int64_t> WakeCounts::*over,
                            bool limited) {
  std::vector<LatencyFigures> parts;
  for (const auto& thread : threads) {
    auto& part = parts.emplace_back(figures_of((thread->counts.*histogram).snapshot()));
    if (limited) part.over = (thread->counts.*over).load(std::memory_order_relaxed);
  }
  return together(parts);
}

}  // namespace

RoundOfThreads::RoundOfThreads(const LatencyRequest& request, Clock& clock, TraceMarker* marker,
                               std::vector<std::string>& warnings)
    : request_(request), clock_(clock), loops_(request.loops) {
  for (const auto& cpus : request.cpus) {
    auto& thread = *threads_.emplace_back(std::make_unique<MeasuringThread>());
    thread.cpus = cpus;
    thread.source = make_source(warnings);
    const Nanoseconds interval = thread.source->interval();
    if (request.duration) loops_ = std::max<std::int64_t>(1, *request.duration / interval);
    if (request.record) thread.samples.emplace(kSampleQueue);
    const WakeLoopConfig config{.loops = loops_,
                                .limit = request.limit,
                                .burn = Nanoseconds{static_cast<std::int64_t>(
                                    request.burn_share * static_cast<double>(interval.count()))}};
    thread.loop = std::make_unique<WakeLoop>(
        config, WakeLoop::Parts{.source = *thread.source,
                                .counts = thread.counts,
                                .clock = clock_,
                                .stop = stop_,
                                .marker = marker,
                                .samples = thread.samples ? &thread.samples->producer : nullptr});
  }
}

std::unique_ptr<WakeSource> RoundOfThreads::make_source(std::vector<std::string>& warnings) {
  switch (request_.clock) {
    case WakeClock::timerfd:
      return std::make_unique<TimerfdWakes>(request_.interval, clock_, stop_);
    case WakeClock::rtc:
      return std::make_unique<RtcWakes>(request_.rtc, clock_, stop_);
    case WakeClock::pcm:
      pcm_ = open_pcm(request_.card, clock_, warnings);
      if (!pcm_->grant().paced) {
        throw Error(ExitCode::usage, request_.card.device + ": that PCM never waits, so it wakes nobody",
                    "--clock sim, or a card");
      }
      return std::make_unique<PcmWakes>(*pcm_, clock_, stop_);
    case WakeClock::nanosleep:
      break;
  }
  return std::make_unique<NanosleepWakes>(request_.interval, clock_, stop_);
}

void RoundOfThreads::set_up(MemoryLock& lock) {
  const auto count = static_cast<std::int64_t>(threads_.size());
  for (std::size_t index = 0; index < threads_.size(); ++index) {
    MeasuringThread& thread = *threads_[index];
    const std::string name = thread_name(index);
    // Threads that wake at one instant would measure each other.
    const Nanoseconds offset = static_cast<std::int64_t>(index) * thread.source->interval() / count;
    thread.worker.start(name, {{name, thread.cpus}}, request_.sched, [this, &thread, offset] {
      thread.loop->prepare();
      prepared_.fetch_add(1, std::memory_order_release);
      while (start_ns_.load(std::memory_order_acquire) == 0 && !stop_.load(std::memory_order_relaxed))
        clock_.sleep_until(clock_.now() + kSetUpLook);
      if (!stop_.load(std::memory_order_relaxed))
        thread.end = thread.loop->run(Nanoseconds{start_ns_.load(std::memory_order_relaxed)} + offset);
      thread.ended.set();
    });
    thread.id = thread.worker.id();
    lock.add("the measuring stack", thread.worker.stack());
    // One after the other: work is measured out undisturbed by the others.
    while (prepared_.load(std::memory_order_acquire) <= index) clock_.sleep_until(clock_.now() + kSetUpLook);
  }
}

void RoundOfThreads::begin() {
  start_ns_.store((clock_.now() + kRoundLead).count(), std::memory_order_release);
}

bool RoundOfThreads::done() const noexcept {
  return std::all_of(threads_.begin(), threads_.end(),
                     [](const auto& thread) { return thread->worker.done(); });
}

std::vector<int> RoundOfThreads::wakers() const {
  std::vector<int> fds;
  for (const auto& thread : threads_) {
    if (!thread->worker.done()) fds.push_back(thread->ended.fd());
  }
  return fds;
}

bool RoundOfThreads::join() {
  bool all = true;
  for (auto& thread : threads_) all = thread->worker.join_within(kMeasuringPatience) && all;
  if (all && pcm_) pcm_->close();
  return all;
}

LatencyThread RoundOfThreads::thread_figures(const MeasuringThread& thread) const {
  LatencyThread figures;
  if (thread.cpus.size() == 1) figures.cpu = thread.cpus.front();
  figures.id = thread.id;
  figures.priority = thread.worker.sched().priority;
  figures.interval_ns = thread.source->interval().count();
  figures.figures = without_histogram(thread.counts.all.snapshot());
  figures.figures.missed = thread.counts.missed.load(std::memory_order_relaxed);
  figures.as_cyclictest = without_histogram(thread.counts.as_cyclictest.snapshot());
  if (thread.counts.as_cyclictest.count() > 0)
    figures.last_ns = thread.counts.last_ns.load(std::memory_order_relaxed);
  if (request_.limit) {
    figures.figures.over = thread.counts.over.load(std::memory_order_relaxed);
    figures.as_cyclictest->over = thread.counts.over_as_cyclictest.load(std::memory_order_relaxed);
  }
  return figures;
}

LatencyRound RoundOfThreads::figures() const {
  LatencyRound round;
  const bool limited = request_.limit.has_value();
  round.planned = loops_ * static_cast<std::int64_t>(threads_.size());
  round.figures = over_threads(threads_, &WakeCounts::all, &WakeCounts::over, limited);
  round.as_cyclictest =
      over_threads(threads_, &WakeCounts::as_cyclictest, &WakeCounts::over_as_cyclictest, limited);
  std::int64_t missed = 0;
  for (const auto& thread : threads_) {
    round.threads.push_back(thread_figures(*thread));
    missed += *round.threads.back().figures.missed;
  }
  round.figures.missed = missed;
  return round;
}

}  // namespace xrunlab
