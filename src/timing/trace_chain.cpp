#include "xrunlab/timing/trace_chain.hpp"

#include "trace_numbers.hpp"

namespace xrunlab {
namespace {

constexpr std::uint64_t kPaced = 1;
constexpr std::uint64_t kLooping = 2;
constexpr std::uint64_t kSilence = 4;
constexpr std::uint64_t kDirect = 8;
constexpr std::uint64_t kReadsInSubmit = 16;
// Of a track.
constexpr std::uint64_t kDecoded = 1;
constexpr std::uint64_t kHasCoding = 2;
constexpr std::uint64_t kFlac = 4;

// What play can grant at the most; a header that says more is no header of ours.
constexpr std::uint64_t kMostCardFrames = std::uint64_t{1} << 28;
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 62;
constexpr std::uint64_t kMostAlignment = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostBlockBytes = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 24;
constexpr std::uint64_t kMostChannels = 1024;
constexpr std::uint64_t kMostDepth = 4096;
constexpr std::uint64_t kMostFrames = std::uint64_t{1} << 48;
constexpr std::uint64_t kMostBits = 64;

std::uint64_t flag(bool set, std::uint64_t bit) {
  return set ? bit : 0;
}

/// Reads numbers and remembers whether one was out of its range.
class ChainReader {
 public:
  explicit ChainReader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  std::int64_t number(std::uint64_t least, std::uint64_t most) noexcept {
    const auto value = take_number(rest_, wrong_);
    if (value < least || value > most) wrong_ = true;
    return wrong_ ? static_cast<std::int64_t>(least) : static_cast<std::int64_t>(value);
  }
  std::uint64_t flags() noexcept { return take_number(rest_, wrong_); }
  SampleFormat format() noexcept {
    return static_cast<SampleFormat>(number(0, static_cast<std::uint64_t>(SampleFormat::f64_be)));
  }
  void refuse_unless(bool right) noexcept { wrong_ = wrong_ || !right; }
  bool wrong() const noexcept { return wrong_; }

 private:
  std::span<const std::byte> rest_;
  bool wrong_ = false;
};

TraceCoding decode_coding(ChainReader& in, bool flac) {
  TraceCoding coding{.flac = flac};
  coding.raw_block_bytes = in.number(1, kMostBlockBytes);
  coding.raw_block_count = in.number(2, kMostBlocks);
  in.refuse_unless(coding.raw_block_bytes % kPageBytes == 0);
  const auto frames = in.number(0, kMostFrames);
  if (frames > 0) coding.frames = frames - 1;
  coding.start_frame = in.number(0, coding.frames ? static_cast<std::uint64_t>(*coding.frames) : kMostFrames);
  coding.first_block = in.number(0, kMostCardFrames);
  coding.valid_bits = static_cast<int>(in.number(0, kMostBits));
  return coding;
}

TraceTrack decode_track(ChainReader& in) {
  TraceTrack track;
  const auto flags = in.flags();
  track.decoded = (flags & kDecoded) != 0;
  track.format = in.format();
  track.channels = static_cast<int>(in.number(1, kMostChannels));
  track.data_begin = in.number(0, kMostFileBytes);
  track.data_end = in.number(static_cast<std::uint64_t>(track.data_begin), kMostFileBytes);
  track.file_bytes = in.number(static_cast<std::uint64_t>(track.data_end), kMostFileBytes);
  track.start =
      in.number(static_cast<std::uint64_t>(track.data_begin), static_cast<std::uint64_t>(track.data_end));
  track.first_end = in.number(0, static_cast<std::uint64_t>(track.data_end));
  in.refuse_unless(track.first_end == 0 || track.first_end > track.start);
  track.alignment = in.number(static_cast<std::uint64_t>(kPageBytes), kMostAlignment);
  in.refuse_unless((track.alignment & (track.alignment - 1)) == 0);
  track.block_bytes = in.number(0, kMostBlockBytes);
  track.block_count = in.number(0, kMostBlocks);
  const bool no_ring = track.block_bytes == 0 && track.block_count == 0;
  in.refuse_unless(no_ring || (track.block_bytes >= track.alignment &&
                               track.block_bytes % track.alignment == 0 && track.block_count > 1));
  if ((flags & kHasCoding) != 0) track.coding = decode_coding(in, (flags & kFlac) != 0);
  return track;
}

}  // namespace

std::vector<std::byte> encode_trace_chain(const TraceChain& chain) {
  std::vector<std::byte> out;
  const auto put = [&out](std::int64_t value) { put_number(out, static_cast<std::uint64_t>(value)); };
  put_number(out, flag(chain.paced, kPaced) | flag(chain.looping, kLooping) | flag(chain.silence, kSilence) |
                      flag(chain.direct, kDirect) | flag(chain.reads_in_submit, kReadsInSubmit));
  put(chain.period);
  put(chain.start_threshold);
  put(static_cast<std::int64_t>(chain.card_format));
  put(chain.card_channels);
  put(chain.queue_depth);
  for (const auto& track : chain.tracks) {
    const auto& coding = track.coding;
    put_number(out, flag(track.decoded, kDecoded) | flag(coding.has_value(), kHasCoding) |
                        flag(coding && coding->flac, kFlac));
    put(static_cast<std::int64_t>(track.format));
    put(track.channels);
    put(track.data_begin);
    put(track.data_end);
    put(track.file_bytes);
    put(track.start);
    put(track.first_end);
    put(track.alignment);
    put(track.block_bytes);
    put(track.block_count);
    if (!coding) continue;
    put(coding->raw_block_bytes);
    put(coding->raw_block_count);
    put(coding->frames ? *coding->frames + 1 : 0);
    put(coding->start_frame);
    put(coding->first_block);
    put(coding->valid_bits);
  }
  return out;
}

std::optional<TraceChain> decode_trace_chain(std::span<const std::byte> bytes, std::size_t tracks) {
  ChainReader in(bytes);
  TraceChain chain;
  const auto flags = in.flags();
  chain.paced = (flags & kPaced) != 0;
  chain.looping = (flags & kLooping) != 0;
  chain.silence = (flags & kSilence) != 0;
  chain.direct = (flags & kDirect) != 0;
  chain.reads_in_submit = (flags & kReadsInSubmit) != 0;
  chain.period = in.number(1, kMostCardFrames);
  chain.start_threshold = in.number(0, kMostCardFrames);
  chain.card_format = in.format();
  chain.card_channels = static_cast<int>(in.number(1, kMostChannels));
  chain.queue_depth = static_cast<int>(in.number(1, kMostDepth));
  // A track takes eleven bytes at the least, so a false number of tracks takes no memory.
  for (std::size_t index = 0; index < tracks && !in.wrong(); ++index)
    chain.tracks.push_back(decode_track(in));
  if (in.wrong()) return std::nullopt;
  return chain;
}

}  // namespace xrunlab
