#include "xrunlab/disk/track_writer.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/disk/track_image.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

constexpr Bytes kWriteBytes = 1024 * 1024;
constexpr Bytes kWriteBackBytes = 8 * 1024 * 1024;  // how much is dirty before write-back is started

[[noreturn]] void fail_track(const char* what, const fs::path& path, int error_number) {
  throw Error(ExitCode::system, std::string(what) + " " + path.string() + ": " + errno_text(error_number),
              error_number == ENOSPC || error_number == EDQUOT
                  ? "free some space, or write fewer (--tracks) or shorter (-d) tracks"
                  : "");
}

/// Page-aligned, as O_DIRECT asks.
class Buffer {
 public:
  explicit Buffer(Bytes size)
      : bytes_(static_cast<std::byte*>(
            std::aligned_alloc(static_cast<std::size_t>(kPageBytes), static_cast<std::size_t>(size)))) {
    if (!bytes_) throw std::bad_alloc();
  }
  std::span<std::byte> first(Bytes count) noexcept { return {bytes_.get(), static_cast<std::size_t>(count)}; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
};

/// Lets `count` files be open at once, and restores the limit.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(std::size_t count) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlim_t needed = count + 64;  // and what the program has open besides
    if (before_.rlim_cur >= needed) return;
    rlimit raised = before_;
    raised.rlim_cur = needed;
    if (needed > before_.rlim_max || setrlimit(RLIMIT_NOFILE, &raised) != 0) {
      throw Error(ExitCode::system,
                  "an interleaved set of " + std::to_string(count) + " tracks needs " +
                      std::to_string(needed) + " open files, and the hard limit is " +
                      std::to_string(before_.rlim_max),
                  "raise it (ulimit -Hn " + std::to_string(needed) + " as root), or write fewer --tracks");
    }
    raised_ = true;
  }
  ~DescriptorLimit() {
    if (raised_) setrlimit(RLIMIT_NOFILE, &before_);
  }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
  bool raised_ = false;
};

/// 0, or the error number.
int write_at(int fd, std::span<const std::byte> bytes, Bytes offset) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(fd, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += count;
  }
  return 0;
}

UniqueFd create(const fs::path& path, int flags) {
  return UniqueFd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0666));
}

void sync(const UniqueFd& fd, const fs::path& path) {
  if (fsync(fd.get()) != 0) fail_track("cannot sync", path, errno);
}

TrackWriteResult write_whole(const UniqueFd& fd, TrackImage& image, const fs::path& path, Buffer& buffer,
                             WriteMonitor& monitor) {
  const Bytes size = image.file_bytes();
  // Without fallocate (EOPNOTSUPP on some file systems) delayed allocation does nearly as well.
  if (fallocate(fd.get(), 0, 0, size) != 0 && errno == ENOSPC) fail_track("cannot allocate", path, errno);
  Bytes written_back = 0;
  for (Bytes offset = 0; offset < size;) {
    if (monitor.stopped()) return TrackWriteResult::stopped;
    const auto block = buffer.first(std::min(kWriteBytes, size - offset));
    image.read(block);
    if (const int error = write_at(fd.get(), block, offset); error != 0)
      fail_track("cannot write", path, error);
    offset += static_cast<Bytes>(block.size());
    monitor.add(static_cast<Bytes>(block.size()));
    if (offset - written_back >= kWriteBackBytes) {
      sync_file_range(fd.get(), written_back, offset - written_back, SYNC_FILE_RANGE_WRITE);
      written_back = offset;
    }
  }
  return TrackWriteResult::done;
}

/// A file of an interleaved set.
struct GrowingFile {
  UniqueFd fd;
  TrackImage image;
};

enum class Access : std::uint8_t { direct, buffered };

Access opened_all(const SetSpec& spec, const std::vector<fs::path>& paths, std::vector<GrowingFile>& files) {
  Access access = Access::direct;
  for (std::size_t index = 0; index < paths.size(); ++index) {
    UniqueFd fd = create(paths[index], access == Access::direct ? O_DIRECT : 0);
    if (!fd && errno == EINVAL && access == Access::direct) {
      access = Access::buffered;
      // Linux may have made the file before it refused the flag.
      unlink(paths[index].c_str());
      fd = create(paths[index], 0);
    }
    if (!fd) fail_track("cannot create", paths[index], errno);
    files.push_back({std::move(fd), TrackImage(spec, static_cast<int>(index))});
  }
  return access;
}

