#include "xrunlab/timing/collector.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace xrunlab {
namespace {

constexpr std::size_t kBatch = 256;
constexpr int kIntervalsPerFlush = 10;

// Takes at most what the queue can hold, so that a thread which goes on pushing cannot keep the collector
// here for ever.
template <typename T, typename Take>
void drain_queue(EventConsumer<T>& consumer, std::vector<T>& batch, Take take) {
  batch.resize(kBatch);
  for (std::size_t taken = 0; taken < consumer.capacity();) {
    const auto count = consumer.pop(batch.data(), batch.size());
    for (std::size_t at = 0; at < count; ++at) take(batch[at]);
    if (count == 0) break;
    taken += count;
  }
}

}  // namespace

Collector::Collector(CollectorConfig config)
    : config_(std::move(config)), recording_(config_.trace != nullptr), windows_(config_.windows_expected) {}

void Collector::run() {
  while (wait_for_interval()) look();
  close();
}

void Collector::look() {
  drain();
  if (config_.watcher != nullptr) record(config_.watcher->look());
  if (config_.trace && ++looks_ % kIntervalsPerFlush == 0) config_.trace->flush();
  check_trace();
  if (config_.live) config_.live();
}

void Collector::close() {
  drain();
  if (config_.watcher != nullptr) record(config_.watcher->finish());
  finish();
}

void Collector::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_asked_ = true;
  }
  stopped_.notify_all();
}

bool Collector::wait_for_interval() {
  std::unique_lock lock(mutex_);
  return !stopped_.wait_for(lock, config_.interval, [this] { return stop_asked_; });
}

void Collector::drain() {
  drain_queue(config_.marks, batch_, [this](const Event& mark) {
    take_mark(mark);
    if (config_.watcher != nullptr) config_.watcher->take(mark);
    // A late fragment stands among the trace's own fragments already.
    if (mark.kind != EventKind::fragment) record(mark);
  });
  for (auto& consumer : config_.events) {
    drain_queue(consumer, batch_, [this](const Event& event) {
      if (config_.watcher != nullptr && event.kind != EventKind::fragment) config_.watcher->take(event);
      record(event);
    });
  }
  std::array<WindowFigures, 8> windows;
  while (const auto count = config_.windows.pop(windows.data(), windows.size())) {
    for (std::size_t at = 0; at < count; ++at) windows_.add(windows[at]);
  }
}

void Collector::take_mark(const Event& mark) {
  const Nanoseconds at{mark.at_ns};
  if (mark.kind == EventKind::xrun) {
    const auto dry_ns = mark.xrun.dry_ns;
    const auto dry = dry_ns < 0 ? std::nullopt : std::optional(Nanoseconds{dry_ns});
    dropouts_.add(at, dry.value_or(Nanoseconds{0}));
    if (collected_.xruns.size() < Collected::kMostXruns) collected_.xruns.push_back({at, dry});
  } else if (mark.kind == EventKind::starvation) {
    const Nanoseconds duration{mark.starvation.duration_ns};
    starvations_.add(at, duration, mark.starvation.track);
    if (config_.starvation == StarvationSounds::as_silence) dropouts_.add(at, duration);
  }
}

void Collector::record(const Event& event) {
  if (!config_.trace) return;
  if (config_.keep) {
    config_.keep->add(event, [this](const Event& kept) { config_.trace->add(kept); });
  } else {
    config_.trace->add(event);
  }
}

void Collector::record(std::span<const Event> events) {
  for (const auto& event : events) record(event);
}

void Collector::check_trace() {
  if (!config_.trace || config_.trace->error().empty()) return;
  collected_.trace_error = config_.trace->error() + "; the recording ends here, the run goes on";
  config_.trace.reset();
  if (config_.warn) config_.warn(collected_.trace_error);
}

std::int64_t Collector::dropped() const noexcept {
  std::int64_t sum = config_.marks.dropped();
  if (!recording_) return sum;
  for (const auto& consumer : config_.events) sum += consumer.dropped();
  return sum;
}

void Collector::finish() {
  collected_.events_dropped = dropped();
  if (config_.trace) {
    if (config_.keep) config_.keep->finish([this](const Event& kept) { config_.trace->add(kept); });
    collected_.window_overflowed = config_.keep && config_.keep->overflows() > 0;
    config_.trace->finish(collected_.events_dropped);
    collected_.events_recorded = config_.trace->events();
    check_trace();
    config_.trace.reset();
  }
  collected_.windows = windows_.take();
  collected_.starvations = starvations_.all();
  collected_.starvation_count = starvations_.count();
  collected_.starvation_longest = starvations_.longest();
  collected_.dropouts = dropouts_.count();
}

}  // namespace xrunlab
