#include "xrunlab/timing/trace_format.hpp"

#include <algorithm>
#include <array>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::uint8_t kEndKind = 0;
constexpr std::uint16_t kFaultInjected = 1;  // bit of the header's flags

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t value = 0; value < 256; ++value) {
    std::uint32_t crc = value;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? (crc >> 1) ^ 0xEDB88320U : crc >> 1;
    table[value] = crc;
  }
  return table;
}
constexpr auto kCrcTable = make_crc_table();

// Differences wrap: a damaged file must not lead into undefined overflow.
std::int64_t wrapping_add(std::int64_t left, std::int64_t right) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right));
}
std::int64_t wrapping_subtract(std::int64_t left, std::int64_t right) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) - static_cast<std::uint64_t>(right));
}

void put_fixed(std::vector<std::byte>& out, std::uint64_t value, int size) {
  for (int at = 0; at < size; ++at) out.push_back(static_cast<std::byte>(value >> (8 * at)));
}

std::uint64_t get_fixed(std::span<const std::byte> bytes, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t at = 0; at < size; ++at) {
    value |= static_cast<std::uint64_t>(bytes[offset + at]) << (8 * at);
  }
  return value;
}

void put_number(std::vector<std::byte>& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<std::byte>((value & 0x7F) | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<std::byte>(value));
}