void make_buffered(std::vector<GrowingFile>& files) {
  for (auto& file : files) {
    const int flags = fcntl(file.fd.get(), F_GETFL);
    fcntl(file.fd.get(), F_SETFL, flags & ~O_DIRECT);
  }
}

/// Writes one block of `length` bytes, rounded up to whole pages because O_DIRECT writes nothing less; the
/// excess is cut off at the end of the file.
int write_block(GrowingFile& file, Buffer& buffer, Bytes offset, Bytes length, Access access) {
  const auto block = buffer.first(access == Access::direct ? round_up(length, kPageBytes) : length);
  const int error = write_at(file.fd.get(), block, offset);
  if (error != 0 || access == Access::direct) return error;
  return fdatasync(file.fd.get()) == 0 ? 0 : errno;
}

}  // namespace

void WriteMonitor::add(Bytes bytes) {
  progress_.bytes_done += bytes;
  const auto now = std::chrono::steady_clock::now();
  if (!options_.progress || now < next_call_) return;
  next_call_ = now + std::chrono::milliseconds{100};
  options_.progress(progress_);
}

void WriteMonitor::finish() {
  progress_.finished = true;
  if (options_.progress) options_.progress(progress_);
}

void WriteMonitor::warn(const std::string& line) const {
  if (options_.warn) options_.warn(line);
}

TrackWriteResult write_contiguous(const SetSpec& spec, const std::vector<fs::path>& paths,
                                  WriteMonitor& monitor) {
  Buffer buffer(kWriteBytes);
  UniqueFd previous;
  for (std::size_t index = 0; index < paths.size(); ++index) {
    UniqueFd fd = create(paths[index], 0);
    if (!fd) fail_track("cannot create", paths[index], errno);
    TrackImage image(spec, static_cast<int>(index));
    if (write_whole(fd, image, paths[index], buffer, monitor) == TrackWriteResult::stopped) {
      return TrackWriteResult::stopped;
    }
    sync_file_range(fd.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
    if (previous) sync(previous, paths[index - 1]);
    previous = std::move(fd);
  }
  sync(previous, paths.back());
  return TrackWriteResult::done;
}

TrackWriteResult write_interleaved(const SetSpec& spec, const std::vector<fs::path>& paths,
                                   WriteMonitor& monitor) {
  const DescriptorLimit limit(paths.size());
  Buffer buffer(kInterleaveBytes);
  std::vector<GrowingFile> files;
  Access access = opened_all(spec, paths, files);
  const auto fall_back = [&] {
    access = Access::buffered;
    make_buffered(files);
    monitor.warn("O_DIRECT is refused here: each block is written through the page cache and synced");
  };
  if (access == Access::buffered) fall_back();
  const Bytes size = files.front().image.file_bytes();
  for (Bytes offset = 0; offset < size; offset += kInterleaveBytes) {
    const Bytes length = std::min(kInterleaveBytes, size - offset);
    for (std::size_t index = 0; index < files.size(); ++index) {
      if (monitor.stopped()) return TrackWriteResult::stopped;
      files[index].image.read(buffer.first(round_up(length, kPageBytes)));
      int error = write_block(files[index], buffer, offset, length, access);
      if (error == EINVAL && access == Access::direct) {
        fall_back();
        error = write_block(files[index], buffer, offset, length, access);
      }
      if (error != 0) fail_track("cannot write", paths[index], error);
      monitor.add(length);
    }
  }
  for (std::size_t index = 0; index < files.size(); ++index) {
    if (ftruncate(files[index].fd.get(), size) != 0) fail_track("cannot cut", paths[index], errno);
    sync(files[index].fd, paths[index]);
  }
  return TrackWriteResult::done;
}

}  // namespace xrunlab
