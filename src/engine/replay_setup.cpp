#include "xrunlab/engine/replay_setup.hpp"

#include <algorithm>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/replay_engine.hpp"
#include "xrunlab/engine/replay_script.hpp"

namespace xrunlab {
namespace {

/// As the decoder has it: what it is, but for whether it is FLAC, is not in the record.
void describe_coded(const ReplayScript& script, std::size_t index, AudioFile& file) {
  const auto& track = script.header.chain->tracks[index];
  const auto& frames = script.decoding[index]->pass().frames;
  file.codec = track.coding->flac ? "FLAC" : "coded";
  file.raw_format.reset();
  file.valid_bits = track.coding->valid_bits;
  file.frames = frames.value_or(0);
  file.frames_known = frames.has_value();
}

AudioFile recorded_file(const ReplayScript& script, std::size_t index) {
  const auto& track = script.header.chain->tracks[index];
  AudioFile file{.path = script.header.tracks[index],
                 .container = "record",
                 .codec = "pcm",
                 .raw_format = track.format,
                 .valid_bits = significant_bits(track.format),
                 .rate = script.header.rate,
                 .channels = track.channels,
                 .data_offset = track.data_begin,
                 .file_bytes = track.file_bytes,
                 .warnings = {}};
  file.data_bytes = track.data_end - track.data_begin;
  if (track.decoded) {
    describe_coded(script, index, file);
    return file;
  }
  const Bytes left =
      script.header.chain->looping ? track.data_end - track.data_begin : track.data_end - track.start;
  file.frames = left / file.frame_bytes();
  return file;
}

// A card that is a sound server's stands still all the time, a little.
constexpr std::size_t kMostStalls = 64;

/// The stalls of the recorded card, of many the longest, as the simulated one takes them.
std::string with_stalls(std::string device, std::vector<SimStall> stalls) {
  if (device != "sim" && !device.starts_with("sim:")) return device;
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const SimStall& a, const SimStall& b) { return a.length > b.length; });
  stalls.resize(std::min(stalls.size(), kMostStalls));
  for (const auto& stall : stalls) {
    device += device.find(':') == std::string::npos ? ":" : ",";
    device += "stall=" + std::to_string(std::max<std::int64_t>(0, stall.at.count() / 1000)) + "us+" +
              std::to_string(stall.length.count() / 1000) + "us";
  }
  return device;
}

/// The playback thread read a fragment of each track at a time: other sizes would be other reads.
void check_without_rings(const ReplayChanges& changes, const std::string& record) {
  const auto refuse = [&record](const char* option) {
    throw Error(
        ExitCode::usage,
        std::string(option) + ": " + record +
            " was recorded with --no-ring, and how long its reads take is known by its fragments only",
        "leave it out");
  };
  if (changes.ring) refuse("--ring");
  if (changes.io_size) refuse("--io-size");
  if (changes.queue_depth) refuse("--queue-depth");
  if (changes.on_starve) refuse("--on-starve");
  if (changes.period) refuse("--period-size");
  if (changes.fragment) refuse("--fragment");
}

std::optional<std::int64_t> if_recorded(std::int64_t counter) {
  return counter < 0 ? std::nullopt : std::optional(counter);
}

}  // namespace

void play_again(const std::shared_ptr<const ReplayScript>& script, const ReplayChanges& changes,
                StreamRequest& request) {
  const auto& header = script->header;
  const auto& chain = *header.chain;
  if (!has_rings(chain)) {
    check_without_rings(changes, script->name);
    request.disk.ring_use = RingUse::none;
  }
  request.replay = ReplayRequest{script, !changes.ring && !changes.io_size};
  Frames longest = 0;
  bool lengths_known = true;
  for (std::size_t index = 0; index < chain.tracks.size(); ++index) {
    request.files.push_back(recorded_file(*script, index));
    const auto& coding = chain.tracks[index].coding;
    lengths_known = lengths_known && request.files.back().frames_known;
    longest = std::max(longest, request.files.back().frames - (coding ? coding->start_frame : 0));
  }
  if (!changes.queue_depth) request.disk.queue_depth = chain.queue_depth;
  if (chain.reads_in_submit && !changes.queue_depth) request.disk.engine = EngineChoice::pread;
  request.disk.cache = CacheUse::keep;
  if (changes.io_size && !changes.ring) {
    const auto& track = chain.tracks.front();
    request.disk.ring = FrameCount{track.block_bytes * track.block_count / played_frame_bytes(track)};
  }
  auto& card = request.card;
  if (!changes.period) card.period = chain.period;
  if (!changes.fragment && !changes.period) card.fragment = header.fragment;
  if (!changes.buffer && !changes.period) card.buffer = header.buffer;
  if (!changes.channels) card.channels = chain.card_channels;
  if (!changes.format) card.format = chain.card_format;
  if (!changes.card) card.device = "sim";
  card.device = with_stalls(card.device, script->card_stalls);
  request.looping = chain.looping ? Looping::forever : Looping::once;
  if (!changes.on_starve && chain.silence) request.on_starve = StarveAnswer::silenced;
  const bool played_whole = !chain.looping && lengths_known && script->frames_played >= longest;
  // What failed was asked for behind the last fragment.
  const Frames asked_for = script->frames_played + (script->input_failed ? header.fragment : 0);
  if (!changes.duration && !played_whole) request.duration = frames_to_duration(asked_for, header.rate);
}

