#include "xrunlab/engine/playback_setup.hpp"

#include <algorithm>
#include <chrono>

#include "xrunlab/audio/convert.hpp"
#include "xrunlab/audio/late_pcm.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/ring_setup.hpp"
#include "xrunlab/engine/run_chain.hpp"
#include "xrunlab/engine/run_figures.hpp"
#include "xrunlab/jack/jack_pcm.hpp"
#include "xrunlab/jack/jack_pcm_options.hpp"
#include "xrunlab/timing/trace_writer.hpp"

namespace xrunlab {
namespace {

// Marks are rare, windows come every ten seconds; the collector looks ten times a second.
constexpr std::size_t kMarkQueue = 4096;
constexpr std::size_t kWindowQueue = 64;
// 2,048 tracks of 16 KiB blocks give 18,000 reads a second.
constexpr std::size_t kTraceQueue = 16384;
// Without a trace only reads of rings that ran low are of interest, and those come no faster than play.
constexpr std::size_t kReadQueue = 4096;
constexpr std::size_t kDecoderQueue = 1024;
// Of --record-last: 36 MB; a minute of 2,048 tracks in blocks of 64 KiB is as many.
constexpr std::size_t kMostKeptEvents = 500'000;
// What the process allocates beside the rings: stacks, histograms, queues, libraries.
constexpr Bytes kProcessBytes = Bytes{24} << 20;
constexpr double kQuietGainDb = -40;
constexpr SchedSpec kDefaultPlayback{SchedPolicy::fifo, 70};

bool integer_path(const StreamRequest& request, const Pcm& pcm, double gain_db) {
  const bool wide_card =
      bytes_per_sample(pcm.grant().format) == 4 && pcm.grant().format != SampleFormat::s24_le;
  const auto is_double = [](const AudioFile& file) {
    return file.raw_format == SampleFormat::f64_le || file.raw_format == SampleFormat::f64_be;
  };
  const bool any_wide = std::any_of(request.files.begin(), request.files.end(), [&](const AudioFile& file) {
    return file.raw_format == SampleFormat::s32_le || file.raw_format == SampleFormat::s32_be ||
           is_double(file);
  });
  const bool any_float = std::any_of(request.files.begin(), request.files.end(), [&](const AudioFile& file) {
    return file.decoded() || (is_float(*file.raw_format) && !(wide_card && is_double(file)));
  });
  return request.map == ChannelMap::direct && gain_db == 0 && any_wide && !any_float &&
         !is_float(pcm.grant().format);
}

/// With a buffer of one fragment or less the card runs dry, or nearly so, at each write: no lateness would be
/// in time.
void check_fragment(const PcmGrant& card) {
  if (!card.paced || card.fragment < card.buffer) return;
  throw Error(ExitCode::usage,
              "a fragment of " + std::to_string(card.fragment) +
                  " frames leaves no reserve in the card's buffer of " + std::to_string(card.buffer) +
                  " (it must be smaller)",
              "give --buffer-size " + std::to_string(2 * card.fragment) + ", or a smaller --fragment");
}

/// What takes everything at once never runs dry.
void check_xrun_answer(const StreamRequest& request, const PcmGrant& card) {
  const bool stops = request.on_xrun == OnXrun::stop;
  if (card.paced || (!stops && request.limits.max_xruns == 0)) return;
  throw Error(ExitCode::usage,
              std::string(stops ? "--on-xrun stop" : "--max-xruns") + ": " + request.card.device +
                  " is unpaced and never has an xrun",
              "leave it out, or play to a card, such as -D sim");
}

void watch_inputs(const StreamRequest& request, PlaybackParts& parts) {
  std::vector<int> fds;
  for (const auto& handle : parts.inputs.handles) {
    if (handle.fd) fds.push_back(handle.fd.get());  // a replay has none
  }
  parts.watch = std::make_unique<FileWatch>(std::move(fds));
  if (!parts.watch->refusal().empty()) {
    add_fallback(parts, request.strict, {ExitCode::system, parts.watch->refusal()});
  }
}

void open_card(const StreamRequest& request, PlaybackParts& parts) {
  PcmRequest card = request.card;
  card.rate = parts.inputs.rate;
  std::vector<std::string> warnings;
  if (is_jack(card.device)) {
    auto server_pcm = open_jack_pcm(card, warnings);
    parts.server_pcm = server_pcm.get();
    parts.pcm = std::move(server_pcm);
  } else {
    parts.pcm = open_pcm(card, parts.clock, warnings);
  }
  for (const auto& warning : warnings) add_fallback(parts, request.strict, {ExitCode::audio_device, warning});
  check_fragment(parts.pcm->grant());
  check_xrun_answer(request, parts.pcm->grant());
  const PcmGrant& granted = parts.pcm->grant();
  if (granted.paced && granted.fragment % granted.period != 0) {
    add_fallback(parts, request.strict,
                 {ExitCode::audio_device, "a fragment of " + std::to_string(granted.fragment) +
                                              " frames is no multiple of the card's period of " +
                                              std::to_string(granted.period) +
                                              ": the card may wake us a whole period late"});
  }
  if (request.replay && !request.replay->script->late_wakes.empty()) {
    parts.pcm = std::make_unique<LatePcm>(
        std::move(parts.pcm), late_wakes_in(*request.replay->script, granted.fragment), parts.clock);
  }
  parts.gain_db = request.gain_db.value_or(silent_device(card.device) ? 0 : kQuietGainDb);
  parts.bound = request.bound.value_or(frames_to_duration(parts.pcm->grant().fragment, parts.inputs.rate));
  parts.path = integer_path(request, *parts.pcm, parts.gain_db) ? SamplePath::int32 : SamplePath::float32;
  if (parts.virtual_clock != nullptr) parts.path = SamplePath::none;
}

/// The lock's warnings change with each range, so the run's record takes them at the end; this is for
/// --strict.
void refuse_unlocked(const StreamRequest& request, const PlaybackParts& parts) {
  const auto warnings = parts.lock->warnings();
  if (request.strict != Strictness::refuse || warnings.empty()) return;
  throw Error(ExitCode::system, warnings.front(), "leave out --strict to go on without it");
}

void lock_memory(const StreamRequest& request, PlaybackParts& parts) {
  Bytes still = kProcessBytes;
  for (const auto& geometry : parts.geometries) still += geometry.bytes();
  for (const auto& coded : parts.coded) still += coded.raw_ring.bytes();
  const bool on_touch = request.ring_memory == RingMemory::reserved;
  parts.lock = std::make_unique<MemoryLock>(request.realtime.lock, still, SysRoot(),
                                            on_touch ? LockTime::on_touch : LockTime::at_once);
  refuse_unlocked(request, parts);
}

void make_disk_source(const StreamRequest& request, PlaybackParts& parts) {
  for (const auto& file : request.files) {
    if (!file.decoded()) continue;
    throw Error(ExitCode::usage,
                printable_name(file.path) + ": --no-ring plays raw PCM only, and this is " + file.codec,
                "leave out --no-ring, or convert the file to WAV");
  }
  parts.disk_latency = std::make_unique<Histogram>();
  std::vector<DiskTrack> tracks;
  for (std::size_t index = 0; index < request.files.size(); ++index) {
    const auto& file = request.files[index];
    const auto& handle = parts.inputs.handles[index];
    tracks.push_back({handle.fd.get(),
                      {file.data_offset, file.data_offset + file.data_bytes},
                      file.frame_bytes(),
                      handle.direct ? handle.alignment : 1});
  }
  parts.disk_source = std::make_unique<DiskSource>(
      std::move(tracks), request.looping, make_converted(request, parts), parts.clock, *parts.disk_latency);
  if (request.replay) parts.disk_source->play_again(request.replay->script->takes, parts.clock);
}

std::unique_ptr<TraceWriter> make_trace(const StreamRequest& request, const PlaybackParts& parts) {
  if (!request.record) return nullptr;
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  TraceHeader header{.rate = parts.inputs.rate,
                     .fragment = parts.pcm->grant().fragment,
                     .buffer = parts.pcm->grant().buffer,
                     .bound = parts.bound,
                     .start = parts.opened,
                     .start_unix_ns = std::chrono::duration_cast<Nanoseconds>(since_epoch).count(),
                     .fault_injected = tormented(parts),
                     .pieces = request.record_last.has_value()};
  for (const auto& file : request.files) header.tracks.push_back(file.path.filename().string());
  header.chain = chain_of(request, parts);
  // As if recorded in its own time, so that every replay writes the same.
  if (parts.virtual_clock != nullptr && request.replay)
    header.start_unix_ns = request.replay->script->header.start_unix_ns;
  return std::make_unique<TraceWriter>(*request.record, header);
}

/// Recorder and collector with the queues between them; returns the queues of those who fill the rings.
FillerEvents make_recorder(const StreamRequest& request, PlaybackParts& parts,
                           const StreamListeners& listeners) {
  const PcmGrant& card = parts.pcm->grant();
  EventQueue<Event> marks(kMarkQueue);
  EventQueue<WindowFigures> windows(kWindowQueue);
  CollectorConfig collector{.marks = std::move(marks.consumer),
                            .windows = std::move(windows.consumer),
                            .windows_expected = expected_windows(request, parts.inputs.rate)};
  RecorderConfig recorder{.bound = parts.bound,
                          .card = {parts.inputs.rate, card.fragment, card.buffer},
                          .drive = card.server_driven ? CardDrive::by_server : CardDrive::by_writing,
                          .marks = std::move(marks.producer),
                          .windows = std::move(windows.producer)};
  collector.trace = make_trace(request, parts);
  if (collector.trace && request.record_last) {
    collector.keep.emplace(*request.record_last, frames_to_duration(card.fragment, card.rate),
                           kMostKeptEvents);
  }
  if (collector.trace) {
    EventQueue<Event> fragments(kTraceQueue);
    recorder.trace = std::move(fragments.producer);
    collector.events.push_back(std::move(fragments.consumer));
  }
  // These tell whose fault it was, also without a trace.
  EventQueue<Event> reads(collector.trace ? kTraceQueue : kReadQueue);
  EventQueue<Event> decoding(collector.trace ? kTraceQueue : kDecoderQueue);
  collector.events.push_back(std::move(reads.consumer));
  collector.events.push_back(std::move(decoding.consumer));
  if (card.paced) {
    parts.causes = std::make_unique<RunCauses>(request, parts);
    collector.watcher = &parts.causes->watch();
  }
  collector.starvation =
      request.on_starve == StarveAnswer::silenced ? StarvationSounds::as_silence : StarvationSounds::as_wait;
  if (listeners.live) collector.live = [&listeners, &parts] { listeners.live(parts); };
  collector.warn = listeners.warn;
  parts.recorder = std::make_unique<PlaybackRecorder>(std::move(recorder));
  parts.collector = std::make_unique<Collector>(std::move(collector));
  return {std::move(reads.producer), std::move(decoding.producer)};
}

void make_loop(const StreamRequest& request, PlaybackParts& parts) {
  const PcmGrant& card = parts.pcm->grant();
  parts.mixer = std::make_unique<FragmentMixer>(
      MixerConfig{request.map, card.format, card.channels, card.fragment, parts.gain_db});
  PlaybackConfig config{.on_xrun = request.on_xrun};
  if (request.duration && request.duration->count() > 0) {
    config.duration = duration_to_frames_ceil(*request.duration, parts.inputs.rate);
  }
  PlannedDelays* const delays = parts.faults ? parts.faults->playback() : nullptr;
  if (parts.server_pcm != nullptr) {
    parts.cycles = std::make_unique<CyclePlayback>(
        config, CyclePlayback::Parts{parts.source(), *parts.mixer, *parts.server_pcm, *parts.recorder,
                                     parts.progress, parts.clock, parts.stop, delays});
    return;
  }
  parts.writer = std::make_unique<PcmWriter>(*parts.pcm, parts.clock, parts.stop);
  parts.loop = std::make_unique<PlaybackLoop>(
      config,
      PlaybackLoop::Parts{parts.source(), *parts.mixer, *parts.pcm, *parts.writer, *parts.recorder,
                          parts.progress, parts.clock, parts.stop, delays, parts.recorded_holds.get()});
}

}  // namespace

bool tormented(const PlaybackParts& parts) {
  return parts.faults || !stalls_of(parts.pcm->grant(), {}).empty();
}

void add_fallback(PlaybackParts& parts, Strictness strict, Fallback fallback) {
  if (strict == Strictness::refuse)
    throw Error(fallback.kind, fallback.text, "leave out --strict to go on without it");
  parts.fallbacks.push_back(std::move(fallback));
}

SchedSpec playback_scheduling(const RealtimeRequest& request, const PcmGrant& card) {
  return request.playback.value_or(card.paced ? kDefaultPlayback : SchedSpec{});
}

std::unique_ptr<PlaybackParts> plan_playback(const StreamRequest& request) {
  auto parts = std::make_unique<PlaybackParts>();
  check_affinity(request.realtime.affinity);
  parts->inputs.rate = check_inputs(request);
  open_card(request, *parts);
  if (request.disk.ring_use == RingUse::ring) plan_rings(request, *parts);
  return parts;
}

std::unique_ptr<PlaybackParts> set_up_playback(const StreamRequest& request, const StreamListeners& listeners,
                                               VirtualClock* virtual_clock) {
  check_faults(request);
  auto parts = std::make_unique<PlaybackParts>(virtual_clock);
  if (!request.faults.specs.empty())
    parts->faults = std::make_unique<InjectedFaults>(request.faults, parts->clock, parts->stop);
  if (request.replay) plan_recorded_holds(request, *parts);
  conversion_target();  // detects the CPU now rather than in the first fragment
  check_affinity(request.realtime.affinity);
  parts->opened = parts->clock.now();
  parts->inputs = request.replay ? replayed_inputs(request) : open_inputs(request);
  for (const auto& warning : parts->inputs.file_warnings) {
    add_fallback(*parts, request.strict, {ExitCode::input_file, warning});
  }
  for (const auto& warning : parts->inputs.system_warnings) {
    add_fallback(*parts, request.strict, {ExitCode::system, warning});
  }
  watch_inputs(request, *parts);
  open_card(request, *parts);
  if (request.disk.ring_use == RingUse::ring) plan_rings(request, *parts);
  lock_memory(request, *parts);
  auto filler_events = make_recorder(request, *parts, listeners);
  if (request.disk.ring_use == RingUse::ring) {
    make_rings(request, *parts, std::move(filler_events));
    refuse_unlocked(request, *parts);
  } else {
    make_disk_source(request, *parts);
  }
  make_loop(request, *parts);
  return parts;
}

}  // namespace xrunlab
