// What the decoder did to one coded track of a recorded run: how many raw bytes each piece of decoded audio
// took, and how long. Made by main from a trace, which may say anything; a replay's decoder takes the place
// of libsndfile by it, on the decoder thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/disk/coded_stream.hpp"

namespace xrunlab {

/// Frames and bytes count from where play began, over all passes.
struct DecodedPiece {
  Frames frame = 0;  ///< its first
  Frames frames = 0;
  Bytes raw_begin = 0;
  Bytes raw_bytes = 0;
  Nanoseconds took{};
};

/// One pass over a coded file.
struct CodedPass {
  Bytes data_begin = 0;          ///< first coded byte in the file
  Bytes bytes = 0;               ///< coded, in each pass
  std::optional<Frames> frames;  ///< in each pass; absent: not known
  Bytes first_byte = 0;          ///< of these bytes, where play began
  Frames first_frame = 0;        ///< of these frames, where play began
};

class RecordedDecoding {
 public:
  /// `failed_at`: frames that were decoded when it could not be gone on. Pieces that overlap others, or that
  /// no decoder can have made, are passed over.
  RecordedDecoding(const CodedPass& pass, std::vector<DecodedPiece> pieces, std::optional<Frames> failed_at);

  const CodedPass& pass() const noexcept { return pass_; }
  const std::vector<DecodedPiece>& pieces() const noexcept { return pieces_; }
  std::optional<Frames> failed_at() const noexcept { return failed_at_; }

  /// Raw bytes taken when so many frames were decoded; between the pieces, and behind them, by their average.
  Bytes raw_until(Frames frame) const noexcept;

  /// How long decoding took; of what is in no piece, the usual time.
  Nanoseconds cost(Frames begin, Frames frames) const noexcept;

 private:
  CodedPass pass_;
  std::vector<DecodedPiece> pieces_;  ///< by frame, disjoint
  std::optional<Frames> failed_at_;
  double bytes_per_frame_ = 0;
  double usual_ns_per_frame_ = 0;
};

/// A stream that decodes as it was recorded, to silence that it does not even write: rings are zero to begin
/// with.
CodedStream make_replayed_stream(std::shared_ptr<const RecordedDecoding> decoding);

}  // namespace xrunlab
