#include "xrunlab/engine/replay_script.hpp"

#include <algorithm>
#include <utility>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/recorded_work.hpp"

namespace xrunlab {
namespace {

// 250 MB; 48 tracks in reads of 64 KiB for ten hours.
constexpr std::size_t kMostScriptReads = 4'000'000;
constexpr std::size_t kMostSmall = 4'000'000;  // of every other kind
// Nothing that was recorded lies further from the start: whatever does is damage.
constexpr std::int64_t kFarthestNs = std::int64_t{366} * 24 * 3600 * kNsPerSecond;

/// Gathers the events and puts them on the clock that begins when the card starts.
class ScriptMaker {
 public:
  explicit ScriptMaker(const TraceHeader& header)
      : header_(header),
        has_rings_(has_rings(*header.chain)),
        length_ns_(frames_to_duration(header.fragment, header.rate).count()),
        pieces_(*header.chain) {}

  /// False when there is no room for more.
  bool take(const Event& event) {
    const std::int64_t since_ns = since_recording(event.at_ns);
    if (since_ns < 0) return true;
    last_ns_ = std::max(last_ns_, event.at_ns);
    switch (event.kind) {
      case EventKind::fragment:
        return take_fragment(event);
      case EventKind::read:
        return take_read(event);
      case EventKind::input_failed:
        return take_failure(event);
      case EventKind::late_entry:
        if (since_recording(event.late_entry.planned_ns) < 0) return true;
        delays_.push_back({Nanoseconds{event.late_entry.planned_ns}, Nanoseconds{event.at_ns}});
        return delays_.size() < kMostSmall;
      case EventKind::starvation:
        waits_.push_back(
            {event.at_ns, std::clamp<std::int64_t>(event.starvation.duration_ns, 0, kFarthestNs)});
        return waits_.size() < kMostSmall;
      case EventKind::decoded:
        pieces_.add(event.decoded);
        return pieces_.size() < kMostSmall;
      case EventKind::sample:
        samples_.push_back({Nanoseconds{event.at_ns}, event.sample});
        return samples_.size() < kMostSmall;
      default:
        return true;
    }
  }

  bool card_started() const noexcept { return start_ns_.has_value(); }
  /// Fragments before the first one, or between others, were left out.
  bool is_of_pieces() const noexcept { return first_index_ > 0 || (header_.pieces && has_gap_); }

  void finish(ReplayScript& script) {
    script.takes = takes_.finish();
    script.decoding = pieces_.finish();
    script.input_failed = failed_ || pieces_.any_failed();
    for (auto& read : reads_) {
      read.submitted -= start();
      if (read.completed != RecordedRead::kNever) read.completed -= start();
    }
    for (auto& delay : delays_) delay = {delay.begin - start(), delay.end - start()};
    script.reads =
        std::make_shared<RecordedReads>(std::move(reads_), header_.tracks.size(), std::move(delays_));
    script.hung = script.reads->any_never_completed();
    script.late_wakes = std::move(late_wakes_);
    script.holds = holds();
    script.card_stalls = std::move(card_stalls_);
    for (auto& stall : script.card_stalls) stall.at -= start();
    std::stable_sort(samples_.begin(), samples_.end(),
                     [](const RecordedSample& a, const RecordedSample& b) { return a.at < b.at; });
    for (auto& sample : samples_) sample.at -= start();
    script.samples = std::move(samples_);
    script.frames_played = (last_index_ + 1) * header_.fragment;
    script.length = Nanoseconds{last_ns_} - start();
  }

 private:
  struct LongStretch {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
  };
  struct Wait {
    std::int64_t at_ns = 0;
    std::int64_t duration_ns = 0;
  };

  Nanoseconds start() const noexcept { return Nanoseconds{*start_ns_}; }

  /// −1 for an instant that cannot be of this recording.
  std::int64_t since_recording(std::int64_t at_ns) const noexcept {
    const auto since = static_cast<std::uint64_t>(at_ns) - static_cast<std::uint64_t>(header_.start.count());
    return since > static_cast<std::uint64_t>(kFarthestNs) ? -1 : static_cast<std::int64_t>(since);
  }

  bool take_failure(const Event& event) {
    const auto& failure = event.input_failed;
    if (since_recording(failure.submitted_ns) < 0 || failure.offset < 0 || failure.offset > kFarthestNs ||
        failure.track >= header_.tracks.size()) {
      return true;
    }
    failed_ = true;
    if (!has_rings_) {
      takes_.fail({failure.track, failure.offset, failure.error_number});
      return true;
    }
    reads_.push_back({.track = failure.track,
                      .begin = failure.offset,
                      .end = failure.offset + 1,
                      .submitted = Nanoseconds{failure.submitted_ns},
                      .completed = Nanoseconds{event.at_ns},
                      .failed = true,
                      .error_number = failure.error_number});
    return reads_.size() < kMostScriptReads;
  }

  bool take_fragment(const Event& event) {
    const auto& fragment = event.fragment;
    if (fragment.index < 0 || fragment.index > kFarthestNs / std::max<std::int64_t>(1, length_ns_))
      return true;
    const std::int64_t before_start = header_.chain->start_threshold / header_.fragment - 1;
    if (!start_ns_ && fragment.index >= std::max<std::int64_t>(0, before_start)) start_ns_ = event.at_ns;
    if (last_index_ < 0) {
      first_index_ = fragment.index;
    } else if (fragment.index != last_index_ + 1) {
      has_gap_ = true;
    }
    last_index_ = std::max(last_index_, fragment.index);
    std::int64_t outside_ns = std::max<std::int64_t>(0, fragment.t3_ns);
    if (!has_rings_) {
      if (takes_.size() >= kMostSmall) return false;
      const std::int64_t reading_ns = std::clamp<std::int64_t>(fragment.t1_ns, 0, kFarthestNs);
      takes_.add(fragment.index, Nanoseconds{reading_ns});
      outside_ns = std::max<std::int64_t>(0, outside_ns - reading_ns);
    }
    const std::int64_t writing_ns = event.at_ns - std::clamp<std::int64_t>(fragment.t2_ns, 0, kFarthestNs);
    if (outside_ns > kReplayedLateness.count() && outside_ns < kFarthestNs)
      long_stretches_.push_back({writing_ns - outside_ns, writing_ns});
    follow_card(event);
    return late_wakes_.size() < kMostSmall && long_stretches_.size() < kMostSmall;
  }

