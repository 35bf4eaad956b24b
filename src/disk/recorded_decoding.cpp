#include "xrunlab/disk/recorded_decoding.hpp"

#include <algorithm>
#include <utility>

namespace xrunlab {
namespace {

// Far beyond what a decoder is asked for at a time, and what it reads for that: damage.
constexpr Frames kLargestPiece = Frames{1} << 20;
constexpr Bytes kLargestPieceBytes = Bytes{1} << 32;
constexpr std::int64_t kFarthestPlace = std::int64_t{1} << 50;  // frames and bytes
constexpr Nanoseconds kLongestDecoding = std::chrono::hours{24 * 366};

Frames end_of(const DecodedPiece& piece) noexcept {
  return piece.frame + piece.frames;
}

bool is_possible(const DecodedPiece& piece) noexcept {
  return piece.frame >= 0 && piece.frame < kFarthestPlace && piece.frames > 0 &&
         piece.frames <= kLargestPiece && piece.raw_begin >= 0 && piece.raw_begin < kFarthestPlace &&
         piece.raw_bytes >= 0 && piece.raw_bytes <= kLargestPieceBytes && piece.took >= Nanoseconds{0} &&
         piece.took <= kLongestDecoding;
}

std::vector<DecodedPiece> in_order(std::vector<DecodedPiece> pieces) {
  std::erase_if(pieces, [](const DecodedPiece& piece) { return !is_possible(piece); });
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const DecodedPiece& a, const DecodedPiece& b) { return a.frame < b.frame; });
  std::vector<DecodedPiece> kept;
  for (const auto& piece : pieces) {
    const bool behind = kept.empty() || (piece.frame >= end_of(kept.back()) &&
                                         piece.raw_begin >= kept.back().raw_begin + kept.back().raw_bytes);
    if (behind) kept.push_back(piece);
  }
  return kept;
}

double usual_ns_per_frame(const std::vector<DecodedPiece>& pieces) {
  std::vector<double> costs;
  for (const auto& piece : pieces)
    costs.push_back(static_cast<double>(piece.took.count()) / static_cast<double>(piece.frames));
  if (costs.empty()) return 0;
  const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
  std::nth_element(costs.begin(), middle, costs.end());
  return *middle;
}

/// Of `size`, what belongs to the first `part` of `whole`.
Bytes share(Bytes size, Frames part, Frames whole) noexcept {
  return static_cast<Bytes>(static_cast<double>(size) * static_cast<double>(part) /
                            static_cast<double>(whole));
}

/// The place of libsndfile in a replay.
class ReplayedDecoder final : public StreamDecoder {
 public:
  ReplayedDecoder(std::shared_ptr<const RecordedDecoding> decoding, Frames before, Bytes raw_end)
      : decoding_(std::move(decoding)), before_(before), raw_end_(raw_end) {
    const auto& pass = decoding_->pass();
    first_frame_ = before == 0 ? pass.first_frame : 0;
    raw_ = raw_end_ - (before == 0 ? pass.bytes - pass.first_byte : pass.bytes);
  }

  Bytes streaming_offset() const noexcept override { return decoding_->pass().data_begin; }
  void start_streaming(CodedBytes& source) noexcept override { source_ = &source; }
  bool seek(Frames) noexcept override { return false; }
  Frames position() const noexcept override { return first_frame_ + decoded_; }

  Frames read_float(float*, Frames wanted) noexcept override {
    const Frames got = available(wanted);
    decoded_ += got;
    if (got == 0 || source_ == nullptr) return got;
    const Bytes target = std::min(decoding_->raw_until(before_ + decoded_), raw_end_);
    if (target > raw_) source_->skip(target - raw_);
    raw_ = std::max(raw_, target);
    return got;
  }

  Nanoseconds cost_of(Frames wanted) const noexcept override {
    return decoding_->cost(before_ + decoded_, available(wanted));
  }

