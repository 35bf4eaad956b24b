// A record made by hand, for tests: a quiet run of two tracks, in which a test makes one thing happen. Times
// count from the card's first start.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "xrunlab/core/units.hpp"
#include "xrunlab/timing/trace_writer.hpp"

namespace xrunlab::test {

struct RecordedRun {
  static constexpr SampleRate kRate{48'000};
  static constexpr Frames kFragment = 1024;
  static constexpr Frames kBuffer = 4096;
  static constexpr Bytes kBlock = 4096;
  static constexpr std::int64_t kBlocks = 6;
  static constexpr Bytes kFrameBytes = 2;
  static constexpr Nanoseconds kStart = std::chrono::seconds{5000};  ///< of the card, CLOCK_MONOTONIC

  explicit RecordedRun(Nanoseconds length = std::chrono::seconds{8}) {
    std::string name = (std::filesystem::temp_directory_path() / "xrunlab-record-XXXXXX").string();
    folder = ::mkdtemp(name.data());
    path = folder / "run.trace";
    const Bytes data = (duration_to_frames_ceil(length, kRate) + 100) * kFrameBytes;
    header = {.rate = kRate,
              .fragment = kFragment,
              .buffer = kBuffer,
              .bound = frames_to_duration(kFragment, kRate),
              .start = kStart - std::chrono::seconds{1},
              .start_unix_ns = 1'700'000'000'000'000'000,
              .tracks = {"first.wav", "second.wav"},
              .chain = TraceChain{.period = kFragment, .start_threshold = kBuffer, .queue_depth = 32}};
    for (int track = 0; track < 2; ++track) {
      header.chain->tracks.push_back({.data_begin = 44,
                                      .data_end = 44 + data,
                                      .file_bytes = 44 + data,
                                      .start = 44,
                                      .alignment = kPageBytes,
                                      .block_bytes = kBlock,
                                      .block_count = kBlocks});
    }
    const Frames fragments = duration_to_frames_ceil(length, kRate) / kFragment;
    for (Frames index = 0; index < fragments; ++index)
      events.push_back(fragment_event(index, Nanoseconds{0}));
    // What a read usually takes; those that are not in the record take as long.
    for (std::int64_t block = kBlocks; block < kBlocks + 10; ++block)
      slow_read(0, block, std::chrono::milliseconds{43 * (block - kBlocks)}, std::chrono::milliseconds{2});
  }
  RecordedRun(const RecordedRun&) = delete;
  RecordedRun& operator=(const RecordedRun&) = delete;
  ~RecordedRun() { std::filesystem::remove_all(folder); }

  /// When the card has room for the fragment.
  static Nanoseconds due(Frames index) {
    const Frames in_first_fill = kBuffer / kFragment;
    return kStart + frames_to_duration(std::max<Frames>(0, index - in_first_fill + 1) * kFragment, kRate);
  }

  static Event fragment_event(Frames index, Nanoseconds late) {
    Event event{};
    event.kind = EventKind::fragment;
    event.at_ns = (due(index) + late).count();
    event.fragment = {.index = index,
                      .t1_ns = 20'000,
                      .t2_ns = 100'000 + late.count(),
                      .t3_ns = index == 0 ? -1 : 40'000,
                      .planned_ns = index < kBuffer / kFragment ? -1 : due(index).count(),
                      .fill_frames = 10'000,
                      .slack_frames = 2'000};
    return event;
  }

  /// The fragment's wake-up came so much too late.
  void wake_late(Frames index, Nanoseconds late) {
    events[static_cast<std::size_t>(index)] = fragment_event(index, late);
  }

  /// The read that begins at this block took so long, from `submitted` after the start.
  void slow_read(std::uint32_t track, std::int64_t block, Nanoseconds submitted, Nanoseconds took) {
    Event event{};
    event.kind = EventKind::read;
    event.at_ns = (kStart + submitted + took).count();
    event.read = {.offset = block * kBlock,
                  .size = kBlock,
                  .submitted_ns = (kStart + submitted).count(),
                  .completed_ns = event.at_ns,
                  .track = track,
                  .in_flight = 1,
                  .fill_ns = 0};
    events.push_back(event);
  }

  void write() const {
    TraceWriter writer(path, header);
    for (const auto& event : events) writer.add(event);
    writer.finish(0);
  }

  std::filesystem::path folder;
  std::filesystem::path path;
  TraceHeader header;
  std::vector<Event> events;
};

}  // namespace xrunlab::test
