// The whole chain on one thread in virtual time, for tests: files in memory, the disk reader, rings, mixer,
// the playback loop and a card. Every sample is a known number, so that whatever is lost, doubled or shifted
// shows.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "xrunlab/audio/pcm.hpp"
#include "xrunlab/disk/disk_reader.hpp"
#include "xrunlab/disk/ring_arena.hpp"
#include "xrunlab/disk/scripted_engine.hpp"
#include "xrunlab/engine/playback_loop.hpp"
#include "xrunlab/engine/ring_source.hpp"

namespace xrunlab::test {

struct ChainTrack {
  SampleFormat format = SampleFormat::s16_le;
  int channels = 1;
  Frames frames = 0;
  Bytes begin = 44;  ///< of the samples in the file
  Bytes frame_bytes() const { return static_cast<Bytes>(bytes_per_sample(format)) * channels; }
};

/// The sample, left-justified in 32 bits, with no more bits than the format carries.
inline std::int32_t sample_of(const ChainTrack& track, std::size_t index, Frames frame, int channel) {
  auto mixed = static_cast<std::uint64_t>(frame) * 0x9e3779b97f4a7c15U + index * 0x85ebca6bU +
               static_cast<std::uint64_t>(channel) * 0xc2b2ae3d27d4eb4fU + 1;
  mixed ^= mixed >> 29;
  mixed *= 0xbf58476d1ce4e5b9U;
  const int bits = is_float(track.format) ? 24 : significant_bits(track.format);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(mixed >> 32) & (~0U << (32 - bits)));
}

inline void append_sample(SampleFormat format, std::int32_t value, std::vector<std::byte>& out) {
  std::uint32_t bits = static_cast<std::uint32_t>(value);
  int size = bytes_per_sample(format);
  if (format == SampleFormat::u8) bits ^= 0x80000000U;
  if (is_float(format)) {
    const float real = static_cast<float>(value) / 2147483648.0F;
    std::memcpy(&bits, &real, 4);
  } else {
    bits >>= 32 - 8 * size;
  }
  for (int byte = 0; byte < size; ++byte) out.push_back(static_cast<std::byte>(bits >> (8 * byte) & 0xff));
}

/// The file: other bytes before and after the samples.
inline std::vector<std::byte> file_of(const ChainTrack& track, std::size_t index) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(track.begin), std::byte{0xee});
  for (Frames frame = 0; frame < track.frames; ++frame) {
    for (int channel = 0; channel < track.channels; ++channel) {
      append_sample(track.format, sample_of(track, index, frame, channel), bytes);
    }
  }
  bytes.resize(bytes.size() + 123, std::byte{0xdd});
  return bytes;
}

struct ChainSetup {
  std::vector<ChainTrack> tracks;
  ScriptedDisk disk{};
  SamplePath path = SamplePath::float32;
  Looping looping = Looping::once;
  Bytes alignment = kPageBytes;
  std::int64_t blocks = 4;
};

/// Lets the reader work off what is due before each take, and moves the clock to the next completion while
/// the rings lack a fragment and the answer is to wait.
class Chain final : public FragmentSource {
 public:
  Chain(ChainSetup setup, FakeClock& clock, const PcmGrant& card, StarveAnswer on_starve)
      : setup_(std::move(setup)), clock_(clock), on_starve_(on_starve), arena_(geometries()) {
    std::vector<TrackSource> sources;
    std::vector<RingTrack> rings;
    std::vector<TrackLayout> layouts;
    for (std::size_t index = 0; index < setup_.tracks.size(); ++index) {
      const auto& track = setup_.tracks[index];
      setup_.disk.files.push_back(file_of(track, index));
      auto [producer, consumer] = make_block_ring(arena_.row(index), kPageBytes);
      const Bytes end = track.begin + track.frames * track.frame_bytes();
      sources.push_back({std::move(producer),
                         {track.begin, end},
                         setup_.alignment,
                         1e9 / card.rate.hz / static_cast<double>(track.frame_bytes())});
      rings.push_back({std::move(consumer), track.frame_bytes(),
                       static_cast<Frames>(arena_.row(index).size()) / track.frame_bytes()});
      layouts.push_back({track.format, track.channels});
    }
    setup_.disk.while_idle = WhileIdle::stands_still;
    ReaderConfig config{.make_engine =
                            [this] {
                              auto made = std::make_unique<ScriptedEngine>(setup_.disk, clock_);
                              engine_ = made.get();
                              return made;
                            },
                        .rate = card.rate,
                        .fragment = card.fragment,
                        .looping = setup_.looping};
    reader.emplace(std::move(config), std::move(sources), progress, gate_, clock_);
    ring.emplace(RingSourceConfig{card.rate, StarveAnswer::silenced}, std::move(rings),
                 std::make_unique<ConvertedTracks>(layouts, card.fragment, setup_.path), gate_, clock_, stop);
    while (!reader->primed()) {
      work_off();
      if (!reader->primed()) clock_.sleep_until(engine_->next_due().value());
    }
  }