  Bytes strayed_bytes() const noexcept override { return 0; }
  bool exhausted() noexcept override { return false; }
  const std::string& remark() const noexcept override { return remark_; }
  std::string failure() const override {
    const auto failed_at = decoding_->failed_at();
    return failed_at && before_ + decoded_ >= *failed_at ? "could not be decoded on in the record" : "";
  }
  std::unique_ptr<StreamDecoder> next_pass(const AudioFile&) override {
    return std::make_unique<ReplayedDecoder>(decoding_, before_ + decoded_,
                                             raw_end_ + decoding_->pass().bytes);
  }

 private:
  /// Fewer than are wanted at the end of the pass, and where it failed.
  Frames available(Frames wanted) const noexcept {
    const auto& frames = decoding_->pass().frames;
    if (frames) wanted = std::min(wanted, *frames - position());
    if (!frames && raw_ >= raw_end_) wanted = 0;
    if (const auto failed_at = decoding_->failed_at())
      wanted = std::min(wanted, *failed_at - before_ - decoded_);
    return std::max<Frames>(wanted, 0);
  }

  std::shared_ptr<const RecordedDecoding> decoding_;
  Frames before_;  ///< decoded in earlier passes
  Bytes raw_end_;  ///< of this pass, counted from where play began
  Frames first_frame_ = 0;
  Frames decoded_ = 0;  ///< in this pass
  Bytes raw_ = 0;       ///< taken so far, counted as raw_end_
  CodedBytes* source_ = nullptr;
  std::string remark_;
};

}  // namespace

RecordedDecoding::RecordedDecoding(const CodedPass& pass, std::vector<DecodedPiece> pieces,
                                   std::optional<Frames> failed_at)
    : pass_(pass),
      pieces_(in_order(std::move(pieces))),
      failed_at_(failed_at),
      usual_ns_per_frame_(usual_ns_per_frame(pieces_)) {
  if (!pieces_.empty()) {
    const auto& last = pieces_.back();
    bytes_per_frame_ =
        static_cast<double>(last.raw_begin + last.raw_bytes) / static_cast<double>(end_of(last));
  } else if (pass.frames && *pass.frames > 0) {
    bytes_per_frame_ = static_cast<double>(pass.bytes) / static_cast<double>(*pass.frames);
  }
}

Bytes RecordedDecoding::raw_until(Frames frame) const noexcept {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), frame,
                                      [](Frames at, const DecodedPiece& piece) { return at < piece.frame; });
  const bool begun = after != pieces_.begin();
  const Frames end = begun ? end_of(*std::prev(after)) : 0;
  const Bytes raw_end = begun ? std::prev(after)->raw_begin + std::prev(after)->raw_bytes : 0;
  if (begun && frame < end) {
    const auto& piece = *std::prev(after);
    return piece.raw_begin + share(piece.raw_bytes, frame - piece.frame, piece.frames);
  }
  if (after != pieces_.end())
    return raw_end + share(after->raw_begin - raw_end, frame - end, after->frame - end);
  return raw_end + static_cast<Bytes>(static_cast<double>(frame - end) * bytes_per_frame_);
}

Nanoseconds RecordedDecoding::cost(Frames begin, Frames frames) const noexcept {
  const Frames end = begin + frames;
  auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), begin,
                                [](Frames at, const DecodedPiece& other) { return at < end_of(other); });
  Nanoseconds cost{};
  Frames covered = 0;
  for (; piece != pieces_.end() && piece->frame < end; ++piece) {
    const Frames common = std::min(end, end_of(*piece)) - std::max(begin, piece->frame);
    covered += common;
    cost += Nanoseconds{share(piece->took.count(), common, piece->frames)};
  }
  return cost +
         Nanoseconds{static_cast<std::int64_t>(static_cast<double>(frames - covered) * usual_ns_per_frame_)};
}

CodedStream make_replayed_stream(std::shared_ptr<const RecordedDecoding> decoding) {
  const auto& pass = decoding->pass();
  const Bytes first_end = pass.bytes - pass.first_byte;
  return CodedStream(std::make_unique<ReplayedDecoder>(std::move(decoding), 0, first_end));
}

}  // namespace xrunlab
