// The fixed-size record that the real-time and the reader thread push into their event queues, and that the
// collector writes to a trace file. Times are nanoseconds of CLOCK_MONOTONIC, sizes bytes, amounts of audio
// frames.
#pragma once

#include <cstdint>
#include <type_traits>

namespace xrunlab {

enum class EventKind : std::uint8_t { fragment = 1, read = 2, starvation = 3, xrun = 4 };

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
  std::int64_t size;    ///< bytes read
  std::int64_t submitted_ns;
  std::int64_t completed_ns;
  std::uint32_t track;  ///< index from 0
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

struct Event {
  EventKind kind;
  std::int64_t at_ns;  ///< fragment: end of T2; read: completion seen; starvation and xrun: when it began
  union {
    FragmentEvent fragment;
    ReadEvent read;
    StarvationEvent starvation;
    XrunEvent xrun;
  };
};
static_assert(std::is_trivially_copyable_v<Event> && sizeof(Event) == 72);

}  // namespace xrunlab
