#include "xrunlab/engine/run_record.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/run_causes.hpp"
#include "xrunlab/engine/run_figures.hpp"
#include "xrunlab/model/self_checks.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/system_info.hpp"

namespace xrunlab {
namespace {

std::string input_failure_text(const StreamRequest& request, const PlaybackParts& parts,
                               const InputFailure& failure) {
  const auto name = printable_name(request.files[failure.track].path);
  const auto at = " at byte " + std::to_string(failure.offset);
  if (failure.error_number == EIO) {
    const bool injected = parts.faults && parts.faults->failed_a_read();
    return name + ": could not be read" + at + ": " + errno_text(EIO) +
           (injected ? ", injected by --fault"
                     : "; its disk, the cable or the file system fails: see dmesg, and copy what can still "
                       "be read");
  }
  if (failure.error_number != 0)
    return name + ": could not be read" + at + ": " + errno_text(failure.error_number);
  return name + ": ended" + at +
         ", before the end that its header gave: it was cut while it was played; play it when nothing "
         "writes to it";
}

std::optional<InputFailure> input_failure(const PlaybackParts& parts) {
  return parts.reader ? parts.reader->input_failure() : parts.disk_source->failure();
}

/// What the input's failure was, in one line: decoding stops for its own reasons, or for a failed read.
std::string failed_input_text(const StreamRequest& request, const PlaybackParts& parts) {
  if (const auto failure = input_failure(parts)) return input_failure_text(request, parts, *failure);
  if (parts.decoder) {
    if (const auto failure = parts.decoder->failure()) return failure->text;
  }
  return "an input could not be read on";
}

std::string overwritten_text(const StreamRequest& request, const OverwrittenInput& input) {
  const auto& file = request.files[input.track];
  const Frames frame = file.frames > 0 ? input.played % file.frames : input.played;
  std::string text =
      printable_name(file.path) + ": was overwritten while it was played, at frame " + std::to_string(frame);
  if (!file.decoded()) text += ", byte " + std::to_string(file.data_offset + frame * file.frame_bytes());
  return text + "; play it when nothing writes to it";
}

std::string server_failure_text(const PcmGrant& card, int error) {
  if (error == -ENODEV) return card.name + ": the server has ended, or has thrown us out";
  if (error == -EMSGSIZE) return card.name + ": the server has changed its period";
  return card.name + ": the server has not called for ten seconds";
}

std::string card_failure_text(const PcmGrant& card, int error) {
  if (card.server_driven) return server_failure_text(card, error);
  if (error == -ENODEV) return card.name + ": the card has gone (unplugged or unbound)";
  if (error == -ETIMEDOUT) return card.name + ": the card took no frames for ten seconds";
  return card.name + ": writing failed: " + errno_text(-error);
}

void record_end(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                RunData& run) {
  const bool endless =
      request.looping == Looping::forever && request.duration && request.duration->count() == 0;
  switch (end.playback.end) {
    case PlaybackEnd::data:
      run.ended_by = "end";
      break;
    case PlaybackEnd::duration:
      run.ended_by = "duration";
      break;
    case PlaybackEnd::xrun:
      run.ended_by = "xrun";
      break;
    case PlaybackEnd::input:
      run.ended_by = "input";
      run.error = failed_input_text(request, parts);
      break;
    case PlaybackEnd::card:
      run.ended_by = "device";
      run.error = end.capture_error.empty() ? card_failure_text(parts.pcm->grant(), end.playback.card_error)
                                            : end.capture_error;
      break;
    case PlaybackEnd::stopped:
      run.ended_by = end.signal == 0 && request.replay ? "record" : "signal " + std::to_string(end.signal);
      break;
  }
  if (end.signal != 0 && !end.playback_began) run.ended_by = "signal " + std::to_string(end.signal);
  run.complete = end.playback_began &&
                 (end.playback.end == PlaybackEnd::data || end.playback.end == PlaybackEnd::duration ||
                  end.playback.end == PlaybackEnd::xrun ||
                  (endless && end.playback.end == PlaybackEnd::stopped && end.signal != 0));
  if (!end.forsaken_by.empty() && (!end.playback_began || end.playback.end == PlaybackEnd::stopped)) {
    run.complete = false;
    run.ended_by = end.forsaken_by;
  }
  if (end.overwritten) {
    run.complete = false;
    run.ended_by = "input";
    run.error = overwritten_text(request, *end.overwritten);
  }
  std::exception_ptr thrown;
  if (parts.reader && parts.reader->finished()) thrown = parts.reader->error();
  if (!thrown && parts.decoder && parts.decoder->finished()) thrown = parts.decoder->error();
  if (!thrown) return;
  run.complete = false;
  run.ended_by = "reader";
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    run.error = error.what();
  }
}

void record_warnings(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                     RunData& run) {
  if (request.replay && !request.replay->script->incomplete.empty())
    run.warnings.push_back(request.replay->script->incomplete);
  for (const auto& fallback : parts.fallbacks) run.warnings.push_back(fallback.text);
  for (const auto& warning : parts.lock->warnings()) run.warnings.push_back(warning);
  if (parts.decoder && parts.decoder->finished()) {
    for (const auto& warning : parts.decoder->warnings()) run.warnings.push_back(warning);
  }
  if (!parts.pcm->grant().server.empty() && !parts.pcm->grant().server_driven) {
    run.warnings.push_back("the buffer of " + parts.pcm->grant().server + " is measured, not the card's");
  }
  if (!parts.collector->collected().trace_error.empty())
    run.warnings.push_back(parts.collector->collected().trace_error);
  if (parts.collector->collected().window_overflowed) {
    run.warnings.emplace_back(
        "--record-last: so much time has more events than are held (500,000): what was kept is shorter");
  }
  if (!end.capture_error.empty()) run.warnings.push_back(end.capture_error);
  if (end.thread_hangs) {
    run.warnings.emplace_back("a read still hangs in the kernel: this process may stay until it returns");
  }
}

/// Whatever was measured, it was not the whole machine.
void note_allowed_cpus(RunData& run) {
  const auto allowed = parse_cpu_list(run.system.cpus_allowed);
  const int online = run.system.cpus.value_or(0);
  if (!allowed || static_cast<int>(allowed->size()) >= online) return;
  run.warnings.push_back("this process may run on CPU " + run.system.cpus_allowed + " only, of " +
                         std::to_string(online) + " online (taskset, cpuset or container)");
}

void record_device(const StreamRequest& request, const PlaybackParts& parts, RunData& run) {
  const PcmGrant& card = parts.pcm->grant();
  run.device = {.name = card.name,
                .plugin = card.plugin,
                .format = std::string(to_string(card.format)),
                .rate_hz = card.rate.hz,
                .channels = card.channels,
                .period_frames = card.period,
                .buffer_frames = card.buffer,
                .start_threshold_frames = card.start_threshold,
                .fragment_frames = card.fragment,
                .simulated = card.simulated,
                .paced = card.paced,
                .server = card.server,
                .mapping = request.map == ChannelMap::mix ? "mix" : "direct",
                .samples = parts.path == SamplePath::int32 ? "int32" : "float32",
                .gain_db = parts.gain_db};
}

/// What was injected by --fault, and the stalls of the simulated card.
void record_faults(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                   RunData& run) {
  run.fault_injected = tormented(parts);
  if (parts.faults) {
    run.faults = parts.faults->account(end.playback.first_start);
    run.fault_seed = request.faults.seed;
  }
  for (auto& stall : stalls_of(parts.pcm->grant(), Nanoseconds{run.window.exposure_ns}))
    run.faults.push_back(std::move(stall));
  for (const auto& fault : run.faults) {
    if (fault.count == 0)
      run.warnings.push_back("the fault " + fault.spec + " was not injected: nothing met it in this run");
  }
}

void record_realtime(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end,
                     RunData& run) {
  run.rt.policy = end.playback_sched.policy;
  run.rt.priority = end.playback_sched.priority;
  run.rt.mlock = std::string(to_string(parts.lock->mode()));
  if (parts.virtual_clock == nullptr) run.rt.locked_bytes = locked_bytes();
  if (request.realtime.dma_latency) run.rt.dma_latency_us = request.realtime.dma_latency->count();
}

void record_self_checks(const PlaybackParts& parts, const StreamEnd& end, RunData& run) {
  if (!parts.pcm->grant().paced || !end.playback_began) return;
  std::vector<CardStretch> stretches;
  if (const auto& worst = end.playback.card_clock.worst())
    stretches.push_back({worst->played, worst->length.count()});
  run.self_checks.push_back(check_card_clock(stretches, parts.pcm->grant().rate, parts.pcm->grant().period));
  if (server_driven(run)) {
    run.self_checks.push_back(check_cycle_covers_ring_read(run.timers));
    run.self_checks.push_back(check_counts_match(run.timers));
    return;
  }
  const auto ring_read_max = end.playback.ring_read_max_after_first_write.count();
  run.self_checks.push_back(check_outside_covers_ring_read(
      run.timers.outside.histogram.count > 0 ? std::optional<std::int64_t>(ring_read_max) : std::nullopt,
      run.timers.outside.histogram.max_ns));
  run.self_checks.push_back(check_counts_match(run.timers));
  if (!end.capture_error.empty()) run.self_checks.push_back({"capture_whole", false, end.capture_error});
}

}  // namespace

