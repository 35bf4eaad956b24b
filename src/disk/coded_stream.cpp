#include "xrunlab/disk/coded_stream.hpp"

#include <fcntl.h>
#include <sndfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "library_noise.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/disk/printable_name.hpp"

namespace xrunlab {

/// The file as libsndfile sees it: one position, behind which bytes come from the source or from the disk.
class CodedInput {
 public:
  CodedInput(UniqueFd fd, Bytes size, Bytes claimed) : fd_(std::move(fd)), size_(size), claimed_(claimed) {}

  Bytes size() const noexcept { return size_; }
  Bytes claimed() const noexcept { return claimed_; }
  Bytes position() const noexcept { return position_; }
  Bytes strayed_bytes() const noexcept { return strayed_; }
  int error_number() const noexcept { return error_number_; }

  void start_streaming(CodedBytes& source) noexcept {
    source_ = &source;
    source_position_ = position_;
  }
  void stop_streaming() noexcept { source_ = nullptr; }

  Bytes seek(Bytes offset) noexcept {
    if (offset < 0) return -1;
    return position_ = offset;
  }

  Bytes read(std::byte* out, Bytes count) noexcept {
    if (claimed_ > size_ && position_ >= claimed_ - kTagAtTheEnd) return zeros(out, count);
    const Bytes wanted = std::clamp<Bytes>(size_ - position_, 0, count);
    Bytes done = 0;
    while (done < wanted) {
      const Bytes got = source_ == nullptr ? from_disk(out + done, wanted - done)
                                           : while_streaming(out + done, wanted - done);
      if (got <= 0) break;
      done += got;
    }
    return done;
  }

 private:
  static constexpr Bytes kFarthestSkip =
      256 * 1024;  // a decoder looking for its next frame, not for a trailer

  static constexpr Bytes kTagAtTheEnd = 128;  // ID3v1; libmpg123 wants to look at these bytes

  Bytes zeros(std::byte* out, Bytes count) noexcept {
    const Bytes given = std::clamp<Bytes>(claimed_ - position_, 0, count);
    std::fill_n(out, given, std::byte{});
    position_ += given;
    return given;
  }

  Bytes while_streaming(std::byte* out, Bytes count) noexcept {
    const Bytes ahead = position_ - source_position_;
    if (ahead > 0 && ahead <= kFarthestSkip) skip_source(ahead);
    if (position_ == source_position_) {
      const Bytes got = source_->read(out, count);
      if (got > 0) {
        position_ += got;
        source_position_ += got;
        return got;
      }
    } else if (position_ < source_position_) {
      count = std::min(count, source_position_ - position_);  // then the source goes on
    }
    const bool in_place_of_source = position_ == source_position_;
    const Bytes got = from_disk(out, count);
    if (got > 0) strayed_ += got;
    if (got > 0 && in_place_of_source) skip_source(got);
    return got;
  }

  void skip_source(Bytes count) noexcept {
    source_->skip(count);
    source_position_ += count;
  }

  Bytes from_disk(std::byte* out, Bytes count) noexcept {
    ssize_t got = 0;
    do {
      got = ::pread(fd_.get(), out, static_cast<std::size_t>(count), position_);
    } while (got < 0 && errno == EINTR);
    if (got < 0) error_number_ = errno;
    if (got > 0) position_ += got;
    return got;
  }

