// What a trace tells of work beside the reads: how long the playback thread's own reads took (--no-ring), and
// what the decoder did. Gathered from events, which may say anything, by whoever reads a record on main.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "xrunlab/disk/recorded_decoding.hpp"
#include "xrunlab/engine/disk_source.hpp"
#include "xrunlab/timing/event.hpp"
#include "xrunlab/timing/trace_chain.hpp"

namespace xrunlab {

class TakeLengths {
 public:
  /// What does not come in order is passed over.
  void add(std::int64_t fragment, Nanoseconds length);
  std::size_t size() const noexcept { return takes_.size(); }
  void fail(const InputFailure& failure) { failure_ = failure; }

  RecordedTakes finish();

 private:
  std::vector<RecordedTake> takes_;
  std::optional<InputFailure> failure_;
};

class CodedPieces {
 public:
  /// `chain` must outlive this.
  explicit CodedPieces(const TraceChain& chain) : chain_(chain), tracks_(chain.tracks.size()) {}

  void add(const DecodedEvent& event);
  std::size_t size() const noexcept { return size_; }
  /// Some track could not be decoded on.
  bool any_failed() const noexcept { return any_failed_; }

  /// By track; nothing for those that were not decoded.
  std::vector<std::shared_ptr<const RecordedDecoding>> finish();

 private:
  struct Track {
    std::vector<DecodedPiece> pieces;
    std::optional<Frames> first_pass;  ///< frames from where play began to its end
    std::optional<Frames> failed_at;
  };

  const TraceChain& chain_;
  std::vector<Track> tracks_;
  std::size_t size_ = 0;
  bool any_failed_ = false;
};

}  // namespace xrunlab
