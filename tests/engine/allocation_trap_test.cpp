#include "tests/engine/allocation_trap.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/sanitized.hpp"
#include "xrunlab/audio/convert.hpp"
#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/engine/playback_loop.hpp"
#include "xrunlab/engine/ring_source.hpp"

namespace {

constinit thread_local bool armed = false;
constinit thread_local std::int64_t heap_calls = 0;

void note() noexcept {
  if (armed) ++heap_calls;
}

}  // namespace

#if XRUNLAB_SANITIZED
// The sanitizers have the heap themselves and tell of each call.
extern "C" void __sanitizer_malloc_hook(const volatile void*, std::size_t) {
  note();
}
extern "C" void __sanitizer_free_hook(const volatile void* memory) {
  if (memory != nullptr) note();
}
#else
// Defined in the program, these stand before the C library's; new and delete end in them.
extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;
void __libc_free(void*) noexcept;

void* malloc(std::size_t size) noexcept {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  note();
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) noexcept {
  if (memory != nullptr) note();
  __libc_free(memory);
}
}
#endif

namespace xrunlab::test {

AllocationTrap::AllocationTrap() noexcept {
  heap_calls = 0;
  armed = true;
}
AllocationTrap::~AllocationTrap() {
  armed = false;
}
std::int64_t AllocationTrap::calls() const noexcept {
  return heap_calls;
}

namespace {

using namespace std::chrono_literals;

constexpr Frames kFragment = 256;
constexpr SampleRate kRate{48'000};
constexpr Frames kLength = 56 * kFragment;  // seven blocks of 4 KiB

/// A whole track in its ring before the start, and what befalls its tenth take.
class PrimedSource final : public FragmentSource {
 public:
  enum class Planted { nothing, an_allocation, a_late_take };

  explicit PrimedSource(Planted planted = Planted::nothing)
      : planted_(planted), row_(kLength * 2), halves_(make_block_ring(row_, 4096)) {
    auto& producer = halves_.first;
    while (const auto slot = producer.take_vacant()) producer.publish({.index = *slot, .end = 4096});
    producer.finish(RingEnd::finished);
    std::vector<RingTrack> tracks;
    tracks.push_back({std::move(halves_.second), 2, kLength});
    auto converted = std::make_unique<ConvertedTracks>(std::vector<TrackLayout>{{SampleFormat::s16_le, 1}},
                                                       kFragment, SamplePath::float32);
    ring_.emplace(RingSourceConfig{kRate}, std::move(tracks), std::move(converted), gate_, clock_, stop_);
  }

  TakenFragment take(Nanoseconds start) noexcept override {
    if (++takes_ == 10 && planted_ == Planted::an_allocation) kept_ = std::make_unique<std::string>(100, 'x');
    if (takes_ == 10 && planted_ == Planted::a_late_take) clock_.sleep_until(clock_.now() + 60ms);
    return ring_->take(start);
  }
  std::span<const TrackFrames<float>> as_float() const noexcept override { return ring_->as_float(); }
  std::span<const TrackFrames<std::int32_t>> as_int32() const noexcept override { return ring_->as_int32(); }

 private:
  Planted planted_;
  int takes_ = 0;
  std::unique_ptr<std::string> kept_;
  SystemClock clock_;
  StarvationGate gate_;
  std::atomic<bool> stop_{false};
  std::vector<std::byte> row_;
  std::pair<BlockProducer, BlockConsumer> halves_;
  std::optional<RingSource> ring_;
};

struct Observed {
  PlaybackResult result;
  std::int64_t heap_calls = 0;
  long major_faults = 0;
  std::int64_t xruns = 0;
};

long major_faults_of_thread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_majflt;
}

/// Plays `source` on a thread of its own with the trap armed around the whole loop.
Observed play(const std::string& device, FragmentSource& source) {
  SystemClock clock;
  std::vector<std::string> warnings;
  const auto pcm = open_pcm({.device = device, .rate = kRate, .period = kFragment, .buffer = 4 * kFragment},
                            clock, warnings);
  const auto& card = pcm->grant();
  EventQueue<Event> trace(1000);
  EventQueue<Event> marks(1000);
  EventQueue<WindowFigures> windows(1000);
  const auto recorder =
      std::make_unique<PlaybackRecorder>(RecorderConfig{.bound = frames_to_duration(kFragment, kRate),
                                                        .card = {kRate, kFragment, card.buffer},
                                                        .trace = std::move(trace.producer),
                                                        .marks = std::move(marks.producer),
                                                        .windows = std::move(windows.producer)});
  FragmentMixer mixer({.card_format = card.format, .card_channels = 2, .fragment = kFragment});
  const std::atomic<bool> stop{false};
  PcmWriter writer(*pcm, clock, stop);
  PlaybackProgress progress;
  PlaybackLoop loop({}, {source, mixer, *pcm, writer, *recorder, progress, clock, stop});
  conversion_target();
  Observed observed;
  std::thread([&] {
    const long before = major_faults_of_thread();
    const AllocationTrap trap;
    observed.result = loop.run();
    observed.heap_calls = trap.calls();
    observed.major_faults = major_faults_of_thread() - before;
  }).join();
  observed.xruns = recorder->live().xruns;
  return observed;
}

TEST(AllocationTrap, CountsWhatItsThreadDoesWhileItIsArmed) {
  std::int64_t calls = 0;
  void* volatile kept = nullptr;
  {
    const AllocationTrap trap;
    EXPECT_EQ(trap.calls(), 0);
    kept = std::malloc(10);
    EXPECT_EQ(trap.calls(), 1);
    std::free(kept);
    EXPECT_EQ(trap.calls(), 2);
    kept = new int(1);
    EXPECT_EQ(trap.calls(), 3);
    delete static_cast<int*>(kept);
    calls = trap.calls();
  }
  EXPECT_EQ(calls, 4);
}

TEST(AllocationTrap, ThePlaybackLoopUsesNoHeapOnAnyCard) {
  for (const char* device : {"sim", "null"}) {
    PrimedSource source;
    const auto observed = play(device, source);
    EXPECT_EQ(observed.result.end, PlaybackEnd::data) << device;
    EXPECT_EQ(observed.result.frames_played, kLength) << device;
    EXPECT_EQ(observed.heap_calls, 0) << device;
    EXPECT_EQ(observed.major_faults, 0) << device;
  }
}

TEST(AllocationTrap, XrunsAreMendedWithoutTheHeap) {
  PrimedSource source(PrimedSource::Planted::a_late_take);
  const auto observed = play("sim", source);
  EXPECT_EQ(observed.result.end, PlaybackEnd::data);
  EXPECT_GE(observed.xruns, 1);
  EXPECT_EQ(observed.heap_calls, 0);
}

TEST(AllocationTrap, APlantedAllocationIsFound) {
  PrimedSource source(PrimedSource::Planted::an_allocation);
  EXPECT_GT(play("null", source).heap_calls, 0);
}

}  // namespace
}  // namespace xrunlab::test
