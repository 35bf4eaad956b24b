// The trace reader and its CSV. An input is read as it is, and once more with its checksums put right: else
// hardly one would get beyond them.

#include <sys/mman.h>
#include <unistd.h>

#include <ostream>
#include <streambuf>

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/report/trace_csv.hpp"
#include "xrunlab/timing/trace_reader.hpp"

namespace xrunlab::fuzz::trace {
namespace {

// A chunk twice while its buffer grows, and the rows of the CSV.
constexpr std::size_t kMostHeld = std::size_t{1} << 20;

class Nowhere final : public std::streambuf {
  int_type overflow(int_type letter) override { return traits_type::not_eof(letter); }
  std::streamsize xsputn(const char*, std::streamsize count) override { return count; }
};

std::string path_of(std::string_view bytes) {
  static const UniqueFd fd(::memfd_create("trace_fuzz", MFD_CLOEXEC));
  require(fd && ::ftruncate(fd.get(), 0) == 0 &&
              ::pwrite(fd.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
          "cannot make a file in memory");
  return "/proc/self/fd/" + std::to_string(fd.get());
}

void read_all(std::string_view bytes) {
  const std::string path = path_of(bytes);
  Nowhere nowhere;
  std::ostream out(&nowhere);
  const AllocationLimit limit(kMostHeld + 16 * bytes.size());
  refusal_of(ExitCode::input_file, [&] {
    TraceReader reader(path);
    const CsvOutcome outcome = write_trace_csv(reader, out);
    require(outcome != CsvOutcome::output_failed, "writing nowhere failed");
    require((outcome == CsvOutcome::whole) == reader.fault().empty(), "damage that nobody hears of");
    require(reader.end().has_value() == reader.fault().empty(),
            "whole without an end, or an end in spite of damage");
    require(!reader.end() || reader.end()->events == reader.events_read(),
            "another number of events than its end says");
    require(reader.events_read() <= static_cast<std::int64_t>(bytes.size()), "more events than bytes");
    require(!reader.next(), "something behind the end");
  });
}

/// A record may be any bytes: it is refused, or it can be looked up without end.
void replay_all(std::string_view bytes) {
  const std::string path = path_of(bytes);
  const AllocationLimit limit(kMostHeld + 256 * bytes.size());
  refusal_of(ExitCode::input_file, [&] {
    const ReplayScript script = load_replay_script(path);
    require(script.reads->size() <= bytes.size(), "more reads than bytes");
    ReplayedReads reads(*script.reads, Nanoseconds{20'000'000});
    for (std::uint32_t track = 0; track < script.reads->track_count(); ++track) {
      for (Bytes at = 0; at < 16 * kPageBytes; at += kPageBytes) {
        const auto fate = reads.next(track, at, at + kPageBytes, Nanoseconds{at});
        require(fate.latency >= Nanoseconds{0}, "a read that ends before it begins");
      }
    }
    for (const auto& decoding : script.decoding) {
      if (!decoding) continue;
      Bytes before = 0;
      for (Frames frame = 0; frame < 1 << 16; frame += 1000) {
        const Bytes raw = decoding->raw_until(frame);
        require(raw >= before, "a decoder that gives bytes back");
        require(decoding->cost(frame, 1000) >= Nanoseconds{0}, "decoding that ends before it begins");
        before = raw;
      }
    }
    require(script.takes.takes.size() <= bytes.size(), "more takes than bytes");
    require(script.reads->let_run(Nanoseconds{7}) >= Nanoseconds{7}, "time that goes back");
  });
}

void put_u32(std::string& bytes, std::size_t offset, std::size_t value) {
  for (std::size_t at = 0; at < 4; ++at) bytes[offset + at] = static_cast<char>(value >> (8 * at) & 0xff);
}
std::size_t u32(const std::string& bytes, std::size_t offset) {
  std::size_t value = 0;
  for (std::size_t at = 0; at < 4; ++at) {
    value |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[offset + at])) << (8 * at);
  }
  return value;
}
std::size_t crc_of(const std::string& bytes, std::size_t offset, std::size_t size) {
  return crc32(std::as_bytes(std::span(bytes)).subspan(offset, size));
}

/// The same with sizes that fit, and with right checksums.
std::string repaired(std::string bytes) {
  constexpr std::size_t kSmallestHeader = kTraceFixedHeaderBytes + 4;
  if (bytes.size() < kSmallestHeader) return bytes;
  bytes.replace(0, kTraceMagic.size(), kTraceMagic);
  put_u32(bytes, 8, kTraceVersion);
  if (u32(bytes, 12) < kSmallestHeader || u32(bytes, 12) > bytes.size()) {
    put_u32(bytes, 12, kSmallestHeader);
    put_u32(bytes, 28, 0);
  }
  const std::size_t header = u32(bytes, 12);
  put_u32(bytes, header - 4, crc_of(bytes, 0, header - 4));
  std::size_t at = header;
  while (bytes.size() - at > kTraceChunkHeaderBytes) {
    const std::size_t left = bytes.size() - at - kTraceChunkHeaderBytes;
    if (u32(bytes, at) == 0 || u32(bytes, at) > left)
      put_u32(bytes, at, std::min(left, kTraceLargestChunkBytes));
    const std::size_t size = u32(bytes, at);
    put_u32(bytes, at + 4, crc_of(bytes, at + kTraceChunkHeaderBytes, size));
    at += kTraceChunkHeaderBytes + size;
  }
  return bytes;
}

void append_chunk(std::string& trace, const std::vector<std::byte>& payload) {
  trace.append(kTraceChunkHeaderBytes, '\0');
  put_u32(trace, trace.size() - 8, payload.size());
  put_u32(trace, trace.size() - 4, crc32(payload));
  trace.append(reinterpret_cast<const char*>(payload.data()), payload.size());
}

Event event_at(EventKind kind, std::int64_t at_ns) {
  Event event{};
  event.kind = kind;
  event.at_ns = at_ns;
  if (kind == EventKind::fragment) event.fragment = {3, 41'000, 20'800'000, -1, at_ns - 90'000, 200'000, -1};
  if (kind == EventKind::read) event.read = {44, 262'144, at_ns - 900, at_ns - 7, 1};
  if (kind == EventKind::starvation) event.starvation = {970'000'000, 0};
  if (kind == EventKind::xrun) event.xrun = {-1};
  if (kind == EventKind::late_entry) event.late_entry = {at_ns - 5'000'000};
  if (kind == EventKind::input_failed) event.input_failed = {65'536, at_ns - 900, 1, 5};
  if (kind == EventKind::episode) event.episode = {970'000'000, 0, 900'000, 0, 6};
  if (kind == EventKind::sample) event.sample = {1, 2, 3, 4, -1, 5, 0};
  if (kind == EventKind::decoded) event.decoded = {4096, 4096, 9000, 8000, 700'000, 1, 0};
  return event;
}

enum class SeedTracks { raw, coded, without_ring };

TraceChain small_chain(SeedTracks kind) {
  const TraceTrack track{.data_begin = 44,
                         .data_end = 200'044,
                         .file_bytes = 200'044,
                         .start = 44,
                         .block_bytes = 4096,
                         .block_count = 8,
                         .format = SampleFormat::s16_le};
  TraceTrack other = track;
  if (kind == SeedTracks::coded) {
    other.decoded = true;
    other.coding =
        TraceCoding{.raw_block_bytes = 4096, .raw_block_count = 8, .frames = 300'000, .flac = true};
  }
  TraceChain chain{.period = 1024, .start_threshold = 2048, .queue_depth = 4, .tracks = {track, other}};
  if (kind != SeedTracks::without_ring) return chain;
  for (auto& each : chain.tracks) each.block_bytes = each.block_count = 0;
  return chain;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> inputs;
  for (const std::int64_t events : {0, 1, 4, 10, 19, 20}) {
    const auto kind =
        events == 19 ? SeedTracks::without_ring : (events == 20 ? SeedTracks::coded : SeedTracks::raw);
    const TraceHeader header{.rate = {48'000},
                             .fragment = 1024,
                             .buffer = 2048,
                             .bound = Nanoseconds{21'333'333},
                             .start = Nanoseconds{5'000'000'000'000},
                             .start_unix_ns = 1'700'000'000'000'000'000,
                             .tracks = {"track-001.wav", "a,\"b\".wav"},
                             .chain = events == 1 ? std::nullopt : std::optional(small_chain(kind))};
    const auto bytes = encode_trace_header(header);
    std::string trace(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    TraceEncoder encoder(header.start);
    std::vector<std::byte> payload;
    for (std::int64_t index = 0; index < events; ++index) {
      encoder.append(
          event_at(static_cast<EventKind>(1 + index % 10), header.start.count() + 21'333'333 * index),
          payload);
    }
    if (events == 10) {
      append_chunk(trace, payload);
      payload.clear();
    }
    TraceEncoder::append_end({.events = events, .dropped = 2}, payload);
    append_chunk(trace, payload);
    inputs.push_back(trace);
    inputs.push_back(trace.substr(0, trace.size() - 3));
    inputs.push_back(trace + "more");
  }
  return inputs;
}

void run(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(text_of(data, size));
  read_all(bytes);
  read_all(repaired(bytes));
  replay_all(bytes);
  replay_all(repaired(bytes));
}

const Registered registered{{"trace", seeds, run}};

}  // namespace xrunlab::fuzz::trace
