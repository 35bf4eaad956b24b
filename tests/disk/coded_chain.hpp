// A whole chain for tests: coded files, the disk reader with pread, the decoder, and a consumer in place of
// playback. It is driven by turns on one thread, or each part by its own.
#pragma once

#include <fcntl.h>
#include <sndfile.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "ringbuffer/block_ring.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/disk/decoder.hpp"
#include "xrunlab/disk/disk_reader.hpp"
#include "xrunlab/disk/pread_engine.hpp"
#include "xrunlab/disk/raw_ring_plan.hpp"
#include "xrunlab/disk/ring_arena.hpp"

namespace xrunlab::test {

inline std::vector<float> decoded_by_libsndfile(const std::filesystem::path& path) {
  SF_INFO info{};
  SNDFILE* file = sf_open(path.c_str(), SFM_READ, &info);
  std::vector<float> samples(static_cast<std::size_t>((info.frames + 10'000) * info.channels));
  const sf_count_t got = sf_readf_float(file, samples.data(), info.frames + 10'000);
  sf_close(file);
  samples.resize(static_cast<std::size_t>(std::max<sf_count_t>(got, 0) * info.channels));
  return samples;
}

struct ChainShape {
  std::optional<RingGeometry> raw;  ///< absent: as plan_raw_ring has it
  RingGeometry out{4 * 1501, 9};    ///< no multiple of a page, a frame or a chunk
  Looping looping = Looping::once;
  Pacing pacing = Pacing::unpaced;  ///< by rate, the reader would sleep in earnest
  Frames fragment = 256;
  OddFile odd_file = OddFile::is_warned_of;
  PlannedDelays* delays = nullptr;
};

/// Each track has a disk reader of its own, so that a test can let one starve.
class CodedChain {
 public:
  CodedChain(const std::vector<std::filesystem::path>& paths, Clock& clock, const ChainShape& shape = {}) {
    std::vector<DecoderTrack> tracks;
    for (const auto& path : paths) tracks.push_back(add(path, shape, clock));
    decoder = std::make_unique<Decoder>(
        DecoderConfig{{48000}, shape.fragment, shape.pacing, shape.looping, shape.odd_file, shape.delays},
        std::move(tracks), progress, gate, clock);
  }

  /// Reads until no raw ring has a vacant block.
  void read(std::size_t track) {
    Bytes before = -1;
    while (readers[track]->bytes_read() != before) {
      before = readers[track]->bytes_read();
      readers[track]->step();
    }
  }

  /// Everything that the track plays, or its first `most` samples; takes an odd number of bytes at a time.
  std::vector<float> play(std::size_t track, std::size_t most = SIZE_MAX) {
    std::vector<float> samples;
    for (int idle = 0; idle < 100'000 && samples.size() < most; ++idle) {
      read(track);
      decoder->step();
      if (take(track, samples)) idle = 0;
      const auto fill = played[track].fill();
      if (fill.end != RingEnd::open && fill.bytes == 0) break;
    }
    samples.resize(std::min(samples.size(), most));
    return samples;
  }

  bool take(std::size_t track, std::vector<float>& samples) {
    const auto fill = played[track].fill();
    const auto count = static_cast<std::size_t>(std::min<Bytes>(fill.bytes / 4, 777));
    if (count == 0) return false;
    const std::size_t before = samples.size();
    samples.resize(before + count);
    played[track].copy_out(reinterpret_cast<std::byte*>(samples.data() + before), count * sizeof(float));
    return true;
  }

  PlaybackProgress progress;
  StarvationGate gate;
  std::vector<AudioFile> files;
  std::vector<std::unique_ptr<DiskReader>> readers;
  std::vector<BlockConsumer> played;
  std::vector<Bytes> raw_starts;
  std::unique_ptr<Decoder> decoder;

 private:
  DecoderTrack add(const std::filesystem::path& path, const ChainShape& shape, const Clock& clock) {
    files.push_back(open_audio_file(path));
    const AudioFile& file = files.back();
    CodedStream stream(file);
    const DataExtent extent = raw_extent(file, stream);
    raw_starts.push_back(extent.begin);
    const auto raw = shape.raw.value_or(plan_raw_ring(file, extent, std::chrono::milliseconds{500}));
    memory_.push_back(std::make_unique<RingArena>(std::vector{raw, shape.out}));
    auto [raw_in, raw_out] =
        make_block_ring(memory_.back()->row(0), static_cast<std::size_t>(raw.block_bytes));
    auto [out_in, out_out] =
        make_block_ring(memory_.back()->row(1), static_cast<std::size_t>(shape.out.block_bytes));
    played.push_back(out_out);
    handles_.emplace_back(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const int fd = handles_.back().get();
    ReaderConfig config{.make_engine = [fd] { return make_pread_engine({fd}, 0); },
                        .rate = {48000},
                        .fragment = shape.fragment,
                        .pacing = shape.pacing,
                        .looping = shape.looping,
                        .drop_behind = {},
                        .events = std::nullopt};
    readers.push_back(
        std::make_unique<DiskReader>(std::move(config),
                                     std::vector{TrackSource{.ring = raw_in,
                                                             .extent = extent,
                                                             .ns_per_byte = raw_ns_per_byte(file, extent),
                                                             .taken_by = TakenBy::decoder}},
                                     progress, gate, clock));
    return {file, std::move(stream), raw_out, out_in};
  }

  std::vector<std::unique_ptr<RingArena>> memory_;
  std::vector<UniqueFd> handles_;
};

}  // namespace xrunlab::test
