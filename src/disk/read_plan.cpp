#include "xrunlab/disk/read_plan.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kLargestAutoBlock = 256 * 1024;
constexpr Bytes kLargestBlock = 64 * 1024 * 1024;
constexpr std::int64_t kLeastBlocks = 4;
constexpr std::int64_t kLeastFragments = 2;

Bytes auto_block_bytes(Bytes ring_bytes) {
  const auto most = std::min<Bytes>(kLargestAutoBlock, ring_bytes / 8);
  return std::max<Bytes>(
      kPageBytes, static_cast<Bytes>(std::bit_floor(static_cast<std::uint64_t>(std::max<Bytes>(most, 1)))));
}

void check_io_size(Bytes io_size, Bytes ring_bytes) {
  const std::string given = "--io-size " + std::to_string(io_size) + " bytes";
  if (io_size % kPageBytes != 0 || io_size <= 0) {
    throw Error(ExitCode::usage, given + " is not a multiple of " + std::to_string(kPageBytes) + " bytes",
                "give a multiple of 4KiB, such as 64KiB, or auto");
  }
  if (io_size > kLargestBlock)
    throw Error(ExitCode::usage, given + " is more than 64 MiB", "give a smaller one, or auto");
  if (io_size * kLeastBlocks > ring_bytes) {
    throw Error(ExitCode::usage,
                given + " leaves fewer than " + std::to_string(kLeastBlocks) + " blocks in a ring of " +
                    std::to_string(ring_bytes) + " bytes a track (" + std::to_string(kLeastBlocks) + " x " +
                    std::to_string(io_size) + " = " + std::to_string(io_size * kLeastBlocks) + ")",
                "give a longer --ring or a smaller --io-size");
  }
}

}  // namespace

RingGeometry plan_ring(const RingRequest& request) {
  const Bytes asked = request.ring * request.frame_bytes;
  if (request.io_size) check_io_size(*request.io_size, asked);
  const Bytes block = request.io_size.value_or(auto_block_bytes(asked));
  const Bytes two_fragments = kLeastFragments * request.fragment * request.frame_bytes;
  const Bytes wanted = std::max(asked, two_fragments);
  std::int64_t count = std::max(kLeastBlocks, round_up(wanted, block) / block);
  if (request.pass_bytes && *request.pass_bytes > 0 && *request.pass_bytes < two_fragments) {
    // Each pass over a short file ends in a partly filled block; one more block for the unaligned start.
    const std::int64_t blocks_a_pass = round_up(*request.pass_bytes, block) / block + 1;
    const std::int64_t passes = round_up(two_fragments, *request.pass_bytes) / *request.pass_bytes;
    count = std::max(count, passes * blocks_a_pass + 1);
  } else if (request.pass_bytes) {
    // Two fragments may meet the end of one pass: a partly filled block, and one for the unaligned start of
    // the next.
    count = std::max(count, round_up(two_fragments, block) / block + 2);
  }
  return {block, count};
}

ReadCursor::ReadCursor(DataExtent extent, Bytes block_bytes, Bytes alignment, Looping looping) noexcept
    : extent_(extent),
      block_bytes_(block_bytes),
      alignment_(alignment),
      looping_(looping),
      position_(extent.begin) {}

bool ReadCursor::at_end() const noexcept {
  return position_ >= extent_.end;
}

std::optional<PlannedRead> ReadCursor::next() noexcept {
  if (at_end()) return std::nullopt;
  const Bytes offset = round_down(position_, alignment_);
  const Bytes end = std::min(offset + block_bytes_, extent_.end);
  PlannedRead read{
      .offset = offset,
      .size = static_cast<std::uint32_t>(round_up(end - offset, alignment_)),
      .begin = static_cast<std::uint32_t>(position_ - offset),
      .end = static_cast<std::uint32_t>(end - offset),
  };
  planned_ += end - position_;
  position_ = end;
  if (at_end()) {
    if (looping_ == Looping::forever) {
      position_ = extent_.begin;
    } else {
      read.last = true;
    }
  }
  return read;
}

}  // namespace xrunlab
