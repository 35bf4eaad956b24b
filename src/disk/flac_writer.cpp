#include <fcntl.h>
#include <sndfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/disk/track_writer.hpp"

namespace xrunlab {
namespace {

constexpr Frames kChunkFrames = 16 * 1024;

int subtype(SampleFormat format) noexcept {
  switch (significant_bits(format)) {
    case 8:
      return SF_FORMAT_PCM_S8;
    case 16:
      return SF_FORMAT_PCM_16;
    default:
      return SF_FORMAT_PCM_24;
  }
}

/// The samples of a stream as libsndfile's ints, which carry the sound in their upper bits.
void read_ints(SignalStream& stream, SampleFormat format, std::vector<std::byte>& bytes,
               std::vector<int>& ints) {
  const auto width = static_cast<std::size_t>(bytes_per_sample(format));
  bytes.resize(ints.size() * width);
  stream.read(bytes);
  for (std::size_t index = 0; index < ints.size(); ++index) {
    std::uint32_t upper = 0;
    for (std::size_t byte = 0; byte < width; ++byte) {
      upper |= static_cast<std::uint32_t>(bytes[index * width + byte]) << (32 - 8 * (width - byte));
    }
    ints[index] = static_cast<int>(format == SampleFormat::u8 ? upper ^ 0x80000000u : upper);
  }
}

struct Close {
  void operator()(SNDFILE* file) const noexcept { sf_close(file); }
};

[[noreturn]] void fail_flac(const std::filesystem::path& path, const std::string& why) {
  throw Error(ExitCode::system, "cannot write " + path.string() + ": " + why,
              "is the disk full? Write fewer (--tracks) or shorter (-d) tracks, or --container wav");
}

TrackWriteResult write_one(const SetSpec& spec, int track_index, const std::filesystem::path& path,
                           WriteMonitor& monitor) {
  const UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!fd) fail_flac(path, errno_text(errno));
  SF_INFO info{};
  info.samplerate = static_cast<int>(spec.rate.hz);
  info.channels = spec.channels;
  info.format = SF_FORMAT_FLAC | subtype(spec.format);
  std::unique_ptr<SNDFILE, Close> file(sf_open_fd(fd.get(), SFM_WRITE, &info, SF_FALSE));
  if (!file) fail_flac(path, sf_strerror(nullptr));
  SignalStream stream(spec.signal, spec.format, spec.rate, spec.channels, track_index, spec.seed);
  std::vector<std::byte> bytes;
  std::vector<int> ints;
  const Bytes frame_bytes = spec.channels * bytes_per_sample(spec.format);
  for (Frames left = spec.frames(); left > 0;) {
    if (monitor.stopped()) return TrackWriteResult::stopped;
    const Frames count = std::min(left, kChunkFrames);
    ints.resize(static_cast<std::size_t>(count * spec.channels));
    read_ints(stream, spec.format, bytes, ints);
    if (sf_writef_int(file.get(), ints.data(), count) != count) fail_flac(path, sf_strerror(file.get()));
    left -= count;
    monitor.add(count * frame_bytes);
  }
  if (sf_close(file.release()) != 0) fail_flac(path, "its header could not be completed");
  if (fsync(fd.get()) != 0) fail_flac(path, errno_text(errno));
  return TrackWriteResult::done;
}

}  // namespace

TrackWriteResult write_flac(const SetSpec& spec, const std::vector<std::filesystem::path>& paths,
                            WriteMonitor& monitor) {
  for (std::size_t index = 0; index < paths.size(); ++index) {
    if (write_one(spec, static_cast<int>(index), paths[index], monitor) == TrackWriteResult::stopped) {
      return TrackWriteResult::stopped;
    }
  }
  return TrackWriteResult::done;
}

}  // namespace xrunlab