void put_difference(std::vector<std::byte>& out, std::int64_t left, std::int64_t right) {
  const std::int64_t value = wrapping_subtract(left, right);
  put_number(out, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

// A value from −1 on: −1, "none", takes one byte.
void put_optional(std::vector<std::byte>& out, std::int64_t value) {
  put_number(out, static_cast<std::uint64_t>(value) + 1);
}

std::uint64_t clamp_u32(std::int64_t value) {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(value, 0, UINT32_MAX));
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) noexcept {
  std::uint32_t crc = ~0U;
  for (const auto byte : bytes)
    crc = kCrcTable[(crc ^ static_cast<std::uint32_t>(byte)) & 0xFFU] ^ (crc >> 8);
  return ~crc;
}

std::vector<std::byte> encode_trace_header(const TraceHeader& header) {
  std::vector<std::byte> names;
  std::uint32_t count = 0;
  for (const auto& track : header.tracks) {
    const std::string_view name = std::string_view(track).substr(0, UINT16_MAX);
    if (kTraceFixedHeaderBytes + names.size() + 2 + name.size() + 4 > kTraceLargestHeaderBytes) break;
    put_fixed(names, name.size(), 2);
    for (const char letter : name) names.push_back(static_cast<std::byte>(letter));
    ++count;
  }
  std::vector<std::byte> out;
  for (const char letter : kTraceMagic) out.push_back(static_cast<std::byte>(letter));
  put_fixed(out, kTraceVersion, 2);
  put_fixed(out, header.fault_injected ? kFaultInjected : 0U, 2);
  put_fixed(out, kTraceFixedHeaderBytes + names.size() + 4, 4);
  put_fixed(out, header.rate.hz, 4);
  put_fixed(out, clamp_u32(header.fragment), 4);
  put_fixed(out, clamp_u32(header.buffer), 4);
  put_fixed(out, count, 4);
  put_fixed(out, static_cast<std::uint64_t>(header.bound.count()), 8);
  put_fixed(out, static_cast<std::uint64_t>(header.start.count()), 8);
  put_fixed(out, static_cast<std::uint64_t>(header.start_unix_ns), 8);
  out.insert(out.end(), names.begin(), names.end());
  put_fixed(out, crc32(out), 4);
  return out;
}

TraceHeader decode_trace_header(std::span<const std::byte> bytes, const std::string& source) {
  const auto damaged = [&source] {
    return Error(ExitCode::input_file, source + ": the header of this trace is damaged");
  };
  if (bytes.size() < kTraceFixedHeaderBytes + 4) throw damaged();
  const std::size_t body = bytes.size() - 4;
  if (get_fixed(bytes, body, 4) != crc32(bytes.first(body))) throw damaged();
  TraceHeader header;
  header.fault_injected = (get_fixed(bytes, 10, 2) & kFaultInjected) != 0;
  header.rate.hz = static_cast<std::uint32_t>(get_fixed(bytes, 16, 4));
  header.fragment = static_cast<Frames>(get_fixed(bytes, 20, 4));
  header.buffer = static_cast<Frames>(get_fixed(bytes, 24, 4));
  const auto tracks = get_fixed(bytes, 28, 4);
  header.bound = Nanoseconds{static_cast<std::int64_t>(get_fixed(bytes, 32, 8))};
  header.start = Nanoseconds{static_cast<std::int64_t>(get_fixed(bytes, 40, 8))};
  header.start_unix_ns = static_cast<std::int64_t>(get_fixed(bytes, 48, 8));
  std::size_t offset = kTraceFixedHeaderBytes;
  for (std::uint64_t track = 0; track < tracks; ++track) {
    if (body - offset < 2) throw damaged();
    const auto size = static_cast<std::size_t>(get_fixed(bytes, offset, 2));
    offset += 2;
    if (body - offset < size) throw damaged();
    header.tracks.emplace_back(reinterpret_cast<const char*>(bytes.data() + offset), size);
    offset += size;
  }
  if (offset != body) throw damaged();
  return header;
}

void TraceEncoder::append(const Event& event, std::vector<std::byte>& out) {
  out.push_back(static_cast<std::byte>(event.kind));
  put_difference(out, event.at_ns, last_at_ns_);
  last_at_ns_ = event.at_ns;
  switch (event.kind) {
    case EventKind::fragment: {
      const auto& fragment = event.fragment;
      put_difference(out, fragment.index, last_index_);
      last_index_ = fragment.index;
      put_number(out, static_cast<std::uint64_t>(fragment.t1_ns));
      put_number(out, static_cast<std::uint64_t>(fragment.t2_ns));
      put_optional(out, fragment.t3_ns);
      put_optional(out, fragment.planned_ns < 0
                            ? -1
                            : std::max<std::int64_t>(0, wrapping_subtract(event.at_ns, fragment.planned_ns)));
      put_optional(out, fragment.fill_frames);
      put_optional(out, fragment.slack_frames);
      break;
    }
    case EventKind::read:
      put_number(out, event.read.track);
      put_number(out, static_cast<std::uint64_t>(event.read.offset));
      put_number(out, static_cast<std::uint64_t>(event.read.size));
      put_difference(out, event.at_ns, event.read.completed_ns);
      put_difference(out, event.read.completed_ns, event.read.submitted_ns);
      break;
    case EventKind::starvation:
      put_number(out, event.starvation.track);
      put_number(out, static_cast<std::uint64_t>(event.starvation.duration_ns));
      break;
    case EventKind::xrun:
      put_optional(out, event.xrun.dry_ns);
      break;
  }
}

void TraceEncoder::append_end(const TraceEnd& end, std::vector<std::byte>& out) {
  out.push_back(std::byte{kEndKind});
  put_number(out, static_cast<std::uint64_t>(end.events));
  put_number(out, static_cast<std::uint64_t>(end.dropped));
}

std::uint64_t TraceDecoder::number() noexcept {
  std::uint64_t value = 0;
  for (std::size_t at = 0; at < 10; ++at) {
    if (at == rest_.size()) break;
    const auto byte = static_cast<std::uint64_t>(rest_[at]);
    value |= (byte & 0x7F) << (7 * at);
    if ((byte & 0x80) == 0) {
      rest_ = rest_.subspan(at + 1);
      return value;
    }
  }
  cut_ = true;
  return 0;
}

std::int64_t TraceDecoder::difference() noexcept {
  const auto folded = number();
  return static_cast<std::int64_t>((folded >> 1) ^ (~(folded & 1) + 1));
}

TraceDecoder::Found TraceDecoder::fragment(Event& event) noexcept {
  const auto optional = [this] { return wrapping_subtract(static_cast<std::int64_t>(number()), 1); };
  auto& fragment = event.fragment;
  fragment = {};
  fragment.index = last_index_ = wrapping_add(last_index_, difference());
  fragment.t1_ns = static_cast<std::int64_t>(number());
  fragment.t2_ns = static_cast<std::int64_t>(number());
  fragment.t3_ns = optional();
  const auto before_end = optional();
  fragment.planned_ns = before_end == -1 ? -1 : wrapping_subtract(event.at_ns, before_end);
  fragment.fill_frames = optional();
  fragment.slack_frames = optional();
  return cut_ ? Found::cut : Found::event;
}

TraceDecoder::Found TraceDecoder::next(Event& event, TraceEnd& end) noexcept {
  if (cut_) return Found::cut;
  if (rest_.empty()) return Found::end_of_chunk;
  const auto kind = static_cast<std::uint8_t>(rest_.front());
  rest_ = rest_.subspan(1);
  if (kind == kEndKind) {
    end.events = static_cast<std::int64_t>(number());
    end.dropped = static_cast<std::int64_t>(number());
    return cut_ ? Found::cut : Found::end_record;
  }
  if (kind > static_cast<std::uint8_t>(EventKind::xrun)) return Found::unknown_kind;
  event.kind = static_cast<EventKind>(kind);
  event.at_ns = last_at_ns_ = wrapping_add(last_at_ns_, difference());
  switch (event.kind) {
    case EventKind::fragment:
      return fragment(event);
    case EventKind::read: {
      event.read = {};
      event.read.track = static_cast<std::uint32_t>(number());
      event.read.offset = static_cast<std::int64_t>(number());
      event.read.size = static_cast<std::int64_t>(number());
      event.read.completed_ns = wrapping_subtract(event.at_ns, difference());
      event.read.submitted_ns = wrapping_subtract(event.read.completed_ns, difference());
      break;
    }
    case EventKind::starvation:
      event.starvation = {};
      event.starvation.track = static_cast<std::uint32_t>(number());
      event.starvation.duration_ns = static_cast<std::int64_t>(number());
      break;
    case EventKind::xrun:
      event.xrun.dry_ns = wrapping_subtract(static_cast<std::int64_t>(number()), 1);
      break;
  }
  return cut_ ? Found::cut : Found::event;
}

}  // namespace xrunlab
