#include "xrunlab/engine/ring_setup.hpp"

#include <algorithm>
#include <bit>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/disk/fault_engine.hpp"
#include "xrunlab/disk/pread_engine.hpp"
#include "xrunlab/disk/raw_ring_plan.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/platform/limits.hpp"

namespace xrunlab {
namespace {

constexpr SampleFormat kNativeFloat =
    std::endian::native == std::endian::little ? SampleFormat::f32_le : SampleFormat::f32_be;

Bytes played_frame_bytes(const AudioFile& file) noexcept {
  const TrackLayout layout = played_layout(file);
  return static_cast<Bytes>(bytes_per_sample(layout.format)) * layout.channels;
}

DataExtent samples_of(const AudioFile& file) noexcept {
  return {file.data_offset, file.data_offset + file.data_bytes};
}

/// What is read of track `index` over and over; nothing when it is not. Files that are not open yet are taken
/// to be read by pages.
std::optional<LoopedFile> looped_file(const StreamRequest& request, const PlaybackParts& parts,
                                      std::size_t index) {
  const auto& file = request.files[index];
  if (request.looping == Looping::once || file.decoded()) return std::nullopt;
  const auto& handles = parts.inputs.handles;
  return LoopedFile{samples_of(file), handles.empty() ? kPageBytes : handles[index].alignment};
}

/// Rows of the arena: the rings that are played from, then those of raw bytes.
std::vector<RingGeometry> all_rows(const PlaybackParts& parts) {
  std::vector<RingGeometry> rows = parts.geometries;
  for (const auto& coded : parts.coded) rows.push_back(coded.raw_ring);
  return rows;
}

/// Registering pins all of the ring, and so touches it: in a rehearsal one block stands for it.
std::vector<std::span<std::byte>> registered_memory(const StreamRequest& request,
                                                    const PlaybackParts& parts) {
  if (request.ring_memory == RingMemory::touched) return parts.arena->slices();
  const auto block = static_cast<std::size_t>(parts.geometries.front().block_bytes);
  return {parts.arena->row(0).first(block)};
}

/// Runs on the reader thread.
std::unique_ptr<IoEngine> make_plain_engine(const StreamRequest& request, PlaybackParts& parts) {
  if (request.replay) return make_replayed_disk(request, parts);
  std::vector<int> files;
  for (const auto& handle : parts.inputs.handles) files.push_back(handle.fd.get());
  if (request.disk.engine == EngineChoice::pread)
    return make_pread_engine(files, request.disk.io_priority.value, parts.reader_wake.fd());
  UringRequest uring{.files = files,
                     .buffers = registered_memory(request, parts),
                     .depth = request.disk.queue_depth,
                     .submission = request.disk.submission,
                     .use_buffers = request.disk.buffers,
                     .io_priority = request.disk.io_priority.value,
                     .wake_fd = parts.reader_wake.fd()};
  try {
    return make_uring_engine(std::move(uring));
  } catch (const Error& error) {
    if (request.disk.engine == EngineChoice::uring || request.strict == Strictness::refuse) throw;
    parts.engine_fallback = std::string(error.what()) + "; reading with pread instead";
    return make_pread_engine(files, request.disk.io_priority.value, parts.reader_wake.fd());
  }
}

ReaderConfig reader_config(const StreamRequest& request, PlaybackParts& parts, EventProducer<Event> events) {
  ReaderConfig config{.make_engine = [&request, &parts] { return make_engine(request, parts); },
                      .rate = parts.inputs.rate,
                      .fragment = parts.pcm->grant().fragment,
                      .pacing = parts.pcm->grant().paced ? Pacing::by_rate : Pacing::unpaced,
                      .looping = request.looping,
                      .events = std::move(events),
                      .delays = parts.faults ? parts.faults->reader() : nullptr};
  const bool second_pass_must_be_cold =
      request.looping == Looping::forever && request.disk.cache == CacheUse::evict;
  if (second_pass_must_be_cold && !parts.inputs.direct) {
    for (const auto& handle : parts.inputs.handles) config.drop_behind.push_back(handle.fd.get());
  }
  return config;
}

/// The two ends of every track's way: what the reader fills, and what the playback thread empties.
struct RingEnds {
  std::vector<TrackSource> sources;
  std::vector<RingTrack> tracks;
  std::vector<DecoderTrack> decoded;
};

void add_coded_track(const StreamRequest& request, PlaybackParts& parts, std::size_t coded_index,
                     BlockProducer out, RingEnds& ends) {
  auto& coded = parts.coded[coded_index];
  const auto& file = request.files[coded.track];
  auto [raw_producer, raw_consumer] = make_block_ring(parts.arena->row(parts.geometries.size() + coded_index),
                                                      static_cast<std::size_t>(coded.raw_ring.block_bytes));
  ends.sources.push_back({.ring = std::move(raw_producer),
                          .extent = coded.extent,
                          .alignment = parts.inputs.handles[coded.track].alignment,
                          .ns_per_byte = raw_ns_per_byte(file, coded.extent),
                          .taken_by = TakenBy::decoder});
  ends.decoded.push_back({file, std::move(*coded.stream), std::move(raw_consumer), std::move(out)});
  if (request.replay) {
    const FirstRead first = first_read_of(request, coded.track);
    ends.sources.back().first = first;
    ends.decoded.back().raw_position = first.begin - coded.extent.begin;
    ends.decoded.back().first_block = first_block_of(request, coded.track);
  }
  coded.stream.reset();
}

RingEnds make_ends(const StreamRequest& request, PlaybackParts& parts) {
  RingEnds ends;
  std::size_t coded_index = 0;
  for (std::size_t index = 0; index < request.files.size(); ++index) {
    const auto& file = request.files[index];
    const auto& geometry = parts.geometries[index];
    const Bytes frame_bytes = played_frame_bytes(file);
    auto [producer, consumer] =
        make_block_ring(parts.arena->row(index), static_cast<std::size_t>(geometry.block_bytes));
    if (file.decoded()) {
      ends.tracks.push_back({std::move(consumer), frame_bytes, decoded_capacity(file, geometry)});
      add_coded_track(request, parts, coded_index++, std::move(producer), ends);
    } else {
      const auto content = content_of(geometry, looped_file(request, parts, index));
      ends.tracks.push_back(
          {std::move(consumer), frame_bytes, content.least / frame_bytes, content.most_in_block});
      const double frame_ns = static_cast<double>(kNsPerSecond) / parts.inputs.rate.hz;
      ends.sources.push_back(
          {.ring = std::move(producer),
           .extent = samples_of(file),
           .alignment = parts.inputs.handles[index].alignment,
           .ns_per_byte = frame_ns / static_cast<double>(frame_bytes),
           .first = request.replay ? std::optional(first_read_of(request, index)) : std::nullopt});
    }
  }
  return ends;
}

/// Of the track whose ring grows the most.
void warn_of_enlarged(const StreamRequest& request, PlaybackParts& parts,
                      const std::vector<RingRequest>& rings) {
  std::optional<LeastRing> most;
  for (const auto& ring : rings) {
    const auto least = enlarged_to(ring);
    if (least && (!most || least->frames > most->frames)) most = least;
  }
  if (!most) return;
  add_fallback(parts, request.strict,
               {ExitCode::system, "asked for a ring of " + counted(rings.front().ring, "frame") +
                                      " a track, the least is " + std::to_string(most->frames) + " (" +
                                      most->sum + ")"});
}

}  // namespace

TrackLayout played_layout(const AudioFile& file) noexcept {
  return {file.raw_format.value_or(kNativeFloat), file.channels};
}

Frames ring_frames(const AudioSize& ring, SampleRate rate, Bytes bytes_per_frame_of_all) {
  if (const auto* const frames = std::get_if<FrameCount>(&ring)) return frames->value;
  if (const auto* const time = std::get_if<Nanoseconds>(&ring)) return duration_to_frames_ceil(*time, rate);
  return std::get<ByteCount>(ring).value / std::max<Bytes>(1, bytes_per_frame_of_all);
}

std::unique_ptr<IoEngine> make_engine(const StreamRequest& request, PlaybackParts& parts) {
  auto engine = make_plain_engine(request, parts);
  if (!parts.faults) return engine;
  FaultEngineConfig config{.faults = parts.faults->of_reads(), .seed = request.faults.seed};
  if (config.faults.empty()) return engine;
  for (const auto& handle : parts.inputs.handles)
    config.alignment = std::max(config.alignment, handle.alignment);
  return make_fault_engine(std::move(engine), std::move(config), parts.progress, parts.clock);
}

void note_engine(const StreamRequest& request, PlaybackParts& parts, const IoGrant& grant) {
  if (!parts.engine_fallback.empty())
    add_fallback(parts, request.strict, {ExitCode::system, parts.engine_fallback});
  for (const auto& warning : grant.warnings) {
    add_fallback(parts, request.strict, {ExitCode::system, warning});
  }
}

void plan_rings(const StreamRequest& request, PlaybackParts& parts) {
  Bytes bytes_per_frame = 0;
  for (const auto& file : request.files) bytes_per_frame += played_frame_bytes(file);
  const Frames frames = ring_frames(request.disk.ring, parts.inputs.rate, bytes_per_frame);
  std::vector<RingRequest> rings;
  for (std::size_t index = 0; index < request.files.size(); ++index) {
    const auto& file = request.files[index];
    RingRequest ring{.ring = frames,
                     .frame_bytes = played_frame_bytes(file),
                     .fragment = parts.pcm->grant().fragment,
                     .io_size = request.disk.io_size};
    ring.looped = looped_file(request, parts, index);
    const bool as_recorded = request.replay && request.replay->recorded_rings;
    parts.geometries.push_back(as_recorded ? recorded_ring(request, index) : plan_ring(ring));
    if (!as_recorded) rings.push_back(ring);
    if (!file.decoded()) continue;
    CodedTrack coded{.track = index,
                     .stream = std::make_unique<CodedStream>(request.replay ? replayed_stream(request, index)
                                                                            : CodedStream(file))};
    coded.extent = raw_extent(file, *coded.stream);
    coded.raw_ring = as_recorded
                         ? recorded_raw_ring(request, index)
                         : plan_raw_ring(file, coded.extent, frames_to_duration(frames, parts.inputs.rate));
    parts.coded.push_back(std::move(coded));
  }
  warn_of_enlarged(request, parts, rings);
  Bytes total = 0;
  for (const auto& row : all_rows(parts)) total += row.bytes();
  check_memory_for("the ring", total);
}

void make_rings(const StreamRequest& request, PlaybackParts& parts, FillerEvents events) {
  parts.arena = std::make_unique<RingArena>(all_rows(parts), RingArena::kLargestSlice, request.checkpoint,
                                            request.ring_memory);
  const auto ring_memory = parts.arena->all();
  parts.lock->add("the ring", {ring_memory.data(), static_cast<Bytes>(ring_memory.size())});
  RingEnds ends = make_ends(request, parts);
  parts.reader =
      std::make_unique<DiskReader>(reader_config(request, parts, std::move(events.reader)),
                                   std::move(ends.sources), parts.progress, parts.gate, parts.clock);
  if (!ends.decoded.empty()) {
    const DecoderConfig config{parts.inputs.rate,
                               parts.pcm->grant().fragment,
                               parts.pcm->grant().paced ? Pacing::by_rate : Pacing::unpaced,
                               request.looping,
                               request.strict == Strictness::refuse ? OddFile::fails : OddFile::is_warned_of,
                               parts.faults ? parts.faults->decoder() : nullptr};
    parts.decoder =
        std::make_unique<Decoder>(config, std::move(ends.decoded), parts.progress, parts.gate, parts.clock);
    std::vector<std::uint32_t> tracks;
    for (const auto& coded : parts.coded) tracks.push_back(static_cast<std::uint32_t>(coded.track));
    parts.decoder->tell(std::move(events.decoder), std::move(tracks),
                        request.record ? DecoderTells::waits_and_pieces : DecoderTells::waits);
  }
  parts.ring_source = std::make_unique<RingSource>(RingSourceConfig{parts.inputs.rate, request.on_starve},
                                                   std::move(ends.tracks), make_converted(request, parts),
                                                   parts.gate, parts.clock, parts.stop);
}

std::unique_ptr<ConvertedTracks> make_converted(const StreamRequest& request, const PlaybackParts& parts) {
  std::vector<TrackLayout> layouts;
  for (const auto& file : request.files) layouts.push_back(played_layout(file));
  return std::make_unique<ConvertedTracks>(layouts, parts.pcm->grant().fragment, parts.path);
}

}  // namespace xrunlab