  UniqueFd fd_;
  Bytes size_;
  Bytes claimed_;  ///< size that libsndfile is told
  Bytes position_ = 0;
  CodedBytes* source_ = nullptr;
  Bytes source_position_ = 0;  ///< offset in the file of the source's next byte
  Bytes strayed_ = 0;
  int error_number_ = 0;
};

namespace {

CodedInput& input_of(void* user) {
  return *static_cast<CodedInput*>(user);
}

sf_count_t size_callback(void* user) {
  return input_of(user).claimed();
}
sf_count_t tell_callback(void* user) {
  return input_of(user).position();
}
sf_count_t read_callback(void* out, sf_count_t count, void* user) {
  return input_of(user).read(static_cast<std::byte*>(out), count);
}
sf_count_t seek_callback(sf_count_t offset, int whence, void* user) {
  CodedInput& input = input_of(user);
  if (whence == SEEK_CUR) offset += input.position();
  if (whence == SEEK_END) offset += input.claimed();
  return input.seek(offset);
}

/// Where the length of an MP3 is not in the file, libsndfile makes an estimate from its size and the first
/// bit rate, and plays no frame beyond: the size must be too large rather than too small. Bit rates of one
/// layer differ by 20 at the most.
Bytes claimed_bytes(const AudioFile& file) {
  constexpr Bytes kMuchLonger = 64;
  return file.container == "mp3" && !file.frames_known ? file.file_bytes * kMuchLonger : file.file_bytes;
}

UniqueFd reopened(const AudioFile& file) {
  UniqueFd fd(::open(file.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd) throw Error(ExitCode::input_file, printable_name(file.path) + ": " + errno_text(errno));
  ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_RANDOM);  // no read-ahead beside the reader's own
  return fd;
}

class LibraryDecoder final : public StreamDecoder {
 public:
  explicit LibraryDecoder(const AudioFile& file)
      : input_(reopened(file), file.file_bytes, claimed_bytes(file)) {
    SF_VIRTUAL_IO callbacks{size_callback, seek_callback, read_callback, nullptr, tell_callback};
    SF_INFO info{};
    const LibraryNoise noise;
    sound_ = sf_open_virtual(&callbacks, SFM_READ, &info, &input_);
    const std::string name = printable_name(file.path);
    if (sound_ == nullptr) {
      throw Error(ExitCode::input_file, name + ": " + printable_text(sf_strerror(nullptr)) + noise.remark());
    }
    one_frame_.resize(static_cast<std::size_t>(std::max(info.channels, 1)));
    if (info.channels != file.channels || info.samplerate != static_cast<int>(file.rate.hz)) {
      sf_close(sound_);
      throw Error(ExitCode::input_file, name + ": was replaced by another file while it was opened");
    }
  }
  LibraryDecoder(const LibraryDecoder&) = delete;
  LibraryDecoder& operator=(const LibraryDecoder&) = delete;
  ~LibraryDecoder() override { sf_close(sound_); }

  Bytes streaming_offset() const noexcept override { return input_.position(); }
  void start_streaming(CodedBytes& source) noexcept override { input_.start_streaming(source); }
  Bytes strayed_bytes() const noexcept override { return input_.strayed_bytes(); }
  Frames position() const noexcept override { return position_; }
  std::unique_ptr<StreamDecoder> next_pass(const AudioFile& file) override {
    return std::make_unique<LibraryDecoder>(file);
  }

  bool seek(Frames frame) noexcept override {
    const LibraryNoise noise;
    input_.stop_streaming();
    if (sf_seek(sound_, frame, SEEK_SET) != frame) return false;
    position_ = frame;
    return true;
  }

  Frames read_float(float* out, Frames frames) noexcept override {
    const LibraryNoise noise;
    const Frames got = std::max<Frames>(sf_readf_float(sound_, out, frames), 0);
    position_ += got;
    if (remark_.empty()) remark_ = noise.last_line();
    return got;
  }

  bool exhausted() noexcept override {
    const LibraryNoise noise;
    const bool read_whole = input_.error_number() == 0 && input_.position() >= input_.size() - kLastPiece;
    return read_whole && sf_readf_float(sound_, one_frame_.data(), 1) <= 0;
  }

  const std::string& remark() const noexcept override { return remark_; }

  std::string failure() const override {
    if (input_.error_number() != 0) return errno_text(input_.error_number());
    return sf_error(sound_) == SF_ERR_NO_ERROR ? std::string() : printable_text(sf_strerror(sound_));
  }

 private:
  // libFLAC reads 8 KiB at a time, and libsndfile lets it read no further once it has lost its way in a frame
  // that was cut.
  static constexpr Bytes kLastPiece = 8192;

  CodedInput input_;  // libsndfile holds its address
  SNDFILE* sound_ = nullptr;
  std::vector<float> one_frame_;
  Frames position_ = 0;
  std::string remark_;
};

}  // namespace

CodedStream::CodedStream(const AudioFile& file) : decoder_(std::make_unique<LibraryDecoder>(file)) {}

}  // namespace xrunlab
