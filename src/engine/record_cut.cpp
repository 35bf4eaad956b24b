#include "xrunlab/engine/record_cut.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/read_plan.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/timing/trace_writer.hpp"

namespace xrunlab {
namespace {

// No run lasts longer.
constexpr std::int64_t kLongestRunNs = std::int64_t{366} * 24 * 3600 * kNsPerSecond;
constexpr std::int64_t kMostFragments = std::int64_t{1} << 36;
constexpr std::int64_t kBehindNs = 2 * kNsPerSecond;
// So much after the start of the card the episode begins at the earliest: the reads of the first fragments
// are not quite as they were.
constexpr std::int64_t kAheadNs = kNsPerSecond / 2;

Bytes frame_bytes_of(const TraceTrack& track) {
  return static_cast<Bytes>(bytes_per_sample(track.format)) * track.channels;
}

/// Where the piece begins.
struct CutPlace {
  std::int64_t fragment = 0;  ///< its index in the record
  std::int64_t begin_ns = 0;  ///< when that was asked for
  Frames position = 0;        ///< frames that had been taken by then
  std::int64_t silent = 0;    ///< fragments of silence before
};

class RecordCutter {
 public:
  RecordCutter(const std::filesystem::path& from, TrackNames names) : from_(from), names_(names) {
    header_ = TraceReader(from).header();
    check_replayable(header_, printable_name(from));
  }

  RecordCut cut(const std::filesystem::path& to) {
    find_worst();
    find_place();
    return write_piece(to);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy = {}) const {
    throw Error(ExitCode::input_file, printable_name(from_) + ": " + what, remedy);
  }

  void for_each(const std::function<void(const Event&)>& take) const {
    TraceReader reader(from_);
    while (const auto event = reader.next()) {
      if (is_possible(*event)) take(*event);
    }
  }

  /// A damaged record may hold any number; what no run can have been is left out.
  bool is_possible(const Event& event) const {
    const auto near = [this](std::int64_t at_ns) {
      const auto since =
          static_cast<std::uint64_t>(at_ns) - static_cast<std::uint64_t>(header_.start.count());
      return since <= static_cast<std::uint64_t>(kLongestRunNs);
    };
    const auto in_range = [](std::int64_t value) { return value >= -1 && value <= kLongestRunNs; };
    if (!near(event.at_ns)) return false;
    switch (event.kind) {
      case EventKind::fragment:
        return in_range(event.fragment.t2_ns) && in_range(event.fragment.t3_ns) &&
               event.fragment.index >= 0 && event.fragment.index < kMostFragments;
      case EventKind::episode:
        return in_range(event.episode.duration_ns);
      default:
        return true;
    }
  }

  static std::int64_t begin_of(const Event& fragment) {
    return fragment.at_ns - fragment.fragment.t2_ns - std::max<std::int64_t>(0, fragment.fragment.t3_ns);
  }

  void find_worst() {
    bool any = false;
    for_each([&](const Event& event) {
      if (event.kind != EventKind::episode) return;
      if (any && event.episode.duration_ns <= worst_.episode.duration_ns) return;
      worst_ = event;
      any = true;
    });
    if (any) return;
    TraceReader reader(from_);
    while (reader.next()) {
    }
    if (!reader.end())
      refuse("the record is cut off before its episodes were written",
             "xrunlab replay --virtual plays what there is");
    refuse("nothing went wrong in this run: there is no episode to be cut out");
  }

  /// What is in the least full ring when no block of it is vacant.
  Frames full() const {
    Frames least = INT64_MAX;
    for (const auto& track : header_.chain->tracks) {
      const Bytes sure = track.block_bytes * (track.block_count - 1);
      least = std::min(least, sure / frame_bytes_of(track) - header_.fragment);
    }
    return std::max<Frames>(0, least);
  }

