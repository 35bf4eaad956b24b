// Decodes one coded file (FLAC, Ogg, MP3 …) with libsndfile. Opening and seeking read the file directly;
// after start_streaming() the bytes come from the track's raw blocks, through a CodedBytes. Opened by set-up
// code, then used by the decoder thread; one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "xrunlab/core/units.hpp"
#include "xrunlab/disk/audio_file.hpp"

namespace xrunlab {

/// Where a CodedStream gets the file's bytes from while it streams. It begins at streaming_offset() and goes
/// forward.
class CodedBytes {
 public:
  virtual ~CodedBytes() = default;

  /// Copies up to `size` of the next bytes to `out`; returns how many, 0 when none is there now.
  virtual Bytes read(std::byte* out, Bytes size) noexcept = 0;

  /// Passes over the next `size` bytes, some of which may not have arrived yet: the stream has read them
  /// itself, or does not want them.
  virtual void skip(Bytes size) noexcept = 0;
};

/// Whether a stream of unknown length is played to a cut as if that were its end: MP3 has no other sign of
/// it.
inline bool may_be_cut(const AudioFile& file) {
  return file.container == "mp3";
}

/// What decodes: libsndfile, or in a replay a record of what it did. The functions are those of CodedStream.
class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;
  virtual Bytes streaming_offset() const noexcept = 0;
  virtual void start_streaming(CodedBytes& source) noexcept = 0;
  virtual bool seek(Frames frame) noexcept = 0;
  virtual Frames read_float(float* out, Frames frames) noexcept = 0;
  virtual Nanoseconds cost_of(Frames) const noexcept { return Nanoseconds{0}; }
  virtual Frames position() const noexcept = 0;
  virtual Bytes strayed_bytes() const noexcept = 0;
  virtual const std::string& remark() const noexcept = 0;
  virtual std::string failure() const = 0;
  virtual bool exhausted() noexcept = 0;
  virtual std::unique_ptr<StreamDecoder> next_pass(const AudioFile& file) = 0;
};

class CodedStream {
 public:
  /// Opens the file again and decodes its header. Throws Error{input_file}.
  explicit CodedStream(const AudioFile& file);
  explicit CodedStream(std::unique_ptr<StreamDecoder> decoder) noexcept : decoder_(std::move(decoder)) {}

  /// Offset in the file of the byte that the decoder wants next.
  Bytes streaming_offset() const noexcept { return decoder_->streaming_offset(); }

  /// Begins the file anew, as if it was opened once more; streaming has to be started again. Throws
  /// Error{input_file}.
  void begin_next_pass(const AudioFile& file) { decoder_ = decoder_->next_pass(file); }

  /// From now on bytes come from `source`, which must outlive the streaming and start at streaming_offset().
  /// What it does not have when it is wanted is read from the file and counted as strayed: libsndfile takes a
  /// short read for the end of the file.
  void start_streaming(CodedBytes& source) noexcept { decoder_->start_streaming(source); }

  /// Moves to `frame` by reading the file directly, and stops streaming. False when that failed.
  bool seek(Frames frame) noexcept { return decoder_->seek(frame); }

  /// Decodes up to `frames` interleaved frames, full scale ±1, to `out`; returns how many. Fewer only at the
  /// end of the file or at broken data: see failure().
  Frames read_float(float* out, Frames frames) noexcept { return decoder_->read_float(out, frames); }

  /// In a replay, how long that is to take; 0 where it takes its own time.
  Nanoseconds cost_of(Frames frames) const noexcept { return decoder_->cost_of(frames); }

  /// Frames decoded since the start of the file.
  Frames position() const noexcept { return decoder_->position(); }

  /// Bytes read from the file directly while streaming; reads of the disk that no plan knew of.
  Bytes strayed_bytes() const noexcept { return decoder_->strayed_bytes(); }

  /// What the decoding library said by itself while it decoded, its first words; mostly that it passed over
  /// broken data. Empty: nothing.
  const std::string& remark() const noexcept { return decoder_->remark(); }

  /// Why decoding ended; empty when nothing went wrong.
  std::string failure() const { return decoder_->failure(); }

  /// Behind a failure: whether the file has been read to its end and not one frame more comes, so that it was
  /// cut off rather than damaged. A frame that does come is lost.
  bool exhausted() noexcept { return decoder_->exhausted(); }

 private:
  std::unique_ptr<StreamDecoder> decoder_;
};

}  // namespace xrunlab