RunData record_run(const StreamRequest& request, const PlaybackParts& parts, const StreamEnd& end) {
  RunData run;
  if (request.replay) {
    run.kind = "replay";
    run.replay_of = request.replay->script->name;
  }
  if (parts.virtual_clock == nullptr) run.system = describe_system();
  run.inputs = parts.inputs.infos;
  run.limits = request.limits;
  run.bound_ns = parts.bound.count();
  record_end(request, parts, end, run);
  record_warnings(request, parts, end, run);
  note_allowed_cpus(run);
  record_device(request, parts, run);
  record_realtime(request, parts, end, run);
  record_figures(request, parts, end, run);
  record_faults(request, parts, end, run);
  record_throughput(request, parts, end, run);
  record_causes(parts, end, run);
  name_injected(run.episodes, run.faults);
  run.threads = end.threads;
  run.machine_usage = end.machine_usage;
  record_self_checks(parts, end, run);
  judge(run);
  return run;
}

RunData record_so_far(const StreamRequest& request, const PlaybackParts& parts) {
  RunData run;
  if (parts.virtual_clock == nullptr) run.system = describe_system();
  run.inputs = parts.inputs.infos;
  run.limits = request.limits;
  run.bound_ns = parts.bound.count();
  run.fault_injected = tormented(parts);
  record_device(request, parts, run);
  record_counts(*parts.recorder, run);
  const auto started_ns = parts.progress.started_ns.load(std::memory_order_relaxed);
  if (started_ns != 0) run.window.exposure_ns = parts.clock.now().count() - started_ns;
  run.window.length_ns = run.window.exposure_ns;
  run.counters.frames_played = parts.progress.taken.load(std::memory_order_relaxed);
  run.ring.used = parts.ring_source != nullptr;
  if (parts.ring_source) {
    run.ring.frames = parts.ring_source->capacity();
    run.ring.low_water_frames = parts.recorder->live().ring_low_water;
    run.throughput.bytes_read = parts.reader->bytes_read();
  }
  run.end = utc_text(std::chrono::system_clock::now());
  judge(run);
  return run;
}

std::string utc_text(std::chrono::system_clock::time_point time) {
  const auto since_epoch =
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const std::time_t seconds = since_epoch / 1000;
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::snprintf(text.data() + length, text.size() - length, ".%03dZ", static_cast<int>(since_epoch % 1000));
  return text.data();
}

}  // namespace xrunlab
