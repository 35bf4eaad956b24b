#include "xrunlab/engine/record_cut.hpp"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <functional>
#include <optional>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/read_plan.hpp"
#include "xrunlab/engine/recorded_work.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/timing/trace_writer.hpp"

namespace xrunlab {
namespace {

// No run lasts longer.
constexpr std::int64_t kLongestRunNs = std::int64_t{366} * 24 * 3600 * kNsPerSecond;
constexpr std::int64_t kMostFragments = std::int64_t{1} << 36;
constexpr std::int64_t kBehindNs = 2 * kNsPerSecond;
// So much before the rings began to empty the piece begins: what the card held is played, and the reads of
// its first fragments are not quite as they were.
constexpr std::int64_t kAheadNs = kNsPerSecond / 2;

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
      case EventKind::decoded:
        return in_range(event.decoded.frame) && in_range(event.decoded.frames) &&
               in_range(event.decoded.raw_begin) && in_range(event.decoded.raw_bytes);
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
  /// Without rings they are full of nothing: any place will do.
  Frames full() const {
    if (!has_rings(*header_.chain)) return 0;
    Frames least = INT64_MAX;
    for (const auto& track : header_.chain->tracks) {
      const Bytes sure = track.block_bytes * (track.block_count - 1);
      least = std::min(least, sure / played_frame_bytes(track) - header_.fragment);
    }
    return std::max<Frames>(0, least);
  }

  /// Half a second before the last moment at which the rings were as full as they ever were since the run, or
  /// the piece of it that holds the episode, began: from then on they emptied.
  void find_place() {
    const Frames full_frames = full();
    std::int64_t silent = 0;
    std::int64_t last_index = -1;
    CodedPieces pieces(*header_.chain);
    for_each([&](const Event& event) {
      if (event.kind == EventKind::decoded) pieces.add(event.decoded);
      if (event.kind == EventKind::starvation && header_.chain->silence) ++silent;
      if (event.kind != EventKind::fragment) return;
      const std::int64_t index = event.fragment.index;
      const bool begins = last_index < 0 || (header_.pieces && index != last_index + 1);
      last_index = index;
      // Before the first fragment all rings were filled.
      const Frames fill =
          index == 0 ? full_frames : std::clamp<Frames>(event.fragment.fill_frames, 0, full_frames);
      consider({index, begin_of(event), 0, silent}, fill, begins);
    });
    place_.position = std::max<Frames>(0, place_.fragment - place_.silent) * header_.fragment;
    decoding_ = pieces.finish();
  }

  /// The first fragments of a replay only fill the card, however long they took in the record.
  std::int64_t ahead_ns() const {
    return kAheadNs + frames_to_duration(header_.chain->start_threshold, header_.rate).count();
  }

  void consider(const CutPlace& place, Frames fill, bool begins) {
    if (place.begin_ns >= worst_.at_ns && fullest_ >= 0) return;
    const bool in_time = place.begin_ns + ahead_ns() < worst_.at_ns;
    if (begins || (in_time && fill > fullest_)) {
      place_ = place;
      fullest_ = fill;
      full_places_.clear();
    }
    if (fill < fullest_) return;
    full_places_.push_back(place);
    for (; full_places_.front().begin_ns + ahead_ns() <= place.begin_ns; full_places_.pop_front())
      place_ = full_places_.front();
  }

  /// The header of the piece: each track begins where it was, in the middle of a block.
  TraceHeader piece_header() const {
    TraceHeader header = header_;
    header.start = Nanoseconds{place_.begin_ns};
    header.start_unix_ns += place_.begin_ns - header_.start.count();
    header.pieces = false;
    for (std::size_t index = 0; index < header.chain->tracks.size(); ++index) {
      auto& track = header.chain->tracks[index];
      const Bytes pass = track.data_end - track.data_begin;
      Bytes into = track.start - track.data_begin + bytes_before(index);
      if (header.chain->looping && pass > 0) into %= pass;
      track.start = track.data_begin + std::min(into, pass);
      track.first_end = end_of_block(track);
      if (track.coding) begin_in_the_middle(index, track);
      if (names_ == TrackNames::numbers) {
        char name[32];
        std::snprintf(name, sizeof name, "track-%03zu", index + 1);
        header.tracks[index] = name;
      }
    }
    return header;
  }

  /// Of the file, by the frames that had been taken.
  Bytes bytes_before(std::size_t index) const {
    const auto& track = header_.chain->tracks[index];
    if (track.coding) return decoding_[index]->raw_until(place_.position);
    return place_.position * played_frame_bytes(track);
  }

  /// Blocks of decoded audio end where they ended.
  void begin_in_the_middle(std::size_t index, TraceTrack& track) const {
    auto& coding = *track.coding;
    const Frames block = track.block_bytes / played_frame_bytes(track);
    const Frames first = coding.first_block > 0 ? coding.first_block : block;
    const Frames behind_first = place_.position - first;
    const Frames left = behind_first < 0 ? -behind_first : block - behind_first % block;
    coding.first_block = left == block ? 0 : left;
    coding.start_frame += place_.position;
    const auto& frames = decoding_[index]->pass().frames;
    coding.frames = frames;
    if (header_.chain->looping && frames && *frames > 0) coding.start_frame %= *frames;
    if (frames) coding.start_frame = std::min(coding.start_frame, *frames);
  }

  /// A piece that lies behind the place, or what of it does, counted from there; false when nothing does.
  /// What was in the rings by then is decoded when the piece of the record begins.
  bool cut_decoded(Event& event) const {
    auto& decoded = event.decoded;
    if (decoded.track >= decoding_.size() || !decoding_[decoded.track]) return false;
    const Frames end = decoded.frame + decoded.frames;
    if (end < place_.position || (end == place_.position && decoded.frames > 0)) return false;
    const Bytes raw_end = decoded.raw_begin + decoded.raw_bytes;
    const Bytes raw_before = bytes_before(decoded.track);
    decoded.frame = std::max<Frames>(0, decoded.frame - place_.position);
    decoded.raw_begin = std::max<Bytes>(0, decoded.raw_begin - raw_before);
    decoded.frames = end - place_.position - decoded.frame;
    decoded.raw_bytes = std::max<Bytes>(0, raw_end - raw_before - decoded.raw_begin);
    event.at_ns = std::max(event.at_ns, place_.begin_ns);
    return true;
  }

  /// Where the block ends in which the track begins; 0 when it begins with one.
  static Bytes end_of_block(const TraceTrack& track) {
    const Bytes size = track.coding ? track.coding->raw_block_bytes : track.block_bytes;
    if (size == 0) return 0;
    const Bytes grid = round_down(track.data_begin, track.alignment);
    const Bytes block = (track.start - grid) / size;
    const Bytes end = std::min(grid + (block + 1) * size, track.data_end);
    return end <= track.start ? 0 : end;
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
      if (event.kind == EventKind::decoded && !cut_decoded(event)) return;
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
  Frames fullest_ = -1;               ///< that the rings were; −1: no fragment yet
  std::deque<CutPlace> full_places_;  ///< at which they were so, of the last half second
  std::vector<std::shared_ptr<const RecordedDecoding>> decoding_;
};

}  // namespace

RecordCut cut_worst_episode(const std::filesystem::path& from, const std::filesystem::path& to,
                            TrackNames names) {
  return RecordCutter(from, names).cut(to);
}

}  // namespace xrunlab
