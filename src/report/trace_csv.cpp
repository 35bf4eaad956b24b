#include "xrunlab/report/trace_csv.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include "xrunlab/model/attribution.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kHeadLine =
    "kind,at_ns,index,ring_read_ns,pcm_write_ns,outside_ns,planned_ns,fill_frames,slack_frames,track_index,"
    "track_name,offset_bytes,size_bytes,submitted_ns,completed_ns,duration_ns,dry_ns,in_flight,fill_ns,error,"
    "episode,cause,confidence,playback_queued_ns,playback_minor_faults,playback_major_faults,"
    "reader_queued_ns,decoder_queued_ns,steal_ns,suspended_ns\n";
constexpr std::size_t kFlushBytes = std::size_t{64} << 10;

using CsvRows = fmt::memory_buffer;

template <typename... Values>
void put(CsvRows& row, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(row), format, std::forward<Values>(values)...);
}

void put_optional(CsvRows& row, std::int64_t value) {
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
void mark_injected(CsvRows& rows, std::string_view mark) {
  rows.resize(rows.size() - 1);
  put(rows, ",{}\n", mark);
}

// Instants count from the start of the recording; unsigned, so that a nonsensical trace cannot overflow.
std::int64_t since(Nanoseconds start, std::int64_t at_ns) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(at_ns) -
                                   static_cast<std::uint64_t>(start.count()));
}

void put_track(CsvRows& row, const TraceHeader& header, std::uint32_t track) {
  put(row, ",{},{}", track, track < header.tracks.size() ? quoted(header.tracks[track]) : "");
}

/// As put_track, or two empty columns.
void put_optional_track(CsvRows& row, const TraceHeader& header, std::int64_t track) {
  if (track < 0 || track > std::int64_t{UINT32_MAX}) {
    put(row, ",,");
  } else {
    put_track(row, header, static_cast<std::uint32_t>(track));
  }
}

void put_fragment(CsvRows& row, const TraceHeader& header, const FragmentEvent& fragment) {
  put(row, ",{},{},{}", fragment.index, fragment.t1_ns, fragment.t2_ns);
  put_optional(row, fragment.t3_ns);
  if (fragment.planned_ns == -1) {
    put(row, ",");
  } else {
    put(row, ",{}", since(header.start, fragment.planned_ns));
  }
  put_optional(row, fragment.fill_frames);
  put_optional(row, fragment.slack_frames);
  put(row, ",,,,,,,,,,,,,,\n");
}

/// What was found out about the run, beside the playback thread's own records and the reads.
void put_finding(CsvRows& row, const TraceHeader& header, const Event& event) {
  switch (event.kind) {
    case EventKind::late_entry:
      put(row, ",,,,,{},,,,,,,,,,,,,,,,\n", since(header.start, event.late_entry.planned_ns));
      break;
    case EventKind::raw_wait:
      put(row, ",,,,,,,");
      put_track(row, header, event.raw_wait.track);
      put(row, ",,,,,{},,,,,,,\n", event.raw_wait.duration_ns);
      break;
    case EventKind::decoded:
      put(row, ",{},,,,,,", event.decoded.frame);
      put_track(row, header, event.decoded.track);
      put(row, ",{},{},,,{},,,,,,,\n", event.decoded.raw_begin, event.decoded.raw_bytes,
          event.decoded.took_ns);
      break;
    case EventKind::input_failed:
      put(row, ",,,,,,,");
      put_track(row, header, event.input_failed.track);
      put(row, ",{},,{},,,,,,{},,,\n", event.input_failed.offset,
          since(header.start, event.input_failed.submitted_ns), event.input_failed.error_number);
      break;
    case EventKind::episode:
      put(row, ",,,,,,,");
      put_optional_track(row, header, event.episode.track);
      put(row, ",,,,,{},,,,,{},{},{:.3f}\n", event.episode.duration_ns,
          to_string(static_cast<EpisodeKind>(event.episode.kind)),
          to_string(static_cast<Cause>(event.episode.cause)), event.episode.confidence_ppm * 1e-6);
      break;
    default:
      put(row, ",,,,,,,,,,,,,,,,,,,,,\n");
      break;
  }
}

std::string_view name_of(EventKind kind) noexcept {
  constexpr std::array<std::string_view, 11> kNames{"",        "fragment",   "read",     "starvation",
                                                    "xrun",    "late_entry", "raw_wait", "input_failed",
                                                    "episode", "sample",     "decoded"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "";
}

/// The columns that only samples have, in place of the end of the line.
void put_sample(CsvRows& row, const Event& event) {
  row.resize(row.size() - 1);
  if (event.kind != EventKind::sample) {
    put(row, ",,,,,,,\n");
    return;
  }
  const auto& sample = event.sample;
  for (const auto value :
       {sample.playback_queued_ns, sample.playback_minor_faults, sample.playback_major_faults,
        sample.reader_queued_ns, sample.decoder_queued_ns, sample.steal_ns, sample.suspended_ns}) {
    put_optional(row, value);
  }
  put(row, "\n");
}

void put_event(CsvRows& row, const TraceHeader& header, const Event& event) {
  put(row, "{},{}", name_of(event.kind), since(header.start, event.at_ns));
  switch (event.kind) {
    case EventKind::fragment:
      put_fragment(row, header, event.fragment);
      break;
    case EventKind::read:
      put(row, ",,,,,,,");
      put_track(row, header, event.read.track);
      put(row, ",{},{},{},{},,,{},{},,,,\n", event.read.offset, event.read.size,
          since(header.start, event.read.submitted_ns), since(header.start, event.read.completed_ns),
          event.read.in_flight, event.read.fill_ns);
      break;
    case EventKind::starvation:
      put(row, ",,,,,,,");
      put_track(row, header, event.starvation.track);
      put(row, ",,,,,{},,,,,,,\n", event.starvation.duration_ns);
      break;
    case EventKind::xrun:
      put(row, ",,,,,,,,,,,,,,");
      put_optional(row, event.xrun.dry_ns);
      put(row, ",,,,,,\n");
      break;
    default:
      put_finding(row, header, event);
      break;
  }
  put_sample(row, event);
}

}  // namespace

CsvOutcome write_trace_csv(TraceReader& reader, std::ostream& out) {
  CsvRows rows;
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
