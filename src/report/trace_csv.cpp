#include "xrunlab/report/trace_csv.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

namespace xrunlab {
namespace {

constexpr std::string_view kHeadLine =
    "kind,at_ns,index,ring_read_ns,pcm_write_ns,outside_ns,planned_ns,fill_frames,slack_frames,track_index,"
    "track_name,offset_bytes,size_bytes,submitted_ns,completed_ns,duration_ns,dry_ns\n";
constexpr std::size_t kFlushBytes = std::size_t{64} << 10;

using Row = fmt::memory_buffer;

template <typename... Values>
void put(Row& row, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(row), format, std::forward<Values>(values)...);
}

void put_optional(Row& row, std::int64_t value) {
  if (value < 0) {
    put(row, ",");
  } else {
    put(row, ",{}", value);
  }
}

// As RFC 4180 has it: quoted when it must be, quotes doubled.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char letter : text) {
    out += letter;
    if (letter == '"') out += letter;
  }
  return out + "\"";
}

/// In each line: a row that was copied out of the rest still says so.
void mark_injected(Row& rows, std::string_view mark) {
  rows.resize(rows.size() - 1);
  put(rows, ",{}\n", mark);
}

// Instants count from the start of the recording; unsigned, so that a nonsensical trace cannot overflow.
std::int64_t since(Nanoseconds start, std::int64_t at_ns) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(at_ns) -
                                   static_cast<std::uint64_t>(start.count()));
}

void put_track(Row& row, const TraceHeader& header, std::uint32_t track) {
  put(row, ",{},{}", track, track < header.tracks.size() ? quoted(header.tracks[track]) : "");
}

void put_event(Row& row, const TraceHeader& header, const Event& event) {
  const auto at = since(header.start, event.at_ns);
  switch (event.kind) {
    case EventKind::fragment: {
      const auto& fragment = event.fragment;
      put(row, "fragment,{},{},{},{}", at, fragment.index, fragment.t1_ns, fragment.t2_ns);
      put_optional(row, fragment.t3_ns);
      if (fragment.planned_ns == -1) {
        put(row, ",");
      } else {
        put(row, ",{}", since(header.start, fragment.planned_ns));
      }
      put_optional(row, fragment.fill_frames);
      put_optional(row, fragment.slack_frames);
      put(row, ",,,,,,,,\n");
      break;
    }
    case EventKind::read:
      put(row, "read,{},,,,,,,", at);
      put_track(row, header, event.read.track);
      put(row, ",{},{},{},{},,\n", event.read.offset, event.read.size,
          since(header.start, event.read.submitted_ns), since(header.start, event.read.completed_ns));
      break;
    case EventKind::starvation:
      put(row, "starvation,{},,,,,,,", at);
      put_track(row, header, event.starvation.track);
      put(row, ",,,,,{},\n", event.starvation.duration_ns);
      break;
    case EventKind::xrun:
      put(row, "xrun,{},,,,,,,,,,,,,,", at);
      put_optional(row, event.xrun.dry_ns);
      put(row, "\n");
      break;
  }
}

}  // namespace

CsvOutcome write_trace_csv(TraceReader& reader, std::ostream& out) {
  Row rows;
  put(rows, "{}", kHeadLine);
  const bool injected = reader.header().fault_injected;
  if (injected) mark_injected(rows, "fault_injected");
  const auto flush = [&rows, &out] {
    out.write(rows.data(), static_cast<std::streamsize>(rows.size()));
    rows.clear();
    return static_cast<bool>(out);
  };
  while (const auto event = reader.next()) {
    put_event(rows, reader.header(), *event);
    if (injected) mark_injected(rows, "1");
    if (rows.size() >= kFlushBytes && !flush()) return CsvOutcome::output_failed;
  }
  if (!flush() || !out.flush()) return CsvOutcome::output_failed;
  return reader.fault().empty() ? CsvOutcome::whole : CsvOutcome::trace_damaged;
}

}  // namespace xrunlab