  TakenFragment take(Nanoseconds start) noexcept override {
    work_off();
    auto taken = ring->take(start);
    while (taken.status == TakeStatus::starved && on_starve_ == StarveAnswer::waited) {
      ++waits;
      clock_.sleep_until(engine_->next_due().value());
      work_off();
      taken = ring->take(start);
    }
    silences.push_back(taken.status == TakeStatus::starved);
    return taken;
  }
  std::span<const TrackFrames<float>> as_float() const noexcept override { return ring->as_float(); }
  std::span<const TrackFrames<std::int32_t>> as_int32() const noexcept override { return ring->as_int32(); }

  PlaybackResult play(Pcm& pcm, PlaybackConfig config = {}) {
    const auto& card = pcm.grant();
    EventQueue<Event> marks(1000);
    EventQueue<WindowFigures> windows(100);
    recorder = std::make_unique<PlaybackRecorder>(
        RecorderConfig{.bound = frames_to_duration(card.fragment, card.rate),
                       .card = {card.rate, card.fragment, card.buffer},
                       .marks = std::move(marks.producer),
                       .windows = std::move(windows.producer)});
    FragmentMixer mixer({.map = ChannelMap::direct,
                         .card_format = card.format,
                         .card_channels = card.channels,
                         .fragment = card.fragment});
    PcmWriter writer(pcm, clock_, stop);
    return PlaybackLoop(config, {*this, mixer, pcm, writer, *recorder, progress, clock_, stop}).run();
  }

  /// Every frame of the card's: each track's samples side by side, silence behind their ends.
  void expect_on_card(std::span<const std::byte> got, Frames frames, const PcmGrant& card) const {
    ASSERT_EQ(got.size(), static_cast<std::size_t>(frames * card.channels * 4));
    Frames frame = 0;
    std::size_t take = 0;
    for (Frames at = 0; at < frames; ++at) {
      if (at % card.fragment == 0 && at > 0) ++take;
      const bool silent = take < silences.size() && silences[take];
      int card_channel = 0;
      for (std::size_t index = 0; index < setup_.tracks.size(); ++index) {
        const auto& track = setup_.tracks[index];
        const Frames number = setup_.looping == Looping::forever ? frame % track.frames : frame;
        for (int channel = 0; channel < track.channels; ++channel, ++card_channel) {
          std::int32_t value = 0;
          std::memcpy(&value, got.data() + (at * card.channels + card_channel) * 4, 4);
          const bool there = !silent && number < track.frames;
          ASSERT_EQ(value, there ? sample_of(track, index, number, channel) : 0)
              << "card frame " << at << " track " << index << " channel " << channel;
        }
      }
      if (!silent) ++frame;
    }
  }

  std::atomic<bool> stop{false};
  PlaybackProgress progress;
  std::optional<DiskReader> reader;
  std::optional<RingSource> ring;
  std::unique_ptr<PlaybackRecorder> recorder;
  std::vector<bool> silences;  ///< by take
  int waits = 0;

 private:
  std::vector<RingGeometry> geometries() const {
    std::vector<RingGeometry> rows;
    for (const auto& track : setup_.tracks) {
      // At least two fragments, whatever the size of a frame.
      rows.push_back({kPageBytes, setup_.blocks * std::max<Bytes>(1, track.frame_bytes() / 8)});
    }
    return rows;
  }

  void work_off() {
    for (std::int64_t seen = -1; seen != progress_of_reader();) {
      seen = progress_of_reader();
      reader->step();
    }
  }
  std::int64_t progress_of_reader() const {
    if (engine_ == nullptr) return -2;
    return static_cast<std::int64_t>(engine_->submitted().size()) + reader->reads() - reader->in_flight();
  }

  ChainSetup setup_;
  FakeClock& clock_;
  StarveAnswer on_starve_;
  ScriptedEngine* engine_ = nullptr;
  StarvationGate gate_;
  RingArena arena_;
};

}  // namespace xrunlab::test
