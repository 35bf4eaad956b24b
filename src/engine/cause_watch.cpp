#include "xrunlab/engine/cause_watch.hpp"

#include <algorithm>
#include <utility>

namespace xrunlab {
namespace {

// Longer than the gap that joins starved reads, and than the collector takes to look at every queue.
constexpr std::int64_t kSettledNs = kEpisodeGap.count() + 200'000'000;
// An episode that never ends is judged in pieces.
constexpr std::int64_t kLongestNs = 60 * kNsPerSecond;
constexpr std::size_t kMostMarks = 10'000;
// What an episode may reach back to: the mark of a long wait comes at its end.
constexpr std::int64_t kKeptNs = 120 * kNsPerSecond;
constexpr std::int64_t kPruneEveryNs = 10 * kNsPerSecond;
constexpr std::size_t kMostReads = 20'000;

}  // namespace

CauseWatch::CauseWatch(CauseWatchConfig config)
    : config_(std::move(config)),
      low_fill_ns_(2 * frames_to_duration(config_.card.fragment, config_.card.rate).count()) {
  timeline_.tracks = config_.tracks;
  timeline_.queue_depth = config_.queue_depth;
  timeline_.rate_hz = config_.card.rate.hz;
  timeline_.sched_trace = static_cast<bool>(config_.runnable);
  timeline_.sched_trace_missing = config_.sched_trace_missing;
}

void CauseWatch::lose_sched_trace(const std::string& why) {
  config_.runnable = nullptr;
  timeline_.sched_trace = false;
  timeline_.sched_trace_missing = why;
}

void CauseWatch::take(const Event& event) {
  switch (event.kind) {
    case EventKind::starvation:
      marks_.waits.push_back({event.at_ns, event.starvation.duration_ns, event.starvation.track});
      note(event.at_ns, event.at_ns + event.starvation.duration_ns);
      break;
    case EventKind::xrun:
      if (config_.drive == CardDrive::by_server) break;
      marks_.xruns.push_back({event.at_ns, event.xrun.dry_ns});
      note(event.at_ns, event.at_ns + std::max<std::int64_t>(0, event.xrun.dry_ns));
      break;
    case EventKind::fragment:
      marks_.late.push_back({event.at_ns, event.fragment});
      note(marks_.late.back().begin_ns(), event.at_ns);
      break;
    case EventKind::read:
      take_read(event);
      break;
    case EventKind::late_entry:
      timeline_.reader_late.push_back({event.late_entry.planned_ns, event.at_ns});
      break;
    case EventKind::raw_wait:
      timeline_.raw_waits.push_back(
          {event.raw_wait.track, {event.at_ns - event.raw_wait.duration_ns, event.at_ns}});
      break;
    case EventKind::input_failed:
      timeline_.input_faults.push_back({event.input_failed.track,
                                        event.input_failed.offset,
                                        event.input_failed.error_number,
                                        {event.input_failed.submitted_ns, event.at_ns}});
      break;
    case EventKind::episode:
    case EventKind::sample:
    case EventKind::decoded:
      break;
  }
}

/// Most reads come long before they are needed: those of no ring that ran low say nothing.
void CauseWatch::take_read(const Event& event) {
  const auto& read = event.read;
  const bool decoded = read.track < timeline_.tracks.size() && !timeline_.tracks[read.track].codec.empty();
  if (read.fill_ns >= low_fill_ns_ && !decoded) return;
  if (timeline_.reads.size() >= kMostReads)
    timeline_.reads.erase(timeline_.reads.begin(), timeline_.reads.begin() + kMostReads / 4);
  timeline_.reads.push_back(
      {read.track, read.offset, read.submitted_ns, read.completed_ns, event.at_ns, read.in_flight});
}

void CauseWatch::note(std::int64_t begin_ns, std::int64_t end_ns) noexcept {
  marks_begin_ns_ = marks_.count() == 1 ? begin_ns : std::min(marks_begin_ns_, begin_ns);
  marks_end_ns_ = marks_.count() == 1 ? end_ns : std::max(marks_end_ns_, end_ns);
}

void CauseWatch::sample() {
  timeline_.samples.push_back(config_.sample());
  tell_of_sample();
  if (!config_.runnable) return;
  auto seen = config_.runnable();
  timeline_.runnable.insert(timeline_.runnable.end(), std::make_move_iterator(seen.begin()),
                            std::make_move_iterator(seen.end()));
}

/// For the trace: what a replay needs to come to the same cause.
void CauseWatch::tell_of_sample() {
  const auto& now = timeline_.samples.back();
  if (timeline_.samples.size() > 1) {
    const auto& before = *std::prev(timeline_.samples.end(), 2);
    std::int64_t most_ns = 0;
    for (std::size_t cpu = 0; cpu < std::min(now.steal_ns.size(), before.steal_ns.size()); ++cpu)
      most_ns = std::max(most_ns, now.steal_ns[cpu] - before.steal_ns[cpu]);
    stolen_ns_ += most_ns;
  }
  const auto& playback = now.thread(SampledThread::playback);
  Event event{};
  event.kind = EventKind::sample;
  event.at_ns = now.at_ns;
  event.sample = {.playback_queued_ns = playback.run_delay_ns.value_or(-1),
                  .playback_minor_faults = playback.minor_faults.value_or(-1),
                  .playback_major_faults = playback.major_faults.value_or(-1),
                  .reader_queued_ns = now.thread(SampledThread::reader).run_delay_ns.value_or(-1),
                  .decoder_queued_ns = now.thread(SampledThread::decoder).run_delay_ns.value_or(-1),
                  .steal_ns = now.steal_ns.empty() ? -1 : stolen_ns_,
                  .suspended_ns = now.suspended_ns.value_or(-1)};
  found_.push_back(event);
}

std::span<const Event> CauseWatch::look() {
  found_.clear();
  sample();
  const std::int64_t now_ns = timeline_.samples.back().at_ns;
  const bool settled = now_ns - marks_end_ns_ >= kSettledNs;
  if (marks_.count() > 0 && (settled || marks_.count() > kMostMarks || now_ns - marks_begin_ns_ > kLongestNs))
    settle();
  prune();
  return found_;
}

std::span<const Event> CauseWatch::finish() {
  found_.clear();
  sample();
  settle();
  tell_of_own_failure();
  return found_;
}

void CauseWatch::tell_of_own_failure() {
  const auto fault = config_.own_failure ? config_.own_failure() : std::nullopt;
  if (!fault) return;
  Event event{};
  event.kind = EventKind::input_failed;
  event.at_ns = timeline_.samples.back().at_ns;
  event.input_failed = {fault->offset, event.at_ns, fault->track, fault->error_number};
  found_.push_back(event);
}

void CauseWatch::settle() {
  const EpisodeMarks marks = std::exchange(marks_, {});
  const auto episodes = find_episodes(marks, config_.card, config_.read_ahead);
  const auto first = static_cast<std::int64_t>(episodes_.size());
  std::vector<Attribution> attributions;
  for (const auto& episode : episodes) {
    attributions.push_back(attribute(episode.facts, timeline_));
  }
  for (std::size_t index = 0; index < episodes.size(); ++index) {
    const auto within = episodes[index].within;
    // What held up the ring ran the card dry, too.
    if (within) attributions[index] = attributions[*within];
    keep(episodes[index].facts, attributions[index],
         within ? std::optional(first + static_cast<std::int64_t>(*within)) : std::nullopt);
  }
}

void CauseWatch::keep(const EpisodeFacts& facts, const Attribution& attribution,
                      std::optional<std::int64_t> caused_by) {
  Event event{};
  event.kind = EventKind::episode;
  event.at_ns = facts.start_ns;
  event.episode = {.duration_ns = facts.duration_ns,
                   .track = facts.track ? static_cast<std::int64_t>(*facts.track) : -1,
                   .confidence_ppm = static_cast<std::int32_t>(attribution.confidence * 1e6),
                   .kind = static_cast<std::uint8_t>(facts.kind),
                   .cause = static_cast<std::uint8_t>(attribution.cause)};
  found_.push_back(event);
  if (episodes_.size() >= kMostEpisodes) {
    ++unlisted_;
    return;
  }
  episodes_.push_back({.kind = std::string(to_string(facts.kind)),
                       .start_ns = facts.start_ns,
                       .duration_ns = facts.duration_ns,
                       .cause = std::string(to_string(attribution.cause)),
                       .confidence = attribution.confidence,
                       .caused_by = caused_by,
                       .evidence = attribution.evidence});
}

void CauseWatch::end_early(std::int64_t at_ns, const std::optional<InputFault>& fault) {
  EpisodeFacts facts{.kind = EpisodeKind::end, .start_ns = at_ns, .lost_ns = 1};
  facts.window = {{at_ns - 1, at_ns}};
  if (fault) {
    facts.track = fault->track;
    timeline_.input_faults = {*fault};
    timeline_.input_faults.front().span = facts.window.front();
  } else {
    facts.card_held = facts.window;
  }
  keep(facts, attribute(facts, timeline_), std::nullopt);
}

void CauseWatch::prune() {
  const std::int64_t now_ns = timeline_.samples.back().at_ns;
  std::int64_t oldest_ns = now_ns - kKeptNs;
  if (marks_.count() > 0) oldest_ns = std::min(oldest_ns, marks_begin_ns_ - kNsPerSecond);
  // Now and then: each time all that is kept moves up.
  if (timeline_.samples.front().at_ns >= oldest_ns - kPruneEveryNs) return;
  std::erase_if(timeline_.samples, [=](const auto& sample) { return sample.at_ns < oldest_ns; });
  std::erase_if(timeline_.reads, [=](const auto& read) { return read.seen_ns < oldest_ns; });
  std::erase_if(timeline_.reader_late, [=](const auto& span) { return span.end_ns < oldest_ns; });
  std::erase_if(timeline_.raw_waits, [=](const auto& wait) { return wait.span.end_ns < oldest_ns; });
  std::erase_if(timeline_.runnable, [=](const auto& seen) { return seen.span.end_ns < oldest_ns; });
}

}  // namespace xrunlab
