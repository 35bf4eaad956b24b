#include "xrunlab/timing/trace_format.hpp"

#include <algorithm>
#include <array>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

// Bits of the header's flags.
constexpr std::uint16_t kFaultInjected = 1;
constexpr std::uint16_t kPieces = 2;

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
    if (kTraceFixedHeaderBytes + names.size() + 2 + name.size() + 4 + 4 > kTraceLargestHeaderBytes) break;
    put_fixed(names, name.size(), 2);
    for (const char letter : name) names.push_back(static_cast<std::byte>(letter));
    ++count;
  }
  std::vector<std::byte> chain;
  if (header.chain && count == header.chain->tracks.size()) chain = encode_trace_chain(*header.chain);
  if (kTraceFixedHeaderBytes + names.size() + 4 + chain.size() + 4 > kTraceLargestHeaderBytes) chain.clear();
  std::vector<std::byte> out;
  for (const char letter : kTraceMagic) out.push_back(static_cast<std::byte>(letter));
  put_fixed(out, kTraceVersion, 2);
  put_fixed(out, (header.fault_injected ? kFaultInjected : 0U) | (header.pieces ? kPieces : 0U), 2);
  put_fixed(out, kTraceFixedHeaderBytes + names.size() + 4 + chain.size() + 4, 4);
  put_fixed(out, header.rate.hz, 4);
  put_fixed(out, clamp_u32(header.fragment), 4);
  put_fixed(out, clamp_u32(header.buffer), 4);
  put_fixed(out, count, 4);
  put_fixed(out, static_cast<std::uint64_t>(header.bound.count()), 8);
  put_fixed(out, static_cast<std::uint64_t>(header.start.count()), 8);
  put_fixed(out, static_cast<std::uint64_t>(header.start_unix_ns), 8);
  out.insert(out.end(), names.begin(), names.end());
  put_fixed(out, chain.size(), 4);
  out.insert(out.end(), chain.begin(), chain.end());
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
  header.pieces = (get_fixed(bytes, 10, 2) & kPieces) != 0;
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
  if (get_fixed(bytes, 8, 2) > kOldestTraceVersion) {
    if (body - offset < 4) throw damaged();
    const auto size = static_cast<std::size_t>(get_fixed(bytes, offset, 4));
    offset += 4;
    if (body - offset < size) throw damaged();
    if (size > 0) {
      header.chain = decode_trace_chain(bytes.subspan(offset, size), header.tracks.size());
      if (!header.chain) throw damaged();
    }
    offset += size;
  }
  if (offset != body) throw damaged();
  return header;
}

}  // namespace xrunlab
