#include "xrunlab/model/attribution.hpp"

#include <algorithm>
#include <array>

#include "counter_bracket.hpp"
#include "xrunlab/model/cause_text.hpp"

namespace xrunlab {
namespace {

// A suspended machine stands still for longer than the two clocks can be read apart.
constexpr std::int64_t kLeastSuspendNs = 1'000'000;

constexpr std::size_t kCauses = static_cast<std::size_t>(Cause::unknown);

constexpr std::array<std::optional<std::int64_t> CauseShares::*, kCauses> kShares{
    &CauseShares::input_ns,     &CauseShares::suspend_ns, &CauseShares::page_fault_ns,
    &CauseShares::scheduler_ns, &CauseShares::reader_ns,  &CauseShares::decoder_ns,
    &CauseShares::disk_ns,      &CauseShares::card_ns};

class Attributor {
 public:
  Attributor(const EpisodeFacts& facts, const EvidenceTimeline& timeline)
      : facts_(facts),
        timeline_(timeline),
        bracket_(timeline.samples, facts.window),
        starving_(facts.kind == EpisodeKind::starvation),
        source_(facts.track || !facts.own_reads.empty() ? timeline.source(facts.track) : nullptr),
        window_ns_(length_ns(facts.window)),
        lost_ns_(std::max<std::int64_t>(1, std::min(facts.lost_ns, window_ns_))) {}

  Attribution run() {
    describe();
    take_samples();
    claim_input();
    if (facts_.kind != EpisodeKind::end) {
      claim_suspend();
      if (starving_) {
        claim_filling();
      } else {
        claim_playing();
      }
    }
    // Being held by the card is no part of a starvation: the thread was not at the card then.
    if (!starving_) evidence().overlap.card_ns = overlap(facts_.card_held);
    decide();
    evidence().detail = cause_text(facts_, result_.cause, evidence(), timeline_);
    return std::move(result_);
  }

 private:
  EpisodeEvidence& evidence() noexcept { return result_.evidence; }
  std::int64_t overlap(const std::vector<Span>& spans) const {
    return length_ns(common(spans, facts_.window));
  }
  Amount capped(Amount amount) const {
    if (amount) amount = std::clamp<std::int64_t>(*amount, 0, window_ns_);
    return amount;
  }
  bool is_of_track(std::uint32_t track) const { return !facts_.track || *facts_.track == track; }

  void describe() {
    evidence().window_ns = window_ns_;
    evidence().lost_ns = lost_ns_;
    if (facts_.wake_late_ns > 0) evidence().wake_late_ns = facts_.wake_late_ns;
    if (facts_.track) evidence().track = *facts_.track;
    if (source_ != nullptr) evidence().device = source_->device;
  }

  ThreadEvidence growth_of(SampledThread which) const {
    const auto of = [this, which](Amount ThreadSample::*counter) {
      return bracket_.growth([&](const SystemSample& sample) { return sample.thread(which).*counter; });
    };
    return {of(&ThreadSample::run_delay_ns), of(&ThreadSample::cpu_ns), of(&ThreadSample::minor_faults),
            of(&ThreadSample::major_faults)};
  }

  void take_samples() {
    const auto of = [this](Amount SystemSample::*counter) {
      return bracket_.growth([&](const SystemSample& sample) { return sample.*counter; });
    };
    auto& seen = evidence();
    seen.bracket_ns = bracket_.length();
    seen.playback = growth_of(SampledThread::playback);
    seen.reader = growth_of(SampledThread::reader);
    seen.decoder = growth_of(SampledThread::decoder);
    seen.machine = {most_stolen(),
                    of(&SystemSample::iowait_ns),
                    of(&SystemSample::suspended_ns),
                    of(&SystemSample::cpu_pressure_ns),
                    of(&SystemSample::io_pressure_ns),
                    of(&SystemSample::memory_pressure_ns)};
    const auto decoded = of(&SystemSample::decoded_frames);
    if (decoded && *decoded > 0 && seen.decoder.cpu_ns && timeline_.rate_hz > 0) {
      const double audio_ns = static_cast<double>(*decoded) * 1e9 / static_cast<double>(timeline_.rate_hz);
      seen.decoder_cpu_per_audio = static_cast<double>(*seen.decoder.cpu_ns) / audio_ns;
    }
    take_device();
    if (!seen.playback.run_delay_ns)
      seen.missing.emplace_back("run-queue delays (/proc/self/task/*/schedstat)");
    if (!seen.machine.steal_ns) seen.missing.emplace_back("steal time (/proc/stat)");
    if (!seen.machine.cpu_pressure_ns) seen.missing.emplace_back("pressure (PSI; boot with psi=1)");
    if (!timeline_.sched_trace) seen.missing.push_back("who ran (" + timeline_.sched_trace_missing + ")");
  }

