#include "xrunlab/model/cause_text.hpp"

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

std::string whole_percent(double share) {
  return fixed(share * 100, 0) + " %";
}

const TrackInfo* track_of(std::optional<std::int64_t> track, const EvidenceTimeline& timeline) {
  if (!track || *track < 0) return nullptr;
  const auto index = static_cast<std::size_t>(*track);
  return index < timeline.tracks.size() ? &timeline.tracks[index] : nullptr;
}

std::string track_prefix(std::optional<std::int64_t> index, const EvidenceTimeline& timeline) {
  const auto* const track = track_of(index, timeline);
  return track == nullptr ? std::string() : track->name + ": ";
}

/// ", ready but not run for 470 ms, 2.1 ms of CPU, 3 page faults"
std::string thread_text(const ThreadEvidence& thread) {
  std::string text;
  if (thread.run_delay_ns) text += ", ready but not run for " + short_duration(*thread.run_delay_ns);
  if (thread.cpu_ns) text += ", " + short_duration(*thread.cpu_ns) + " of CPU";
  const auto faults = thread.minor_faults.value_or(0) + thread.major_faults.value_or(0);
  if (faults > 0) text += ", " + counted(faults, "page fault");
  return text;
}

std::string disk_text(const EpisodeFacts& facts, const EpisodeEvidence& evidence) {
  std::string text;
  if (evidence.read.offset_bytes) {
    text = "the read at byte " + std::to_string(*evidence.read.offset_bytes) + " was outstanding for " +
           short_duration(evidence.read.age_ns.value_or(0)) + ", " +
           counted(evidence.read.in_flight.value_or(1) - 1, "other") + " in flight";
  } else {
    text = "the playback thread's own reads took " + short_duration(length_ns(facts.own_reads));
  }
  if (evidence.device_busy_share && !evidence.device.empty())
    text += "; " + evidence.device + " busy " + whole_percent(*evidence.device_busy_share);
  return text;
}

/// The kernel takes the processor from real-time threads that use more than their share, 95 % as it comes.
bool used_up_its_allowance(const EpisodeEvidence& evidence) {
  constexpr double kNearly = 0.8;
  if (!evidence.bracket_ns || !evidence.playback.cpu_ns) return false;
  return static_cast<double>(*evidence.playback.cpu_ns) > kNearly * static_cast<double>(*evidence.bracket_ns);
}

std::string scheduler_text(const EpisodeFacts& facts, const EpisodeEvidence& evidence) {
  std::string text;
  const auto stolen = evidence.machine.steal_ns.value_or(0);
  if (facts.kind == EpisodeKind::starvation) {
    return "the hypervisor took the processor for " + short_duration(stolen) +
           " (steal), so the ring was not filled";
  }
  const auto waited = evidence.playback.run_delay_ns;
  if (waited) text = "the playback thread was ready but not run for " + short_duration(*waited);
  if (!evidence.ran_instead.empty()) text += "; " + evidence.ran_instead + " ran on its processor";
  if (stolen > 0) {
    text += text.empty() ? "" : "; ";
    text += "the hypervisor took " + short_duration(stolen) + " (steal)";
  }
  if (text.empty()) text = "the playback thread was ready and did not run";
  if (used_up_its_allowance(evidence))
    text += "; it had run nearly all the time: RT throttling (kernel.sched_rt_runtime_us)";
  return text;
}

std::string decoder_text(const EpisodeEvidence& evidence, const EvidenceTimeline& timeline) {
  const auto* const track = track_of(evidence.track, timeline);
  std::string text = "raw bytes were there, decoding was late";
  if (track != nullptr && !track->codec.empty()) text = track->codec + ": " + text;
  if (evidence.decoder_cpu_per_audio)
    text += ", " + three_digits(*evidence.decoder_cpu_per_audio) + " s of CPU a second of audio";
  return text + thread_text(evidence.decoder);
}

std::string page_fault_text(const EpisodeEvidence& evidence) {
  return counted(evidence.playback.minor_faults.value_or(0), "minor page fault") + " and " +
         counted(evidence.playback.major_faults.value_or(0), "major page fault") +
         " of the playback thread held it up";
}

std::string card_cause_text(const EpisodeFacts& facts, const EpisodeEvidence& evidence) {
  if (facts.kind == EpisodeKind::end) return "the card failed, see the error";
  return "the card took no frames for " + short_duration(evidence.overlap.card_ns.value_or(0)) +
         " beyond its time, though we were there";
}

std::string input_text(const EpisodeFacts& facts, const EvidenceTimeline& timeline) {
  for (const auto& fault : timeline.input_faults) {
    if (facts.track && *facts.track != fault.track) continue;
    const auto at = " at byte " + std::to_string(fault.offset);
    if (fault.error_number == kUndecoded) return "could not be decoded on";
    if (fault.error_number == 0) return "the file ended" + at + ", before the end that its header gave";
    return "could not be read" + at + ": " + errno_text(fault.error_number);
  }
  return "an input could not be read on";
}

std::string unknown_text(const EpisodeEvidence& evidence) {
  std::string text = "nothing that was seen explains half of " + short_duration(evidence.lost_ns);
  for (std::size_t index = 0; index < evidence.missing.size(); ++index) {
    text += index == 0 ? "; not to be had: " : ", ";
    text += evidence.missing[index];
  }
  return text;
}

}  // namespace

std::string cause_text(const EpisodeFacts& facts, Cause cause, const EpisodeEvidence& evidence,
                       const EvidenceTimeline& timeline) {
  switch (cause) {
    case Cause::input:
      return track_prefix(evidence.track, timeline) + input_text(facts, timeline);
    case Cause::suspend:
      return "the machine slept for " + short_duration(evidence.machine.suspended_ns.value_or(0));
    case Cause::page_fault:
      return page_fault_text(evidence);
    case Cause::scheduler:
      return scheduler_text(facts, evidence);
    case Cause::reader:
      return "the reader came " + short_duration(evidence.overlap.reader_ns.value_or(0)) + " late" +
             thread_text(evidence.reader);
    case Cause::decoder:
      return track_prefix(evidence.track, timeline) + decoder_text(evidence, timeline);
    case Cause::disk:
      return track_prefix(evidence.read.track, timeline) + disk_text(facts, evidence);
    case Cause::card:
      return card_cause_text(facts, evidence);
    case Cause::unknown:
      break;
  }
  return unknown_text(evidence);
}

}  // namespace xrunlab
