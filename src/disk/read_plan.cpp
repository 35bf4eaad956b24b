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
// 100 mono frames of 24 bits, in a page each, take 13.7 times their own bytes.
constexpr Bytes kMostTimesAsked = 16;

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

bool is_looped(const std::optional<LoopedFile>& looped) {
  return looped && looped->extent.end > looped->extent.begin;
}

/// The least that is no smaller than one pass.
Bytes block_for_pass(const LoopedFile& looped) {
  const Bytes span =
      round_up(looped.extent.end, looped.alignment) - round_down(looped.extent.begin, looped.alignment);
  return static_cast<Bytes>(std::bit_ceil(static_cast<std::uint64_t>(span)));
}

}  // namespace

// A read does not reach from the end of a file to its beginning, where the bytes are aligned otherwise: a
// pass leaves its first and its last block partly filled. A ring of such blocks holds less than its size, and
// what it lacks for ever must not count as used up.
RingContent content_of(const RingGeometry& ring, const std::optional<LoopedFile>& looped) noexcept {
  if (!is_looped(looped)) return {ring.bytes(), ring.block_bytes};
  const Bytes pass = looped->extent.end - looped->extent.begin;
  const Bytes first = std::min(pass, ring.block_bytes - looped->extent.begin % looped->alignment);
  const std::int64_t blocks_a_pass = 1 + round_up(pass - first, ring.block_bytes) / ring.block_bytes;
  const Bytes last = blocks_a_pass == 1 ? first : pass - first - (blocks_a_pass - 2) * ring.block_bytes;
  // Blocks beyond whole passes hold the least where one pass ends and the next begins.
  const std::int64_t others = ring.block_count % blocks_a_pass;
  const Bytes in_others = others == 0   ? 0
                          : others == 1 ? std::min(first, last)
                                        : first + last + (others - 2) * ring.block_bytes;
  return {ring.block_count / blocks_a_pass * pass + in_others, std::min(pass, ring.block_bytes)};
}

std::optional<LeastRing> enlarged_to(const RingRequest& request) {
  const Bytes asked = request.ring * request.frame_bytes;
  const Bytes block = request.io_size.value_or(auto_block_bytes(asked));
  const LeastRing least{
      std::max(kLeastBlocks * block / request.frame_bytes, kLeastFragments * request.fragment),
      std::to_string(kLeastBlocks) + " reads of " + std::to_string(block) + " bytes, " +
          std::to_string(kLeastFragments) + " fragments of " + std::to_string(request.fragment) + " frames"};
  if (request.ring >= least.frames) return std::nullopt;
  return least;
}

RingGeometry plan_ring(const RingRequest& request) {
  const Bytes asked = request.ring * request.frame_bytes;
  if (request.io_size) check_io_size(*request.io_size, asked);
  Bytes block = request.io_size.value_or(auto_block_bytes(asked));
  if (!request.io_size && is_looped(request.looped)) block = std::min(block, block_for_pass(*request.looped));
  const Bytes two_fragments = kLeastFragments * request.fragment * request.frame_bytes;
  const Bytes wanted = std::max(asked, two_fragments);
  RingGeometry ring{block, std::max(kLeastBlocks, round_up(wanted, block) / block)};
  const std::int64_t most = kMostTimesAsked * wanted / block;
  for (;; ++ring.block_count) {
    const Bytes least = content_of(ring, request.looped).least;
    if (least >= wanted || (least >= two_fragments && ring.block_count >= most)) return ring;
  }
}

ReadCursor::ReadCursor(DataExtent extent, Bytes block_bytes, Bytes alignment, Looping looping,
                       std::optional<FirstRead> first) noexcept
    : extent_(extent),
      block_bytes_(block_bytes),
      alignment_(alignment),
      looping_(looping),
      position_(first ? first->begin : extent.begin),
      first_end_(first ? first->end : 0) {}

bool ReadCursor::at_end() const noexcept {
  return position_ >= extent_.end;
}

std::optional<PlannedRead> ReadCursor::next() noexcept {
  if (at_end()) return std::nullopt;
  const Bytes offset = round_down(position_, alignment_);
  Bytes end = std::min(offset + block_bytes_, extent_.end);
  if (first_end_ > position_) end = std::min(end, first_end_);
  first_end_ = 0;
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