  void take_device() {
    const auto index = source_ == nullptr ? std::nullopt : source_->device_index;
    if (!index || !evidence().bracket_ns || *evidence().bracket_ns <= 0) return;
    const auto busy = bracket_.growth([&](const SystemSample& sample) {
      return *index < sample.device_busy_ns.size() ? sample.device_busy_ns[*index] : Amount();
    });
    if (busy) {
      const double share = static_cast<double>(*busy) / static_cast<double>(*evidence().bracket_ns);
      evidence().device_busy_share = std::clamp(share, 0.0, 1.0);
    }
  }

  Amount most_stolen() const {
    Amount most;
    std::size_t cpus = 0;
    for (const auto& sample : timeline_.samples) cpus = std::max(cpus, sample.steal_ns.size());
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
      const auto stolen = bracket_.growth([cpu](const SystemSample& sample) {
        return cpu < sample.steal_ns.size() ? Amount(sample.steal_ns[cpu]) : Amount();
      });
      if (stolen) most = std::max(most.value_or(0), *stolen);
    }
    return most;
  }

  void claim_input() {
    std::vector<Span> spans;
    for (const auto& fault : timeline_.input_faults) {
      if (is_of_track(fault.track)) spans.push_back(fault.span);
    }
    evidence().overlap.input_ns = overlap(spans);
  }

  void claim_suspend() {
    const auto suspended = evidence().machine.suspended_ns;
    if (!suspended) return;
    // The monotonic clock stands still meanwhile, so nothing of it lies in the window itself.
    evidence().overlap.suspend_ns = *suspended >= kLeastSuspendNs ? lost_ns_ : 0;
    bracketed_[static_cast<std::size_t>(Cause::suspend)] = true;
  }

  /// Who failed to fill the ring: the decoder while it had raw bytes; else the reader while it was late, and
  /// the disk while the read was out.
  void claim_filling() {
    auto& share = evidence().overlap;
    std::vector<Span> undelivered = facts_.window;
    if (source_ != nullptr && !source_->codec.empty()) {
      std::vector<Span> waits;
      for (const auto& wait : timeline_.raw_waits) {
        if (is_of_track(wait.track)) waits.push_back(wait.span);
      }
      undelivered = common(facts_.window, waits);
      share.decoder_ns = length_ns(without(facts_.window, waits));
    }
    const auto late = common(undelivered, timeline_.reader_late);
    evidence().reader_late_ns = length_ns(late);
    share.reader_ns = evidence().reader_late_ns;
    if (const auto delay = evidence().reader.run_delay_ns;
        timeline_.reader_blocks && delay > *share.reader_ns) {
      share.reader_ns = std::min(*delay, length_ns(undelivered));
      bracketed_[static_cast<std::size_t>(Cause::reader)] = true;
    }
    claim_disk(undelivered);
    // What the hypervisor took made them late; it makes no disk slow.
    if (evidence().machine.steal_ns) {
      share.scheduler_ns = std::min(*capped(evidence().machine.steal_ns),
                                    std::max(*share.reader_ns, share.decoder_ns.value_or(0)));
      bracketed_[static_cast<std::size_t>(Cause::scheduler)] = true;
    }
  }

  /// With no place left in the queue, a read of another track keeps the starved one's from being asked for.
  bool fills_the_queue(const ReadSpan& read) const {
    return timeline_.queue_depth > 0 && static_cast<std::int64_t>(read.in_flight) >= timeline_.queue_depth;
  }

  void claim_disk(const std::vector<Span>& undelivered) {
    std::vector<Span> spans;
    std::int64_t most = 0;
    for (const auto& read : timeline_.reads) {
      if (!is_of_track(read.track) && !fills_the_queue(read)) continue;
      const Span span{read.submitted_ns, read.completed_ns};
      spans.push_back(span);
      const auto shared = length_ns(common({span}, undelivered));
      if (shared <= most) continue;
      most = shared;
      evidence().read = {read.track, read.offset, span.end_ns - span.begin_ns, read.in_flight};
    }
    evidence().overlap.disk_ns = length_ns(common(spans, undelivered));
  }