InputSet replayed_inputs(const StreamRequest& request) {
  const auto& chain = *request.replay->script->header.chain;
  InputSet set;
  set.rate = check_inputs(request);
  set.direct = chain.direct;
  for (std::size_t index = 0; index < request.files.size(); ++index) {
    const auto& file = request.files[index];
    TrackFile handle;
    handle.alignment = chain.tracks[index].alignment;
    set.handles.push_back(std::move(handle));
    set.infos.push_back({.path = file.path.string(),
                         .container = file.container,
                         .format = file.decoded() ? file.codec : std::string(to_string(*file.raw_format)),
                         .rate_hz = file.rate.hz,
                         .channels = file.channels,
                         .frames = file.frames,
                         .frames_known = file.frames_known,
                         .data_offset = file.data_offset});
  }
  return set;
}

FirstRead first_read_of(const StreamRequest& request, std::size_t index) {
  const auto& track = request.replay->script->header.chain->tracks[index];
  return {track.start, request.replay->recorded_rings ? track.first_end : 0};
}

RingGeometry recorded_ring(const StreamRequest& request, std::size_t index) {
  const auto& track = request.replay->script->header.chain->tracks[index];
  return {track.block_bytes, track.block_count};
}

RingGeometry recorded_raw_ring(const StreamRequest& request, std::size_t index) {
  const auto& coding = *request.replay->script->header.chain->tracks[index].coding;
  return {coding.raw_block_bytes, coding.raw_block_count};
}

Frames first_block_of(const StreamRequest& request, std::size_t index) {
  return request.replay->recorded_rings
             ? request.replay->script->header.chain->tracks[index].coding->first_block
             : 0;
}

CodedStream replayed_stream(const StreamRequest& request, std::size_t index) {
  return make_replayed_stream(request.replay->script->decoding[index]);
}

std::vector<LateWake> late_wakes_in(const ReplayScript& script, Frames fragment) {
  if (fragment == script.header.fragment) return script.late_wakes;
  std::vector<LateWake> wakes;
  for (const auto& wake : script.late_wakes) {
    const std::int64_t index = wake.fragment * script.header.fragment / fragment;
    if (wakes.empty() || wakes.back().fragment < index) {
      wakes.push_back({index, wake.lateness});
    } else {
      wakes.back().lateness = std::max(wakes.back().lateness, wake.lateness);
    }
  }
  return wakes;
}

void plan_recorded_holds(const StreamRequest& request, PlaybackParts& parts) {
  const auto& script = *request.replay->script;
  if (script.holds.empty()) return;
  std::vector<PlannedDelay> delays;
  for (const auto& hold : script.holds) delays.push_back({hold.at, hold.length, &parts.recorded_hold_count});
  parts.recorded_holds =
      std::make_unique<PlannedDelays>(std::move(delays), SpentBy::sleeping, parts.clock, parts.stop);
}

std::unique_ptr<IoEngine> make_replayed_disk(const StreamRequest& request, PlaybackParts& parts) {
  const auto& script = *request.replay->script;
  ReplayDisk disk{.reads = script.reads,
                  .file_bytes = {},
                  .depth = request.disk.queue_depth,
                  .punctual = frames_to_duration(script.header.fragment, script.header.rate),
                  .wait = parts.virtual_clock != nullptr ? ReplayWait::returns : ReplayWait::sleeps,
                  .wake_fd = parts.reader_wake.fd(),
                  .reads_in_submit = request.disk.engine == EngineChoice::pread};
  for (const auto& file : request.files) disk.file_bytes.push_back(file.file_bytes);
  return make_replay_engine(std::move(disk), parts.progress, parts.clock);
}

SystemSample recorded_machine(const ReplayScript& script, Nanoseconds now, Nanoseconds started) {
  SystemSample sample;
  sample.at_ns = now.count();
  if (started.count() == 0) return sample;
  const auto after =
      std::upper_bound(script.samples.begin(), script.samples.end(), now - started,
                       [](Nanoseconds at, const RecordedSample& recorded) { return at < recorded.at; });
  if (after == script.samples.begin()) return sample;
  const auto& recorded = *std::prev(after);
  const auto& counters = recorded.counters;
  // Behind the record's end time goes on, and nothing more is known.
  if (after != script.samples.end()) sample.at_ns = (started + recorded.at).count();
  auto& playback = sample.threads[static_cast<std::size_t>(SampledThread::playback)];
  playback.run_delay_ns = if_recorded(counters.playback_queued_ns);
  playback.minor_faults = if_recorded(counters.playback_minor_faults);
  playback.major_faults = if_recorded(counters.playback_major_faults);
  sample.threads[static_cast<std::size_t>(SampledThread::reader)].run_delay_ns =
      if_recorded(counters.reader_queued_ns);
  sample.threads[static_cast<std::size_t>(SampledThread::decoder)].run_delay_ns =
      if_recorded(counters.decoder_queued_ns);
  if (counters.steal_ns >= 0) sample.steal_ns = {counters.steal_ns};
  sample.suspended_ns = if_recorded(counters.suspended_ns);
  return sample;
}

}  // namespace xrunlab