  void find_place() {
    const Frames full_frames = full();
    // The first fragments of a replay only fill the card, however long they took in the record.
    const std::int64_t ahead_ns =
        kAheadNs + frames_to_duration(header_.chain->start_threshold, header_.rate).count();
    std::int64_t silent = 0;
    bool begun = false;
    for_each([&](const Event& event) {
      if (event.kind == EventKind::starvation && header_.chain->silence) ++silent;
      if (event.kind != EventKind::fragment) return;
      const std::int64_t begin_ns = begin_of(event);
      const bool first = !begun;
      begun = true;
      const bool in_time = begin_ns + ahead_ns < worst_.at_ns;
      if (!first && (!in_time || event.fragment.fill_frames < full_frames)) return;
      if (first && event.fragment.index > 0 && event.fragment.fill_frames < full_frames) begun = false;
      place_ = {event.fragment.index, begin_ns, 0, silent};
    });
    place_.position = std::max<Frames>(0, place_.fragment - place_.silent) * header_.fragment;
  }

  /// The header of the piece: each track begins where it was, in the middle of a block.
  TraceHeader piece_header() const {
    TraceHeader header = header_;
    header.start = Nanoseconds{place_.begin_ns};
    header.start_unix_ns += place_.begin_ns - header_.start.count();
    for (std::size_t index = 0; index < header.chain->tracks.size(); ++index) {
      auto& track = header.chain->tracks[index];
      const Bytes pass = track.data_end - track.data_begin;
      Bytes into = track.start - track.data_begin + place_.position * frame_bytes_of(track);
      if (header.chain->looping && pass > 0) into %= pass;
      track.start = track.data_begin + std::min(into, pass);
      const Bytes grid = round_down(track.data_begin, track.alignment);
      const Bytes block = (track.start - grid) / track.block_bytes;
      track.first_end = std::min(grid + (block + 1) * track.block_bytes, track.data_end);
      if (track.first_end <= track.start) track.first_end = 0;
      if (names_ == TrackNames::numbers) {
        char name[32];
        std::snprintf(name, sizeof name, "track-%03zu", index + 1);
        header.tracks[index] = name;
      }
    }
    return header;
  }

  /// When what is told of began: a read that was submitted before has nothing to do in the piece.
  static std::int64_t first_instant(const Event& event) {
    if (event.kind == EventKind::read) return event.read.submitted_ns;
    if (event.kind == EventKind::late_entry) return event.late_entry.planned_ns;
    if (event.kind == EventKind::fragment) return begin_of(event);
    return event.at_ns;
  }

  RecordCut write_piece(const std::filesystem::path& to) {
    const std::int64_t end_ns = worst_.at_ns + worst_.episode.duration_ns + kBehindNs;
    const std::int64_t threshold = header_.chain->start_threshold / header_.fragment;
    TraceWriter writer(to, piece_header());
    RecordCut result{.worst = worst_.episode, .worst_at_ns = worst_.at_ns - place_.begin_ns};
    std::int64_t last_ns = place_.begin_ns;
    for_each([&](Event event) {
      if (first_instant(event) < place_.begin_ns || event.at_ns > end_ns) return;
      if (event.kind == EventKind::fragment) {
        event.fragment.index -= place_.fragment;
        if (event.fragment.index < 0) return;
        if (event.fragment.index == 0) event.fragment.t3_ns = -1;
        if (event.fragment.index == threshold - 1) result.worst_at_ns = worst_.at_ns - event.at_ns;
      }
      last_ns = std::max(last_ns, event.at_ns);
      if (!writer.add(event)) throw Error(ExitCode::system, writer.error());
    });
    if (!writer.finish(0)) throw Error(ExitCode::system, writer.error());
    result.length = Nanoseconds{last_ns - place_.begin_ns};
    result.events = writer.events();
    return result;
  }

  std::filesystem::path from_;
  TrackNames names_;
  TraceHeader header_;
  Event worst_{};
  CutPlace place_;
};

}  // namespace

RecordCut cut_worst_episode(const std::filesystem::path& from, const std::filesystem::path& to,
                            TrackNames names) {
  return RecordCutter(from, names).cut(to);
}

}  // namespace xrunlab