  /// Why the playback thread did not do its part though the ring held the fragment.
  void claim_playing() {
    auto& share = evidence().overlap;
    claim_scheduler();
    const std::int64_t unscheduled = share.scheduler_ns.value_or(0);
    const std::int64_t reading = overlap(facts_.own_reads);
    if (!facts_.own_reads.empty()) share.disk_ns = std::max<std::int64_t>(0, reading - unscheduled);
    const auto& seen = evidence().playback;
    if (!seen.minor_faults && !seen.major_faults) return;
    const bool faulted = seen.minor_faults.value_or(0) + seen.major_faults.value_or(0) > 0;
    // A fault puts the thread to sleep: neither ready nor at work.
    const std::int64_t asleep = lost_ns_ - unscheduled - reading - overlap(facts_.card_held);
    share.page_fault_ns = faulted ? std::max<std::int64_t>(0, asleep) : 0;
    bracketed_[static_cast<std::size_t>(Cause::page_fault)] = true;
  }

  void claim_scheduler() {
    auto& share = evidence().overlap.scheduler_ns;
    bool bracketed = true;
    share = capped(evidence().playback.run_delay_ns);
    if (timeline_.sched_trace) {
      std::vector<Span> spans;
      std::int64_t most = 0;
      for (const auto& runnable : timeline_.runnable) {
        if (runnable.thread != SampledThread::playback) continue;
        spans.push_back(runnable.span);
        const auto shared = overlap({runnable.span});
        if (shared <= most) continue;
        most = shared;
        evidence().ran_instead = runnable.ran_instead;
      }
      share = overlap(spans);
      bracketed = false;
    }
    const auto stolen = capped(evidence().machine.steal_ns);
    if (stolen && *stolen > share.value_or(-1)) {
      share = stolen;
      bracketed = true;
    }
    bracketed_[static_cast<std::size_t>(Cause::scheduler)] = bracketed;
  }

  std::int64_t claimed(std::size_t cause) { return (evidence().overlap.*kShares[cause]).value_or(0); }

  void decide() {
    std::int64_t best = 0;
    for (std::size_t cause = 0; cause < kCauses; ++cause) best = std::max(best, claimed(cause));
    const auto tie = best - static_cast<std::int64_t>(static_cast<double>(best) * kTieShare);
    std::size_t chosen = 0;
    while (chosen < kCauses && claimed(chosen) < tie) ++chosen;
    evidence().explained_ns = best > 0 ? claimed(chosen) : 0;
    if (best * 2 < lost_ns_) return;  // unknown
    result_.cause = static_cast<Cause>(chosen);
    evidence().bracketed = bracketed_[chosen];
    result_.confidence = confidence_in(chosen);
  }

  /// The share of the loss that is explained; half of it goes when another cause explains as much, and a
  /// tenth when the evidence only brackets the window.
  double confidence_in(std::size_t chosen) {
    const auto mine = static_cast<double>(claimed(chosen));
    double rival = 0;
    for (std::size_t cause = 0; cause < kCauses; ++cause) {
      const bool follows = starving_ && static_cast<Cause>(chosen) == Cause::scheduler;
      if (cause != chosen && !follows) rival = std::max(rival, static_cast<double>(claimed(cause)));
    }
    const double share = std::min(1.0, mine / static_cast<double>(lost_ns_));
    return share * (1 - std::min(1.0, rival / mine) / 2) * (evidence().bracketed ? 0.9 : 1.0);
  }

  const EpisodeFacts& facts_;
  const EvidenceTimeline& timeline_;
  CounterBracket bracket_;
  bool starving_;
  const TrackInfo* source_;
  std::int64_t window_ns_;
  std::int64_t lost_ns_;
  Attribution result_;
  std::array<bool, kCauses> bracketed_{};
};

}  // namespace

Attribution attribute(const EpisodeFacts& facts, const EvidenceTimeline& timeline) {
  return Attributor(facts, timeline).run();
}

std::string_view to_string(EpisodeKind kind) noexcept {
  constexpr std::array<std::string_view, 6> kNames{"starvation", "xrun",    "ring_read",
                                                   "pcm_write",  "outside", "end"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "?";
}

std::string_view to_string(Cause cause) noexcept {
  constexpr std::array<std::string_view, kCauses> kNames{"input",  "suspend", "page-fault", "scheduler",
                                                         "reader", "decoder", "disk",       "card"};
  const auto index = static_cast<std::size_t>(cause);
  return index < kNames.size() ? kNames[index] : "unknown";
}

}  // namespace xrunlab
