#include "xrunlab/engine/run_figures.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

SectionData section(SectionFigures figures) {
  return {std::move(figures.histogram), figures.over};
}

std::int64_t relative(Nanoseconds at, const PlaybackResult& playback) {
  return (at - playback.first_start).count();
}

std::optional<std::int64_t> known(Frames low_water) {
  return low_water == WindowFigures::kNoLowWater ? std::nullopt : std::optional<std::int64_t>(low_water);
}

WindowData window_data(const WindowFigures& figures, CardDrive drive) {
  WindowData data{.start_ns = figures.start_ns,
                  .length_ns = figures.length_ns,
                  .fragments = figures.fragments,
                  .ring_read_max_ns = figures.ring_read_max_ns,
                  .pcm_write_max_ns = figures.pcm_write_max_ns,
                  .outside_max_ns = figures.outside_max_ns,
                  .lateness_max_ns = figures.lateness_max_ns,
                  .starved_reads = figures.starved_reads,
                  .device_xruns = figures.xruns,
                  .ring_low_water_frames = known(figures.ring_low_water),
                  .slack_low_water_frames = known(figures.slack_low_water)};
  if (drive == CardDrive::by_server) data.cycle_max_ns = figures.cycle_max_ns;
  return data;
}

void record_marks(const Collected& collected, const PlaybackResult& playback, CardDrive drive, RunData& run) {
  for (const auto& xrun : collected.xruns) {
    XrunData data{relative(xrun.at, playback), std::nullopt};
    if (xrun.dry) data.dry_ns = xrun.dry->count();
    run.xruns.push_back(data);
  }
  for (const auto& episode : collected.starvations) {
    run.starvations.push_back({relative(episode.at, playback), episode.duration.count(), episode.span.count(),
                               episode.reads, static_cast<std::int64_t>(episode.track)});
  }
  for (const auto& window : collected.windows) run.windows.push_back(window_data(window, drive));
  run.counters.starvation_episodes = collected.starvation_count;
  run.counters.starvation_longest_ns = collected.starvation_longest.count();
  run.counters.dropouts = collected.dropouts;
  run.counters.events_dropped = collected.events_dropped;
}

void record_window(const PlaybackResult& playback, const StreamEnd& end, RunData& run) {
  if (playback.first_start.count() == 0) return;
  const auto last = relative(playback.last_write_end, playback);
  run.window.exposure_ns = std::max<std::int64_t>(0, last);
  if (playback.first_track_end.count() != 0)
    run.window.first_end_ns = relative(playback.first_track_end, playback);
  run.window.length_ns =
      playback.first_track_end.count() != 0 ? std::min(run.window.first_end_ns, last) : last;
  run.window.length_ns = std::max<std::int64_t>(0, run.window.length_ns);
  run.window.primed_whole = end.primed_whole;
}

/// Bytes that the tracks use up a second, by their rate.
double needed_bytes_per_s(const StreamRequest& request) {
  double needed = 0;
  for (const auto& file : request.files) {
    if (!file.decoded()) {
      needed += static_cast<double>(file.frame_bytes()) * file.rate.hz;
    } else if (file.frames_known && file.frames > 0) {
      needed += static_cast<double>(file.file_bytes) * file.rate.hz / static_cast<double>(file.frames);
    }
  }
  return needed;
}

void record_reader(const DiskReader& reader, RunData& run) {
  run.io_latency = reader.io_latency();
  run.deadline_histogram = reader.deadline();
  run.throughput.bytes_read = reader.bytes_read();
  run.throughput.reads = reader.reads();
  run.throughput.short_reads = reader.short_reads();
  run.io.engine = reader.grant().engine;
  run.io.flags = reader.grant().flags;
  run.io.fixed_buffers = reader.grant().fixed_buffers;
  run.io.fixed_files = reader.grant().fixed_files;
}

void record_sustained(const PlaybackParts& parts, const PlaybackResult& playback, RunData& run) {
  if (!parts.pcm->grant().paced || playback.first_start.count() == 0) return;
  const ReaderAccount account = parts.reader->account();
  run.throughput.vacant_ns = account.vacant.count();
  const double needed = run.throughput.needed_bytes_per_s * to_seconds(account.vacant);
  if (needed > 0) run.throughput.headroom = static_cast<double>(account.bytes) / needed;
  // A track that was read to its end is never full again, so the window that is looked at ends there.
  const Nanoseconds window_end = playback.first_start + Nanoseconds{run.window.length_ns};
  const Nanoseconds end = std::min(window_end, parts.reader->first_track_read().value_or(window_end));
  const Nanoseconds last_third = playback.first_start + (end - playback.first_start) / 3 * 2;
  Nanoseconds full_since = parts.reader->all_full_since();
  if (parts.decoder) full_since = std::min(full_since, parts.decoder->all_full_since());
  run.throughput.sustained = run.window.primed_whole || full_since >= last_third;
}

void record_ring(const PlaybackParts& parts, RunData& run) {
  run.ring.used = parts.ring_source != nullptr;
  if (!run.ring.used) return;
  run.ring.frames = parts.ring_source->capacity();
  run.ring.bytes = static_cast<Bytes>(parts.arena->all().size());
  run.ring.blocks = parts.geometries.front().block_count;
  if (parts.virtual_clock == nullptr) run.ring.huge_pages = parts.arena->huge_pages();
  const auto figures = parts.recorder->live();
  run.ring.low_water_frames = figures.ring_low_water;
  if (figures.ring_low_water && run.ring.frames > 0) {
    run.ring.low_water_share =
        std::min(1.0, static_cast<double>(*figures.ring_low_water) / static_cast<double>(run.ring.frames));
  }
  run.ring.ring_needed_frames = parts.ring_source->ring_needed();
  if (parts.virtual_clock == nullptr) run.ring_touch_ns = parts.arena->touch_time().count();
}

}  // namespace

