#include "xrunlab/report/play_timeline.hpp"

#include <algorithm>
#include <ctime>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/timing/trace_reader.hpp"

namespace xrunlab {
namespace {

// About one for each pixel of the picture.
constexpr std::int64_t kMostSpans = 600;
// Run files and records may come from anybody: nothing lies further from the start, no run has more
// fragments.
constexpr std::int64_t kFarthestNs = std::int64_t{366} * 24 * 3600 * kNsPerSecond;
constexpr std::int64_t kMostFragments = std::int64_t{1} << 53;

std::int64_t in_a_run(std::int64_t ns) {
  return std::clamp<std::int64_t>(ns, 0, kFarthestNs);
}

/// Wraps where a record is nonsensical.
std::int64_t elapsed(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

template <typename Worse>
void take_worse(std::optional<std::int64_t>& worst, const std::optional<std::int64_t>& value, Worse worse) {
  if (value && (!worst || worse(*value, *worst))) worst = value;
}

void worsen(TimelineSpan& span, const TimelineSpan& with) {
  const auto longer = [](std::int64_t a, std::int64_t b) { return a > b; };
  const auto less = [](std::int64_t a, std::int64_t b) { return a < b; };
  take_worse(span.ring_read_ns, with.ring_read_ns, longer);
  take_worse(span.pcm_write_ns, with.pcm_write_ns, longer);
  take_worse(span.outside_ns, with.outside_ns, longer);
  take_worse(span.cycle_ns, with.cycle_ns, longer);
  take_worse(span.ring_left_frames, with.ring_left_frames, less);
  take_worse(span.slack_left_frames, with.slack_left_frames, less);
}

TimelineSpan span_of(const WindowData& window) {
  TimelineSpan span{.start_ns = in_a_run(window.start_ns),
                    .end_ns = in_a_run(window.start_ns) + in_a_run(window.length_ns),
                    .ring_read_ns = window.ring_read_max_ns,
                    .cycle_ns = window.cycle_max_ns,
                    .ring_left_frames = window.ring_low_water_frames,
                    .slack_left_frames = window.slack_low_water_frames};
  if (window.cycle_max_ns) return span;  // there is neither T2 nor T3
  span.pcm_write_ns = window.pcm_write_max_ns;
  // A window of one fragment may have no stretch outside before it.
  if (window.fragments > 1 || window.outside_max_ns > 0) span.outside_ns = window.outside_max_ns;
  return span;
}

/// Where the fragments of a record lie on the run's time, which begins with the card.
class RecordClock {
 public:
  explicit RecordClock(const TraceHeader& header) : header_(header) {}

  void take(const Event& event) {
    if (event.kind != EventKind::fragment || event.fragment.index < 0 ||
        event.fragment.index > kMostFragments) {
      return;
    }
    ++fragments_;
    // Unsigned: a damaged record may say anything.
    ring_read_ns_ += static_cast<std::uint64_t>(event.fragment.t1_ns);
    const auto filled =
        header_.chain ? header_.chain->start_threshold / std::max<Frames>(1, header_.fragment) : 0;
    if (filled > 0 && event.fragment.index == filled - 1) started_ns_ = event.at_ns;
    if (event.fragment.index < last_index_) return;
    last_index_ = event.fragment.index;
    last_at_ns_ = event.at_ns;
  }

  std::int64_t fragments() const noexcept { return fragments_; }
  bool fits(const RunData& run) const noexcept {
    if (fragments_ < run.counters.fragments) return last_index_ < run.counters.fragments;
    return fragments_ == run.counters.fragments &&
           ring_read_ns_ == static_cast<std::uint64_t>(run.timers.ring_read.histogram.sum_ns);
  }

  /// The last write of the run is known to the nanosecond, so it decides where it is there. Nothing: the
  /// record holds neither it nor the one that started the card.
  std::optional<std::int64_t> start(const RunData& run) const noexcept {
    if (last_index_ >= 0 && last_index_ + 1 == run.counters.fragments)
      return elapsed(last_at_ns_, run.window.exposure_ns);
    return started_ns_;
  }

 private:
  const TraceHeader& header_;
  std::int64_t fragments_ = 0;
  std::uint64_t ring_read_ns_ = 0;
  std::int64_t last_index_ = -1;
  std::int64_t last_at_ns_ = 0;
  std::optional<std::int64_t> started_ns_;
};

/// Spans of one length from the card's start to the end of the run, and what the fragments say of each.
class SpanGrid {
 public:
  SpanGrid(std::int64_t start_ns, std::int64_t end_ns, std::int64_t width_ns, Frames fragment)
      : start_ns_(start_ns), end_ns_(end_ns), width_ns_(width_ns), fragment_(fragment) {
    for (std::int64_t at = 0; at < end_ns; at += width_ns)
      spans_.push_back({.start_ns = at, .end_ns = std::min(end_ns, at + width_ns)});
  }

  /// A section that took long lies in every span that it touches; what was left is known at one moment only.
  void take(const Event& event) {
    if (event.kind != EventKind::fragment) return;
    const auto& fragment = event.fragment;
    const std::int64_t ended_ns = elapsed(event.at_ns, start_ns_);
    if (ended_ns < 0 || fragment.t1_ns < 0 || fragment.t2_ns < 0)
      return;  // what filled the card is not heard
    const std::int64_t writing_ns = ended_ns - std::min(fragment.t2_ns, ended_ns);
    const std::int64_t outside_ns = std::max(fragment.t3_ns, fragment.t1_ns);
    const std::int64_t asking_ns = writing_ns - std::min(outside_ns, writing_ns);
    TimelineSpan reading{.ring_read_ns = fragment.t1_ns};
    if (fragment.t3_ns >= 0) reading.outside_ns = fragment.t3_ns;
    if (fragment.fill_frames >= 0)
      reading.ring_left_frames = std::max<std::int64_t>(0, fragment.fill_frames - fragment_);
    worsen_all(asking_ns, writing_ns, reading);
    worsen_all(writing_ns, ended_ns, {.pcm_write_ns = fragment.t2_ns});
    if (fragment.slack_frames >= 0)
      worsen_all(ended_ns, ended_ns, {.slack_left_frames = fragment.slack_frames});
  }

  /// Those about which anything is known.
  std::vector<TimelineSpan> known() const {
    std::vector<TimelineSpan> found;
    for (const auto& span : spans_) {
      if (span.ring_read_ns || span.pcm_write_ns) found.push_back(span);
    }
    return found;
  }

 private:
  std::size_t index_of(std::int64_t at_ns) const {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(at_ns, 0, end_ns_ - 1) / width_ns_);
  }
  void worsen_all(std::int64_t begin_ns, std::int64_t end_ns, const TimelineSpan& with) {
    for (std::size_t index = index_of(begin_ns); index <= index_of(end_ns); ++index)
      worsen(spans_[index], with);
  }

  std::int64_t start_ns_;
  std::int64_t end_ns_;
  std::int64_t width_ns_;
  Frames fragment_;
  std::vector<TimelineSpan> spans_;
};

[[noreturn]] void refuse_record(const std::string& shown, const std::string& what,
                                const std::string& remedy = {}) {
  throw Error(ExitCode::input_file, shown + ": " + what, remedy);
}

/// Seconds since 1970 of "2026-11-30T16:17:38.350Z"; nothing for other text.
std::optional<std::int64_t> unix_seconds(const std::string& utc) {
  std::tm time{};
  if (::strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%S", &time) == nullptr) return std::nullopt;
  return ::timegm(&time);
}

/// A replay in virtual time bears the time of what it repeats.
bool recorded_in(const RunData& run, std::int64_t unix_ns) {
  const auto begin = unix_seconds(run.start);
  const auto end = unix_seconds(run.end);
  if (run.kind != "play" || !begin || !end) return true;
  const std::int64_t second = unix_ns / kNsPerSecond;
  return second >= *begin && second <= *end;
}

void check_same_run(const TraceHeader& header, const RecordClock& clock, const std::string& shown,
                    const RunData& run) {
  const bool same = header.rate.hz > 0 && std::int64_t{header.rate.hz} == run.device.rate_hz &&
                    header.fragment == run.device.fragment_frames &&
                    header.buffer == run.device.buffer_frames && header.bound.count() == run.bound_ns &&
                    clock.fits(run) && (!header.chain || header.tracks.size() == run.inputs.size()) &&
                    recorded_in(run, header.start_unix_ns);
  if (same) return;
  refuse_record(shown, "is not the record of this run: card, tracks, time or figures differ",
                "give the files that one play wrote with --json and --record");
}

std::string lacking(const TraceReader& reader, std::int64_t fragments, const RunData& run) {
  if (!reader.fault().empty()) return reader.fault();
  const std::int64_t missing = run.counters.fragments - fragments;
  return missing > 0 ? counted(missing, "fragment") + " of " + std::to_string(run.counters.fragments) +
                           " are not in the record"
                     : "";
}

}  // namespace

PlayTimeline timeline_of_run(const RunData& run) {
  PlayTimeline timeline{.end_ns = in_a_run(run.window.exposure_ns)};
  const auto together =
      std::max<std::size_t>(1, (run.windows.size() + kMostSpans - 1) / static_cast<std::size_t>(kMostSpans));
  std::int64_t longest_ns = 0;
  std::size_t joined = 0;
  for (const auto& window : run.windows) {
    const TimelineSpan span = span_of(window);
    const bool touches = !timeline.spans.empty() && timeline.spans.back().end_ns == span.start_ns;
    if (touches && joined % together != 0) {
      timeline.spans.back().end_ns = span.end_ns;
      worsen(timeline.spans.back(), span);
    } else {
      timeline.spans.push_back(span);
      joined = 0;
    }
    ++joined;
    timeline.end_ns = std::max(timeline.end_ns, span.end_ns);
    longest_ns = std::max(longest_ns, timeline.spans.back().end_ns - timeline.spans.back().start_ns);
  }
  timeline.resolution = spoken_duration(longest_ns) + " (run file)";
  return timeline;
}

PlayTimeline timeline_of_record(const std::filesystem::path& record, const std::string& shown,
                                const RunData& run) {
  TraceReader scan(record);
  RecordClock clock(scan.header());
  while (const auto event = scan.next()) clock.take(*event);
  check_same_run(scan.header(), clock, shown, run);
  if (clock.fragments() == 0)
    refuse_record(shown, "holds no fragment" + (scan.fault().empty() ? "" : "; " + scan.fault()));
  const auto start_ns = clock.start(run);
  if (!start_ns) {
    refuse_record(
        shown, "holds neither the start of the card nor the end of the run, so its place in it is not known",
        "plot without --record");
  }
  PlayTimeline timeline{.end_ns = std::max<std::int64_t>(1, in_a_run(run.window.exposure_ns))};
  const std::int64_t fragment_ns = frames_to_duration(scan.header().fragment, scan.header().rate).count();
  const std::int64_t width_ns =
      std::max({std::int64_t{1}, 2 * fragment_ns, (timeline.end_ns + kMostSpans - 1) / kMostSpans});
  SpanGrid grid(*start_ns, timeline.end_ns, width_ns, scan.header().fragment);
  TraceReader reader(record);
  while (const auto event = reader.next()) grid.take(*event);
  timeline.spans = grid.known();
  timeline.resolution = spoken_duration(width_ns) + " (record)";
  timeline.lacks = lacking(scan, clock.fragments(), run);
  return timeline;
}

}  // namespace xrunlab
