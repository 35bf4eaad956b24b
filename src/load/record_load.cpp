#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

#include "load_jobs.hpp"
#include "record_writer.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/signal.hpp"
#include "xrunlab/load/load_file.hpp"
#include "xrunlab/platform/limits.hpp"

namespace xrunlab {
namespace {

// As those of playing: a ring of five seconds, written an eighth at a time.
constexpr Nanoseconds kRing = std::chrono::seconds{5};
constexpr Bytes kLeastBlock = 4096;
constexpr Bytes kMostBlock = Bytes{256} << 10;
constexpr Bytes kRingBlocks = 8;
constexpr Frames kFragment = 1024;

Bytes frame_bytes(const SetSpec& track) {
  return static_cast<Bytes>(bytes_per_sample(track.format)) * track.channels;
}

struct RecordPlan {
  Bytes block = kLeastBlock;
  Bytes blocks = kRingBlocks;  ///< of a track's ring
};

RecordPlan plan_rings(const SetSpec& track) {
  const Bytes ring = duration_to_frames_ceil(kRing, track.rate) * frame_bytes(track);
  RecordPlan plan;
  while (plan.block * 2 <= std::min(kMostBlock, ring / kRingBlocks)) plan.block *= 2;
  // One fragment may begin in one block and end in another.
  const Bytes of_fragment = 2 + kFragment * frame_bytes(track) / plan.block;
  plan.blocks = std::max({kRingBlocks, (ring + plan.block - 1) / plan.block, 2 * of_fragment});
  return plan;
}

/// The memory of all rings.
class RecordArena {
 public:
  explicit RecordArena(Bytes size) : size_(static_cast<std::size_t>(size)) {
    void* const memory =
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) {
      throw Error(ExitCode::system, "record: cannot map memory for its rings: " + errno_text(errno),
                  "give it fewer tracks");
    }
    memory_ = static_cast<std::byte*>(memory);
  }
  ~RecordArena() { ::munmap(memory_, size_); }
  RecordArena(const RecordArena&) = delete;
  RecordArena& operator=(const RecordArena&) = delete;
  std::span<std::byte> row(std::size_t index, std::size_t bytes) const noexcept {
    return {memory_ + index * bytes, bytes};
  }

 private:
  std::size_t size_;
  std::byte* memory_ = nullptr;
};

/// One track's way from the card, which there is none of, into its ring.
class TrackInput {
 public:
  TrackInput(BlockProducer ring, const LoadTask& task, int index)
      : ring_(std::move(ring)),
        samples_(Signal::noise, task.spec.track->format, task.spec.track->rate, task.spec.track->channels,
                 stream_of(task, index), task.seed) {}

  /// What fits now is what fits until the next look.
  void look() {
    room_ = ring_.vacant_count() * ring_.block_bytes() + (index_ ? ring_.block_bytes() - used_ : 0);
  }

  /// False when there was no room for `size` bytes: they are lost.
  bool take(std::size_t size) {
    if (room_ < size) return false;
    room_ -= size;
    const std::size_t block = ring_.block_bytes();
    while (size > 0) {
      if (!index_) index_ = ring_.take_vacant();
      const std::size_t part = std::min(size, block - used_);
      samples_.read({ring_.data(*index_) + used_, part});
      used_ += part;
      size -= part;
      if (used_ == block) publish();
    }
    return true;
  }

 private:
  void publish() {
    ring_.publish({.index = *index_, .begin = 0, .end = static_cast<std::uint32_t>(used_)});
    index_.reset();
    used_ = 0;
  }

  BlockProducer ring_;
  SignalStream samples_;
  std::optional<std::uint32_t> index_;
  std::size_t used_ = 0;
  std::size_t room_ = 0;
};

/// Gives every track a fragment whenever one is due. A thread that comes late makes up for it, with the room
/// that it finds: what a card has recorded does not wait, so what is written from then on comes too late for
/// it.
void record(std::vector<TrackInput>& inputs, const SetSpec& track, LoadFigures& figures, const JobsEnd& end) {
  SystemClock clock;
  const Nanoseconds start = clock.now();
  Nanoseconds looked_at{};
  const auto fragment_bytes = static_cast<std::size_t>(kFragment * frame_bytes(track));
  for (Frames due = kFragment; !end.come(); due += kFragment) {
    const Nanoseconds due_at = start + frames_to_duration(due, track.rate);
    clock.sleep_until(due_at);
    if (due_at > looked_at) {
      looked_at = clock.now();
      for (auto& input : inputs) input.look();
    }
    bool lost = false;
    for (auto& input : inputs) lost = !input.take(fragment_bytes) || lost;
    if (lost) figures.overruns.fetch_add(1, std::memory_order_relaxed);
  }
}

std::vector<LoadFile> make_track_files(const LoadTask& task, Bytes block, LoadFigures& figures) {
  const LoadSpec& spec = task.spec;
  const Bytes each = std::max(block, round_down(spec.size / spec.tracks, block));
  std::vector<LoadFile> files;
  for (int track = 0; track < spec.tracks; ++track) {
    files.push_back(make_load_file(spec.path, each, block, LoadAccess::direct));
    figures.file_bytes.fetch_add(files.back().size, std::memory_order_relaxed);
  }
  return files;
}

}  // namespace

void do_record_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  const SetSpec track = task.spec.track.value_or(SetSpec{.rate = {48'000}});
  LoadTask own = task;
  own.spec.track = track;
  const RecordPlan plan = plan_rings(track);
  constexpr std::int64_t kOtherFiles = 64;
  raise_open_files_limit(task.spec.tracks + kOtherFiles);
  const auto files = make_track_files(own, plan.block, figures);
  const auto row_bytes = static_cast<std::size_t>(plan.block * plan.blocks);
  const RecordArena arena(static_cast<Bytes>(row_bytes) * task.spec.tracks);
  std::vector<TrackInput> inputs;
  std::vector<BlockConsumer> outputs;
  for (int index = 0; index < task.spec.tracks; ++index) {
    auto [producer, consumer] = make_block_ring(arena.row(static_cast<std::size_t>(index), row_bytes),
                                                static_cast<std::size_t>(plan.block));
    inputs.emplace_back(std::move(producer), own, index);
    outputs.push_back(std::move(consumer));
  }
  RecordWriter writer(std::move(outputs), files);
  figures.work();
  run_jobs(2, stop, [&](int job, const JobsEnd& end) {
    if (job == 0) return record(inputs, track, figures, end);
    while (!end.come()) {
      for (int block = writer.turn(); block > 0; --block) figures.count(plan.block);
    }
  });
}

}  // namespace xrunlab