void record_speed(const PlaybackResult& playback, Pacing pacing, SampleRate rate, Nanoseconds priming,
                  ThroughputData& throughput) {
  const Nanoseconds writing = playback.last_write_end - playback.first_write;
  if (writing.count() <= 0) return;
  const Nanoseconds reading = priming + writing;
  throughput.time_ns = reading.count();
  throughput.bytes_per_s = static_cast<double>(throughput.bytes_read) / to_seconds(reading);
  Frames frames = playback.frames_played;
  Nanoseconds time = reading;
  if (pacing == Pacing::by_rate) {
    frames -= playback.frames_left;
    time = playback.last_write_end - playback.first_start;
    if (playback.first_start.count() == 0 || time.count() <= 0) return;
  }
  throughput.realtime_factor = to_seconds(frames_to_duration(frames, rate)) / to_seconds(time);
}

std::size_t expected_windows(const StreamRequest& request, SampleRate rate) {
  Nanoseconds length{};
  for (const auto& file : request.files) {
    if (!file.frames_known) return WindowSeries::kMost;
    length = std::max(length, frames_to_duration(file.frames, rate));
  }
  if (request.looping == Looping::forever) length = Nanoseconds::max();
  if (request.duration && request.duration->count() > 0) length = std::min(length, *request.duration);
  const auto windows = static_cast<std::size_t>(length / PlaybackRecorder::kWindowLength) + 2;
  return std::min(windows, WindowSeries::kMost);
}

void record_counts(const PlaybackRecorder& recorder, RunData& run) {
  auto figures = recorder.snapshot();
  run.timers = {.ring_read = section(std::move(figures.ring_read)),
                .pcm_write = section(std::move(figures.pcm_write)),
                .outside = section(std::move(figures.outside))};
  if (recorder.drive() == CardDrive::by_server) run.timers.cycle = section(std::move(figures.cycle));
  run.lateness = section(std::move(figures.lateness));
  run.wake_lateness = section(std::move(figures.wake_lateness));
  run.fill_histogram = std::move(figures.fill);
  run.slack_histogram = std::move(figures.slack);
  run.slack_low_water_frames = figures.slack_low_water;
  run.counters.fragments = figures.fragments;
  run.counters.starved_reads = figures.starved_reads;
  run.counters.starved_ns = figures.starved_ns;
  run.counters.silent_fragments = figures.silent_fragments;
  run.counters.device_xruns = figures.xruns;
  run.counters.suspends = figures.suspends;
  run.counters.lost_ns = figures.lost_ns;
}

void record_figures(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                    RunData& run) {
  const PlaybackResult& playback = end.playback;
  record_counts(*parts.recorder, run);
  run.counters.frames_played = playback.frames_played;
  run.counters.short_inputs = parts.inputs.short_inputs;
  run.counters.clipped_samples = parts.mixer->clipped() + parts.source().clipped();
  const CardDrive drive = parts.recorder->drive();
  record_marks(parts.collector->collected(), playback, drive, run);
  if (const auto open = parts.recorder->open_window(playback.last_write_end))
    run.windows.push_back(window_data(*open, drive));
  record_window(playback, end, run);
  run.priming_ns = end.priming.count();
  if (playback.first_write.count() != 0 && request.program_start.count() != 0) {
    const Nanoseconds touching = parts.arena ? parts.arena->touch_time() : Nanoseconds{};
    run.startup_ns = (playback.first_write - request.program_start - end.priming - touching).count();
  }
}

void record_throughput(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                       RunData& run) {
  const PlaybackResult& playback = end.playback;
  run.io = {.direct = parts.inputs.direct,
            .queue_depth = request.disk.queue_depth,
            .cache = request.disk.cache == CacheUse::evict ? "evict" : "keep",
            .cached_share_at_start = parts.inputs.cached_share,
            .io_priority = to_string(request.disk.io_priority)};
  run.throughput.needed_bytes_per_s = needed_bytes_per_s(request);
  run.throughput.device_read_bytes = end.device_bytes;
  record_ring(parts, run);
  if (parts.reader) {
    record_reader(*parts.reader, run);
    for (const auto& geometry : parts.geometries) {
      run.io.io_size_bytes = std::max(run.io.io_size_bytes, geometry.block_bytes);
    }
    record_sustained(parts, playback, run);
  } else {
    run.io.engine = "pread";
    run.io.queue_depth = 1;
    for (const auto& file : request.files) {
      run.io.io_size_bytes = std::max(run.io.io_size_bytes, file.frame_bytes() * parts.pcm->grant().fragment);
    }
    run.io_latency = parts.disk_latency->snapshot();
    run.throughput.bytes_read = parts.disk_source->bytes_read();
    run.throughput.reads = run.io_latency.count;
  }
  record_speed(playback, parts.pcm->grant().paced ? Pacing::by_rate : Pacing::unpaced, parts.inputs.rate,
               end.priming, run.throughput);
}

}  // namespace xrunlab
