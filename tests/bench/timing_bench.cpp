// What timing costs the playback thread: a pair of clock reads, one histogram record, one timed section with
// histogram and event push, and a whole fragment in the recorder.
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <memory>
#include <thread>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/timing/recorder.hpp"

namespace xrunlab {
namespace {

// Empties a queue as the collector does, so that the pushes measured are those that find room.
class Emptier {
 public:
  explicit Emptier(EventConsumer<Event> consumer)
      : thread_([this, queue = std::move(consumer)]() mutable {
          std::array<Event, 256> batch;
          while (!stop_.load(std::memory_order_relaxed)) {
            while (queue.pop(batch.data(), batch.size()) > 0) {
            }
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
          }
        }) {}
  ~Emptier() {
    stop_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

constexpr std::size_t kRoomyQueue = std::size_t{1} << 17;

void BM_ClockReadPair(benchmark::State& state) {
  const SystemClock clock;
  for (auto _ : state) {
    const auto begin = clock.now();
    benchmark::DoNotOptimize(clock.now() - begin);
  }
}
BENCHMARK(BM_ClockReadPair);

void BM_HistogramRecord(benchmark::State& state) {
  const auto histogram = std::make_unique<Histogram>();
  std::int64_t ns = 20'000;
  for (auto _ : state) {
    histogram->record(ns);
    ns = 20'000 + ((ns * 7919) & 0xFFFF);
  }
}
BENCHMARK(BM_HistogramRecord);

void BM_SectionWithHistogramAndEventPush(benchmark::State& state) {
  const SystemClock clock;
  const auto section = std::make_unique<Section>(std::chrono::milliseconds{20});
  EventQueue<Event> queue(kRoomyQueue);
  const Emptier emptier(std::move(queue.consumer));
  std::int64_t index = 0;
  for (auto _ : state) {
    const auto begin = clock.now();
    const auto end = clock.now();
    section->record(end - begin);
    Event event{};
    event.kind = EventKind::fragment;
    event.at_ns = end.count();
    event.fragment.index = index++;
    event.fragment.t1_ns = (end - begin).count();
    queue.producer.push(event);
  }
  state.counters["dropped"] = static_cast<double>(queue.producer.dropped());
}
BENCHMARK(BM_SectionWithHistogramAndEventPush);

void BM_WholeFragment(benchmark::State& state) {
  EventQueue<Event> trace(kRoomyQueue);
  EventQueue<Event> marks(64);
  EventQueue<WindowFigures> windows(64);
  const Emptier emptier(std::move(trace.consumer));
  std::optional<EventProducer<Event>> recording;
  if (state.range(0) == 1) recording = std::move(trace.producer);
  const auto recorder = std::make_unique<PlaybackRecorder>(
      RecorderConfig{.bound = std::chrono::milliseconds{20},
                     .card = {.rate = {48000}, .fragment = 1024, .buffer = 2048},
                     .trace = std::move(recording),
                     .marks = std::move(marks.producer),
                     .windows = std::move(windows.producer)});
  FragmentSample sample{.ring_read = Nanoseconds{40'000},
                        .pcm_write = Nanoseconds{20'000'000},
                        .outside = Nanoseconds{500'000},
                        .fill = 200'000,
                        .wake = Wake{Nanoseconds{1}, 2},
                        .queued = 2000};
  for (auto _ : state) {
    ++sample.index;
    recorder->fragment(sample);
  }
}
BENCHMARK(BM_WholeFragment)->Arg(0)->Arg(1)->ArgName("recording");

}  // namespace
}  // namespace xrunlab