  /// When the card had room shows how late the thread was, and whether the card stood still.
  void follow_card(const Event& event) {
    const auto& fragment = event.fragment;
    const bool planned = fragment.planned_ns >= 0 && since_recording(fragment.planned_ns) >= 0;
    if (planned) {
      const Nanoseconds late{event.at_ns - fragment.planned_ns};
      if (late >= kReplayedLateness &&
          (late_wakes_.empty() || late_wakes_.back().fragment < fragment.index)) {
        late_wakes_.push_back({fragment.index, late});
      }
      const std::int64_t held_ns = fragment.planned_ns - planned_before_ns_ - length_ns_;
      if (planned_before_ns_ > 0 && fragment.index == planned_index_ + 1 && held_ns > length_ns_ &&
          card_stalls_.size() < kMostSmall) {
        card_stalls_.push_back({Nanoseconds{planned_before_ns_ + length_ns_ / 2}, Nanoseconds{held_ns}});
      }
    }
    planned_before_ns_ = planned ? fragment.planned_ns : 0;
    planned_index_ = fragment.index;
  }

  bool take_read(const Event& event) {
    const auto& read = event.read;
    if (read.offset < 0 || read.size < 0 || read.offset > kFarthestNs || read.size > kFarthestNs) return true;
    if (since_recording(read.submitted_ns) < 0 || since_recording(read.completed_ns) < 0) return true;
    const bool never = read.size == 0;
    reads_.push_back({.track = read.track,
                      .begin = read.offset,
                      .end = read.offset + std::max<std::int64_t>(1, read.size),
                      .submitted = Nanoseconds{read.submitted_ns},
                      .completed = never ? RecordedRead::kNever : Nanoseconds{read.completed_ns}});
    return reads_.size() < kMostScriptReads;
  }

  /// What was long outside the write, and was no waiting for the ring.
  std::vector<RecordedHold> holds() {
    std::sort(waits_.begin(), waits_.end(), [](const Wait& a, const Wait& b) { return a.at_ns < b.at_ns; });
    std::vector<RecordedHold> found;
    auto wait = waits_.begin();
    for (const auto& stretch : long_stretches_) {
      while (wait != waits_.end() && wait->at_ns < stretch.begin_ns) ++wait;
      std::int64_t held_ns = stretch.end_ns - stretch.begin_ns;
      for (auto in = wait; in != waits_.end() && in->at_ns < stretch.end_ns; ++in) held_ns -= in->duration_ns;
      if (held_ns <= kReplayedLateness.count()) continue;
      // Half a fragment before: it is passed at the end of a fragment, a little earlier or later than then.
      found.push_back({Nanoseconds{stretch.begin_ns - length_ns_ / 2} - start(), Nanoseconds{held_ns}});
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const RecordedHold& a, const RecordedHold& b) { return a.at < b.at; });
    return found;
  }

  const TraceHeader& header_;
  bool has_rings_;
  std::int64_t length_ns_;
  TakeLengths takes_;
  CodedPieces pieces_;
  bool failed_ = false;
  std::vector<RecordedRead> reads_;
  std::vector<RecordedDelay> delays_;
  std::vector<LateWake> late_wakes_;
  std::vector<LongStretch> long_stretches_;
  std::vector<Wait> waits_;
  std::vector<SimStall> card_stalls_;
  std::vector<RecordedSample> samples_;
  std::optional<std::int64_t> start_ns_;
  std::int64_t last_ns_ = 0;
  std::int64_t last_index_ = -1;
  std::int64_t first_index_ = 0;
  bool has_gap_ = false;
  std::int64_t planned_before_ns_ = 0;
  std::int64_t planned_index_ = -1;
};

}  // namespace

ReplayScript load_replay_script(const std::filesystem::path& path) {
  TraceReader reader(path);
  ReplayScript script{.name = printable_name(path.filename()), .header = reader.header()};
  check_replayable(script.header, printable_name(path));
  ScriptMaker maker(script.header);
  while (const auto event = reader.next()) {
    if (maker.take(*event)) continue;
    throw Error(ExitCode::input_file, printable_name(path) + ": is too long to be played again in one piece",
                "cut out its worst moment with xrunlab repro");
  }
  if (!maker.card_started() && script.header.pieces && !reader.end()) {
    throw Error(ExitCode::input_file, reader.fault() + ": nothing had gone wrong by then (--record-last)");
  }
  if (!maker.card_started()) {
    throw Error(ExitCode::input_file, printable_name(path) + ": the card never started in this run" +
                                          (reader.fault().empty() ? "" : "; " + reader.fault()));
  }
  if (maker.is_of_pieces()) {
    throw Error(ExitCode::input_file, printable_name(path) + ": is of pieces of a run (--record-last)",
                "cut out its worst moment with xrunlab repro, and play that again");
  }
  maker.finish(script);
  script.incomplete = reader.fault();
  if (reader.end() && reader.end()->dropped > 0) {
    script.incomplete = printable_name(path) + ": lacks " + std::to_string(reader.end()->dropped) +
                        " events, because a queue was full";
  }
  return script;
}

}  // namespace xrunlab
