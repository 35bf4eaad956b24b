#include "xrunlab/engine/file_scan.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cfloat>
#include <cmath>
#include <span>
#include <vector>

#include "xrunlab/audio/convert.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/coded_file.hpp"
#include "xrunlab/disk/coded_stream.hpp"
#include "xrunlab/disk/raw_ring_plan.hpp"
#include "xrunlab/disk/track_file.hpp"
#include "xrunlab/platform/cold_pages.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kStepBytes = 1024 * 1024;  // large enough to be quick without the kernel's read-ahead

class Meter {
 public:
  void add(std::span<const float> samples) noexcept {
    float peak = peak_;
    std::int64_t clipped = 0;
    for (const float sample : samples) {
      const float size = std::fabs(sample);
      if (size > peak) peak = size;  // false for NaN
      clipped += size > 1.0F ? 1 : 0;
    }
    peak_ = peak;
    clipped_ += clipped;
  }

  void write_to(FileScan& scan) const {
    scan.clipped_samples = clipped_;
    if (peak_ == 0) return;
    const double dbfs = 20 * std::log10(static_cast<double>(std::min(peak_, FLT_MAX)));
    scan.peak_dbfs = std::round(dbfs * 1000) / 1000 + 0.0;  // no -0
  }

 private:
  float peak_ = 0;
  std::int64_t clipped_ = 0;
};

/// Reads up to `out.size()` bytes; fewer at the end of the file only. -1: errno says why.
Bytes read_at(int fd, Bytes offset, std::span<std::byte> out) noexcept {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::pread(fd, out.data() + done, out.size() - done, offset + static_cast<Bytes>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<Bytes>(done);
}

std::string unreadable_at(Bytes offset, int error_number) {
  return "cannot be read at byte " + std::to_string(offset) + ": " + errno_text(error_number) +
         " (dmesg tells what the disk says; copy the file again from where it came)";
}

std::string broken_at(Frames frame, const std::string& reason) {
  return "frame " + std::to_string(frame) + ": " + reason +
         " (the file is damaged: copy it again from where it came)";
}

TrackFile opened(const AudioFile& file) {
  TrackFile handle = open_track_file(file.path, DirectMode::off);
  // Read-ahead still under way cannot be dropped again.
  ::posix_fadvise(handle.fd.get(), 0, 0, POSIX_FADV_RANDOM);
  return handle;
}

ScanOutcome scan_raw(const AudioFile& file, const std::function<bool()>& stop) {
  const TrackFile handle = opened(file);
  const int fd = handle.fd.get();
  ColdPages cold(fd, file.file_bytes);
  ScanOutcome outcome;
  Meter meter;
  const Frames step = std::max<Frames>(1, kStepBytes / file.frame_bytes());
  std::vector<std::byte> bytes(static_cast<std::size_t>(step * file.frame_bytes()));
  std::vector<float> samples(static_cast<std::size_t>(step * file.channels));
  Frames& done = outcome.found.frames;
  while (done < file.frames && !outcome.interrupted) {
    const Bytes offset = file.data_offset + done * file.frame_bytes();
    const Frames wanted = std::min(step, file.frames - done);
    const Bytes got =
        read_at(fd, offset, std::span(bytes).first(static_cast<std::size_t>(wanted * file.frame_bytes())));
    if (got < 0) outcome.failure = unreadable_at(offset, errno);
    const Frames frames = std::max<Bytes>(got, 0) / file.frame_bytes();
    const auto count = static_cast<std::size_t>(frames * file.channels);
    to_float(*file.raw_format, bytes.data(), count, samples.data());
    meter.add(std::span(samples).first(count));
    done += frames;
    cold.drop_before(offset + frames * file.frame_bytes());
    if (got < 0) break;
    if (frames < wanted) {
      outcome.warning = ended_at(file, done);
      break;
    }
    outcome.interrupted = stop();
  }
  meter.write_to(outcome.found);
  return outcome;
}

/// Brings the bytes that the decoder wants next into the page cache: it reads them in small pieces.
class BytesAhead {
 public:
  explicit BytesAhead(int fd) : fd_(fd), scratch_(static_cast<std::size_t>(kStepBytes)) {}

  void bring(Bytes wanted) noexcept {
    brought_ = std::max(wanted, brought_);
    for (; brought_ < wanted + kStepBytes; brought_ += kStepBytes) {
      // What fails here fails again in the decoder, which then says so.
      read_at(fd_, brought_, scratch_);
    }
  }

 private:
  int fd_;
  std::vector<std::byte> scratch_;
  Bytes brought_ = 0;
};

ScanOutcome scan_coded(const AudioFile& file, const std::function<bool()>& stop) {
  const TrackFile handle = opened(file);
  ColdPages cold(handle.fd.get(), file.file_bytes);
  BytesAhead ahead(handle.fd.get());
  CodedStream stream(file);
  ScanOutcome outcome;
  Meter meter;
  // Of a piece that cannot be decoded to its end libsndfile gives nothing: pieces are those of the player.
  const Frames step = kDecodedChunk;
  std::vector<float> samples(static_cast<std::size_t>(step * file.channels));
  for (;;) {
    const Bytes position = stream.streaming_offset();
    ahead.bring(position);
    // Behind the last frame there may be tags, which libFLAC takes for broken frames.
    const Frames wanted = file.frames_known ? std::min(step, file.frames - stream.position()) : step;
    const Frames got = wanted > 0 ? stream.read_float(samples.data(), wanted) : 0;
    meter.add(std::span(samples).first(static_cast<std::size_t>(got * file.channels)));
    cold.drop_before(position);
    const std::string reason = stream.failure();
    const bool lacks_frames = file.frames_known ? stream.position() < file.frames : may_be_cut(file);
    const bool is_cut = !reason.empty() && lacks_frames && stream.exhausted();
    if (!is_cut) outcome.failure = reason;
    if (is_cut && !file.frames_known) {
      outcome.warning = "cut off within the frame behind " + std::to_string(stream.position());
    }
    if (got == 0 || !reason.empty()) break;
    if ((outcome.interrupted = stop())) break;
  }
  const Frames end = stream.position();
  outcome.found.frames = end;
  if (!outcome.failure.empty() || (end == 0 && !outcome.interrupted)) {
    outcome.failure = broken_at(end, end == 0 ? "no frame could be decoded" : outcome.failure);
  } else if (file.frames_known && end < file.frames && !outcome.interrupted) {
    outcome.warning = ended_at(file, end);
  } else if (!stream.remark().empty()) {
    outcome.warning = "broken data, by the decoder's own words: " + stream.remark();
  }
  meter.write_to(outcome.found);
  return outcome;
}

}  // namespace

ScanOutcome scan_file(const AudioFile& file, const std::function<bool()>& stop) {
  return file.decoded() ? scan_coded(file, stop) : scan_raw(file, stop);
}

}  // namespace xrunlab
