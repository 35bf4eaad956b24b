// The fixed-size record that the real-time, the reader and the decoder thread push into their event queues,
// and that the collector writes to a trace file. Times are nanoseconds of CLOCK_MONOTONIC, sizes bytes,
// amounts of audio frames.
#pragma once

#include <cstdint>
#include <type_traits>

namespace xrunlab {

enum class EventKind : std::uint8_t {
  fragment = 1,
  read = 2,
  starvation = 3,
  xrun = 4,
  late_entry = 5,
  raw_wait = 6,
  input_failed = 7,
  episode = 8,
  sample = 9,
  decoded = 10,
};

/// One fragment, pushed after its write. t3_ns is −1 for the first one (no stretch outside before it).
struct FragmentEvent {
  std::int64_t index;  ///< from 0
  std::int64_t t1_ns;
  std::int64_t t2_ns;
  std::int64_t t3_ns;
  std::int64_t planned_ns;  ///< when the card had room for it: poll's return minus wake lateness; −1 when it
                            ///< did not wait
  std::int64_t fill_frames;   ///< least ring fill over the unfinished tracks just before T1; −1 with none
  std::int64_t slack_frames;  ///< left in the card after the write, beyond this fragment; −1 when unknown
};

/// One disk read, pushed when it was seen to be complete.
struct ReadEvent {
  std::int64_t offset;  ///< in the file
  std::int64_t size;    ///< bytes read; 0: it was still under way when the run ended
  std::int64_t submitted_ns;
  std::int64_t completed_ns;  ///< when it was seen, but no later than the reader had planned to look: up to
                              ///< here the time is the disk's
  std::uint32_t track;        ///< index from 0
  std::uint32_t in_flight;    ///< reads under way when it was seen, itself included
  std::int64_t fill_ns;       ///< audio left in its ring then
};

/// A starved read: the wait lasted `duration_ns` for `track`.
struct StarvationEvent {
  std::int64_t duration_ns;
  std::uint32_t track;
};

/// An xrun: `dry_ns` is how long the card stood still, −1 when it cannot be known.
struct XrunEvent {
  std::int64_t dry_ns;
};

/// The reader came later than it had planned; at_ns is when it came.
struct LateEntryEvent {
  std::int64_t planned_ns;
};

/// A coded track had room for `duration_ns`, but no raw bytes to decode; at_ns is the end of that.
struct RawWaitEvent {
  std::int64_t duration_ns;
  std::uint32_t track;
};

/// A track could not be read on; at_ns is when that was seen.
struct InputFailedEvent {
  std::int64_t offset;
  std::int64_t submitted_ns;  ///< of the read that failed
  std::uint32_t track;
  std::int32_t error_number;  ///< 0: the file ended before the end that its header gave
};

/// An episode and what it was put down to; at_ns is its begin. `kind` and `cause` are the numbers of
/// EpisodeKind and Cause in model/attribution.hpp.
struct EpisodeEvent {
  std::int64_t duration_ns;
  std::int64_t track;  ///< −1: none in particular
  std::int32_t confidence_ppm;
  std::uint8_t kind;
  std::uint8_t cause;
};

/// What the machine had done to the run by then, ten times a second: counters since the threads began. −1:
/// not known.
struct SampleEvent {
  std::int64_t playback_queued_ns;  ///< ready, but not run
  std::int64_t playback_minor_faults;
  std::int64_t playback_major_faults;
  std::int64_t reader_queued_ns;
  std::int64_t decoder_queued_ns;
  std::int64_t steal_ns;      ///< the sum, over the samples, of what was taken from the CPU that lost most
  std::int64_t suspended_ns;  ///< CLOCK_BOOTTIME − CLOCK_MONOTONIC
};

/// A coded track was decoded a piece further; at_ns is the end of that. Frames and bytes count from where
/// play began, over all passes.
struct DecodedEvent {
  std::int64_t frame;  ///< its first
  std::int64_t frames;
  std::int64_t raw_begin;  ///< coded bytes taken before
  std::int64_t raw_bytes;  ///< and for this piece
  std::int64_t took_ns;    ///< since the decoder was free for it
  std::uint32_t track;
  std::uint32_t ends;  ///< DecodedEnd
};

/// What came to its end with a piece.
enum class DecodedEnd : std::uint32_t { nothing, pass, failed };

struct Event {
  EventKind kind;
  std::int64_t at_ns;  ///< fragment: end of T2; read: completion seen; starvation and xrun: when it began
  union {
    FragmentEvent fragment;
    ReadEvent read;
    StarvationEvent starvation;
    XrunEvent xrun;
    LateEntryEvent late_entry;
    RawWaitEvent raw_wait;
    InputFailedEvent input_failed;
    EpisodeEvent episode;
    SampleEvent sample;
    DecodedEvent decoded;
  };
};
static_assert(std::is_trivially_copyable_v<Event> && sizeof(Event) == 72);

}  // namespace xrunlab
