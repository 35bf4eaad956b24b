// Decodes one coded file (FLAC, Ogg, MP3 …) with libsndfile. Opening and seeking read the file directly;
// after start_streaming() the bytes come from the track's raw blocks, through a CodedBytes. Opened by set-up
// code, then used by the decoder thread; one thread at a time.
#pragma once

#include <memory>
#include <string>

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

class CodedStream {
 public:
  /// Opens the file again and decodes its header. Throws Error{input_file}.
  explicit CodedStream(const AudioFile& file);
  CodedStream(CodedStream&&) noexcept;
  CodedStream& operator=(CodedStream&&) noexcept;
  ~CodedStream();

  /// Offset in the file of the byte that the decoder wants next.
  Bytes streaming_offset() const noexcept;

  /// From now on bytes come from `source`, which must outlive the streaming and start at streaming_offset().
  /// What it does not have when it is wanted is read from the file and counted as strayed: libsndfile takes a
  /// short read for the end of the file.
  void start_streaming(CodedBytes& source) noexcept;

  /// Moves to `frame` by reading the file directly, and stops streaming. False when that failed.
  bool seek(Frames frame) noexcept;

  /// Decodes up to `frames` interleaved frames, full scale ±1, to `out`; returns how many. Fewer only at the
  /// end of the file or at broken data: see failure().
  Frames read_float(float* out, Frames frames) noexcept;

  /// Frames decoded since the start of the file.
  Frames position() const noexcept;

  /// Bytes read from the file directly while streaming; reads of the disk that no plan knew of.
  Bytes strayed_bytes() const noexcept;

  /// What the decoding library said by itself while it decoded, its first words; mostly that it passed over
  /// broken data. Empty: nothing.
  const std::string& remark() const noexcept;

  /// Why decoding ended; empty when nothing went wrong.
  std::string failure() const;

  /// Behind a failure: whether the file has been read to its end and not one frame more comes, so that it was
  /// cut off rather than damaged. A frame that does come is lost.
  bool exhausted() noexcept;

 private:
  class Decoder;
  std::unique_ptr<Decoder> decoder_;
};

}  // namespace xrunlab
