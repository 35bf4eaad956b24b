// The reads of a recorded run, to be looked up when it is played again: how long each took, which failed, and
// when the reader was not let run. Made by main from a trace, which may say anything; read by the replay
// engine.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// Instants count from the card's first start; those of priming are below 0.
struct RecordedRead {
  static constexpr Nanoseconds kNever = Nanoseconds::max();

  std::uint32_t track = 0;
  Bytes begin = 0;  ///< in the file
  Bytes end = 0;
  Nanoseconds submitted{};
  Nanoseconds completed{};  ///< kNever: it was still under way when the run ended
  bool failed = false;
  int error_number = 0;  ///< of one that failed; 0: the file ended at `begin`
  friend bool operator==(const RecordedRead&, const RecordedRead&) = default;
};

/// A time in which the reader should have run, and did not.
struct RecordedDelay {
  Nanoseconds begin{};
  Nanoseconds end{};
};

class RecordedReads {
 public:
  /// Reads of tracks beyond `tracks`, and those that end before they begin, are passed over.
  RecordedReads(std::vector<RecordedRead> reads, std::size_t tracks, std::vector<RecordedDelay> delays);

  /// Those of one track, by where they begin, then by when they were submitted.
  const std::vector<RecordedRead>& of_track(std::size_t track) const { return tracks_.at(track); }
  std::size_t track_count() const noexcept { return tracks_.size(); }
  /// Ascending, disjoint.
  const std::vector<RecordedDelay>& delays() const noexcept { return delays_; }
  std::size_t size() const noexcept { return size_; }
  bool any_never_completed() const noexcept { return any_never_completed_; }

  /// The median of how long a read took: of those after the card's start, or with none of these of all; a
  /// millisecond without any.
  Nanoseconds usual() const noexcept { return usual_; }

  /// Bytes of the longest read of a track.
  Bytes longest(std::size_t track) const { return longest_.at(track); }

  /// `instant`, or the end of the delay that it falls into.
  Nanoseconds let_run(Nanoseconds instant) const noexcept;

 private:
  std::vector<std::vector<RecordedRead>> tracks_;
  std::vector<Bytes> longest_;
  std::vector<RecordedDelay> delays_;  ///< ascending, disjoint
  Nanoseconds usual_{};
  std::size_t size_ = 0;
  bool any_never_completed_ = false;
};

/// What becomes of a read of a replay.
struct ReplayedFate {
  Nanoseconds latency{};  ///< from its submission
  std::optional<Nanoseconds>
      completed;  ///< instead, when it was submitted as in the record: the instant there
  const RecordedRead* failure = nullptr;
};

/// Which reads of the record have been played, and what the next one meets. One for each replay.
class ReplayedReads {
 public:
  /// `punctual`: a read that is submitted no further from its recorded submission than this completes at the
  /// recorded instant. `reads` must outlive this.
  ReplayedReads(const RecordedReads& reads, Nanoseconds punctual);

  /// The read of [begin, end) of the file that is submitted at `now`, counted from the card's first start;
  /// without it the card has not started. A recorded read befalls the first read that touches it, and one
  /// that touches several takes as long as the longest. One that touches none takes the usual time.
  ReplayedFate next(std::uint32_t track, Bytes begin, Bytes end, std::optional<Nanoseconds> now);

 private:
  std::optional<std::size_t> nearest(std::uint32_t track, std::size_t first, Nanoseconds now) const;

  const RecordedReads& reads_;
  Nanoseconds punctual_;
  std::vector<std::vector<bool>> played_;
};

}  // namespace xrunlab
