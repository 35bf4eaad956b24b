#include "xrunlab/cli/play_request.hpp"

#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"

namespace xrunlab {
namespace {

PcmRequest parse_card(const PlayOptions& options) {
  PcmRequest card;
  card.device = options.device;
  card.channels = options.channels;
  card.period = options.period_size;
  card.periods = options.periods;
  card.fragment = options.fragment;
  card.buffer = options.buffer_size;
  if (!options.format.empty()) {
    card.format = sample_format_from(options.format);
    if (!card.format) {
      throw Error(ExitCode::usage, "-f: '" + options.format + "' is no format",
                  "write S32_LE, S24_3LE, S24_LE, S16_LE or FLOAT_LE");
    }
  }
  return card;
}

DiskRequest parse_disk(const PlayOptions& options) {
  DiskRequest disk;
  disk.ring_use = options.no_ring ? RingUse::none : RingUse::ring;
  disk.ring = parse_audio_size("--ring", options.ring);
  if (options.io == "uring") disk.engine = EngineChoice::uring;
  if (options.io == "pread") disk.engine = EngineChoice::pread;
  if (options.io_size != "auto") disk.io_size = parse_bytes("--io-size", options.io_size);
  disk.queue_depth = options.queue_depth;
  if (options.direct == "on") disk.direct = DirectMode::on;
  if (options.direct == "off") disk.direct = DirectMode::off;
  if (options.sqpoll) disk.submission = Submission::by_kernel_thread;
  if (options.no_fixed_buffers) disk.buffers = Buffers::plain;
  disk.cache = options.cache == "keep" ? CacheUse::keep : CacheUse::evict;
  disk.io_priority = parse_io_priority("--io-priority", options.io_priority);
  if (options.sqpoll && options.io == "pread") {
    throw Error(ExitCode::usage, "--sqpoll is io_uring's and does nothing for --io pread",
                "leave one of them out");
  }
  return disk;
}

RealtimeRequest parse_realtime(const PlayOptions& options) {
  RealtimeRequest realtime;
  if (options.no_rt && !options.priority.empty()) {
    throw Error(ExitCode::usage, "--no-rt and -P contradict each other", "leave one of them out");
  }
  if (!options.priority.empty()) realtime.playback = parse_sched_spec("-P", options.priority);
  if (options.no_rt) realtime.playback = SchedSpec{};
  realtime.reader = parse_sched_spec("--reader-priority", options.reader_priority);
  if (!options.affinity.empty()) realtime.affinity = parse_affinity("--affinity", options.affinity);
  if (options.no_mlock) realtime.lock = MemoryLockMode::off;
  realtime.dma_latency = parse_dma_latency(options.dma_latency);
  return realtime;
}

void parse_length(const PlayOptions& options, StreamRequest& request) {
  if (options.loop) request.looping = Looping::forever;
  if (!options.duration.empty()) request.duration = parse_duration("-d", options.duration);
  if (options.loop && !request.duration) request.duration = Nanoseconds{0};
  if (!options.loop && request.duration && request.duration->count() == 0) {
    throw Error(ExitCode::usage, "-d 0 plays nothing", "give a time, or --loop to play without end");
  }
}

}  // namespace

StreamRequest parse_play(const PlayOptions& options) {
  StreamRequest request;
  request.card = parse_card(options);
  request.map = options.map == "direct" ? ChannelMap::direct : ChannelMap::mix;
  if (!options.gain.empty()) request.gain_db = parse_gain_db("--gain", options.gain);
  request.disk = parse_disk(options);
  request.realtime = parse_realtime(options);
  parse_length(options, request);
  if (options.on_xrun == "stop") request.on_xrun = OnXrun::stop;
  if (options.on_starve == "silence") request.on_starve = StarveAnswer::silenced;
  request.limits = {options.max_xruns, options.max_starved, options.fail_marginal};
  if (!options.bound.empty()) request.bound = parse_duration("--bound", options.bound);
  if (!options.record.empty()) request.record = options.record;
  if (!options.record_last.empty()) {
    if (options.record.empty()) {
      throw Error(ExitCode::usage, "--record-last says how much --record keeps, but there is no --record",
                  "add --record FILE, or leave it out");
    }
    request.record_last = parse_duration("--record-last", options.record_last);
  }
  if (options.blame) request.blame = Blame::with_sched_trace;
  if (options.strict) request.strict = Strictness::refuse;
  request.faults = parse_faults(options.fault);
  return request;
}

SetSpec parse_temporary_set(const PlayOptions& options, const StreamRequest& request) {
  SetSpec spec = parse_set(options.set);
  spec.tracks = *options.tracks;
  if (request.duration && request.duration->count() > 0 && request.looping == Looping::once) {
    spec.duration = *request.duration;
  }
  check_set(spec);
  return spec;
}

std::vector<AudioFile> open_files(const std::vector<std::filesystem::path>& inputs, bool ignore_length) {
  const LengthRule rule = ignore_length ? LengthRule::take_what_is_there : LengthRule::believe_header;
  std::vector<AudioFile> files;
  for (const auto& path : expand_inputs(inputs)) files.push_back(open_audio_file(path, rule));
  return files;
}

}  // namespace xrunlab
