// The trace file of --record, byte for byte as docs/trace-file.md describes it: constants, header, and the
// coding of one event. Used by TraceWriter and TraceReader only; no thread of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/timing/event.hpp"
#include "xrunlab/timing/trace_chain.hpp"

namespace xrunlab {

inline constexpr std::string_view kTraceMagic = "XRLTRACE";
inline constexpr std::uint16_t kTraceVersion = 4;
// 3 had nothing of what the decoder did; 2 neither chain nor samples.
inline constexpr std::uint16_t kOldestTraceVersion = 2;
inline constexpr std::size_t kTraceFixedHeaderBytes = 56;
inline constexpr std::size_t kTraceLargestHeaderBytes = std::size_t{16} << 20;
inline constexpr std::size_t kTraceChunkHeaderBytes = 8;
inline constexpr std::size_t kTraceLargestChunkBytes = std::size_t{64} << 10;  // payload
inline constexpr std::size_t kTraceLargestEventBytes = 96;                     // 9 numbers of up to 10 bytes

/// What a trace says about its run.
struct TraceHeader {
  SampleRate rate;
  Frames fragment = 0;                ///< up to 2^32 − 1
  Frames buffer = 0;                  ///< of the card, up to 2^32 − 1
  Nanoseconds bound{};                ///< of the timed sections
  Nanoseconds start{};                ///< CLOCK_MONOTONIC; the CSV counts from here
  std::int64_t start_unix_ns{};       ///< the same instant, since 1970 UTC
  std::vector<std::string> tracks{};  ///< names, in track order; cut to 65,535 bytes each
  bool fault_injected = false;        ///< the run was tormented on purpose: no measurement
  bool pieces = false;  ///< recorded with --record-last: what lies between the pieces is not in it
  /// Absent in version 2, and where not all names fit into the header.
  std::optional<TraceChain> chain{};
  friend bool operator==(const TraceHeader&, const TraceHeader&) = default;
};

/// The last record of a trace that was closed properly.
struct TraceEnd {
  std::int64_t events = 0;
  std::int64_t dropped = 0;  ///< events that found their queue full
};

/// The whole header with its checksum. Names that would make it larger than the format allows are left out.
std::vector<std::byte> encode_trace_header(const TraceHeader& header);

/// `bytes`: the whole header of a known version, its checksum included, as its own size field says. Throws
/// Error{input_file} that begins with `source`.
TraceHeader decode_trace_header(std::span<const std::byte> bytes, const std::string& source);

/// CRC-32 as in Ethernet, zip and PNG (reflected polynomial 0xEDB88320).
std::uint32_t crc32(std::span<const std::byte> bytes) noexcept;

/// Appends the events of one chunk to a buffer; times are coded against the event before, so that one
/// fragment takes some 25 bytes.
class TraceEncoder {
 public:
  explicit TraceEncoder(Nanoseconds start) noexcept : last_at_ns_(start.count()) {}
  void append(const Event& event, std::vector<std::byte>& out);
  static void append_end(const TraceEnd& end, std::vector<std::byte>& out);

 private:
  static void append_finding(const Event& event, std::vector<std::byte>& out);
  static void append_sample(const SampleEvent& sample, std::vector<std::byte>& out);

  std::int64_t last_at_ns_;
  std::int64_t last_index_ = 0;
};

/// Takes the events of one chunk apart again; never reads beyond its payload, whatever stands in it.
class TraceDecoder {
 public:
  enum class Found { event, end_record, end_of_chunk, cut, unknown_kind };

  TraceDecoder(std::span<const std::byte> payload, Nanoseconds start) noexcept
      : rest_(payload), last_at_ns_(start.count()) {}

  /// `event`: stands in `event`; `end_record`: stands in `end`; `cut`: the payload ends inside a record.
  Found next(Event& event, TraceEnd& end) noexcept;

 private:
  std::uint64_t number() noexcept;
  std::int64_t difference() noexcept;
  std::int64_t optional() noexcept;
  Found fragment(Event& event) noexcept;
  void read(Event& event) noexcept;
  void finding(Event& event) noexcept;
  void sample(Event& event) noexcept;

  std::span<const std::byte> rest_;
  bool cut_ = false;
  std::int64_t last_at_ns_;
  std::int64_t last_index_ = 0;
};

}  // namespace xrunlab
