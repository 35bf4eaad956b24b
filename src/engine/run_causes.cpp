#include "xrunlab/engine/run_causes.hpp"

#include <algorithm>
#include <utility>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/stream_run.hpp"

namespace xrunlab {
namespace {

/// The block devices of the inputs, each once, in the order of the samples.
std::vector<std::string> devices_of(const PlaybackParts& parts) {
  std::vector<std::string> devices;
  for (const auto& input : parts.inputs.infos) {
    if (input.block_device.empty()) continue;
    if (std::find(devices.begin(), devices.end(), input.block_device) == devices.end())
      devices.push_back(input.block_device);
  }
  return devices;
}

std::vector<TrackInfo> tracks_of(const StreamRequest& request, const PlaybackParts& parts) {
  const auto devices = devices_of(parts);
  std::vector<TrackInfo> tracks;
  for (std::size_t index = 0; index < request.files.size(); ++index) {
    const auto& file = request.files[index];
    TrackInfo track{.name = printable_name(file.path.filename()),
                    .codec = file.decoded() ? file.codec : std::string(),
                    .device = parts.inputs.infos[index].block_device,
                    .device_index = {}};
    const auto found = std::find(devices.begin(), devices.end(), track.device);
    if (found != devices.end()) track.device_index = static_cast<std::size_t>(found - devices.begin());
    tracks.push_back(std::move(track));
  }
  return tracks;
}

std::optional<InputFault> input_fault(const PlaybackParts& parts) {
  const auto failure = parts.reader ? parts.reader->input_failure() : parts.disk_source->failure();
  if (failure) return InputFault{failure->track, failure->offset, failure->error_number, {}};
  if (!parts.decoder) return std::nullopt;
  const auto undecoded = parts.decoder->failure();
  if (!undecoded) return std::nullopt;
  return InputFault{static_cast<std::uint32_t>(parts.coded[undecoded->track].track), 0, kUndecoded, {}};
}

/// Of the playback thread's own reads, of which no other thread tells.
std::optional<InputFault> own_failure(const PlaybackParts& parts) {
  return parts.disk_source ? input_fault(parts) : std::nullopt;
}

}  // namespace

RunCauses::RunCauses(const StreamRequest& request, PlaybackParts& parts)
    : sampler_(devices_of(parts)), replayed_(request.replay ? request.replay->script : nullptr) {
  const PcmGrant& card = parts.pcm->grant();
  CauseWatchConfig config{
      .card = {parts.inputs.rate, card.fragment, card.buffer},
      .drive = card.server_driven ? CardDrive::by_server : CardDrive::by_writing,
      .read_ahead = request.disk.ring_use == RingUse::ring ? ReadAhead::ring : ReadAhead::none,
      .tracks = tracks_of(request, parts),
      .queue_depth = request.disk.queue_depth,
      .sample = [this, &parts] { return sample(parts); },
      .own_failure = [&parts] { return own_failure(parts); },
      .runnable = {},
      .sched_trace_missing = "--blame was not given"};
  if (request.blame == Blame::with_sched_trace) {
    try {
      sched_trace_ = std::make_unique<SchedTrace>();
      config.runnable = [this] { return runnable(); };
    } catch (const Error& error) {
      config.sched_trace_missing = error.what();
      add_fallback(parts, request.strict,
                   {ExitCode::system, "--blame: who ran instead cannot be seen: " +
                                          std::string(error.what()) + "; " + error.remedy()});
    }
  }
  watch_ = std::make_unique<CauseWatch>(std::move(config));
}

void RunCauses::watch_thread(SampledThread which, pid_t id) {
  sampler_.watch(which, id);
  const std::lock_guard lock(mutex_);
  if (!sched_trace_) return;
  try {
    sched_trace_->watch(which, id);
  } catch (const Error& error) {
    sched_trace_.reset();
    lost_ = error.what();
  }
}

void RunCauses::close() noexcept {
  const std::lock_guard lock(mutex_);
  sched_trace_.reset();
}

SystemSample RunCauses::sample(const PlaybackParts& parts) {
  if (parts.reader && parts.reader->ready() && parts.reader->grant().reads_in_submit) watch_->reader_blocks();
  const Nanoseconds started{parts.progress.started_ns.load(std::memory_order_relaxed)};
  SystemSample sample =
      replayed_ ? recorded_machine(*replayed_, parts.clock.now(), started) : sampler_.sample();
  if (parts.decoder) sample.decoded_frames = parts.decoder->decoded_frames();
  const std::lock_guard lock(mutex_);
  if (!lost_.empty()) watch_->lose_sched_trace(std::exchange(lost_, {}));
  return sample;
}

std::vector<RunnableSpan> RunCauses::runnable() {
  const std::lock_guard lock(mutex_);
  return sched_trace_ ? sched_trace_->read() : std::vector<RunnableSpan>();
}

void record_causes(const PlaybackParts& parts, const StreamEnd& end, RunData& run) {
  if (!parts.causes) return;
  CauseWatch& watch = parts.causes->watch();
  const auto at_ns = end.playback.last_write_end.count();
  if (end.playback.end == PlaybackEnd::input) {
    watch.end_early(at_ns, input_fault(parts));
  } else if (end.playback.end == PlaybackEnd::card && end.capture_error.empty()) {
    watch.end_early(at_ns, std::nullopt);
  }
  run.episodes = watch.episodes();
  for (auto& episode : run.episodes) episode.start_ns -= end.playback.first_start.count();
  if (watch.unlisted() > 0) {
    run.warnings.push_back("only the first " + std::to_string(CauseWatch::kMostEpisodes) +
                           " episodes are listed; " + std::to_string(watch.unlisted()) + " came after them");
  }
}

}  // namespace xrunlab
