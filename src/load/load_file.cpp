#include "xrunlab/load/load_file.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/signal.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kFillBytes = Bytes{1} << 20;

[[noreturn]] void fail_file(const std::string& what, int error) {
  throw Error(ExitCode::system, what + ": " + errno_text(error),
              error == ENOSPC || error == EDQUOT ? "free some space, or give the load a smaller size=" : "");
}

/// Where O_TMPFILE is not known a file with a name is made, which is taken away at once.
UniqueFd open_unnamed(const std::filesystem::path& directory) {
  UniqueFd fd(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (fd || (errno != EOPNOTSUPP && errno != EISDIR)) return fd;
  std::string name = (directory / ".xrunlab-load-XXXXXX").string();
  fd.reset(::mkostemp(name.data(), O_CLOEXEC));
  if (fd) ::unlink(name.c_str());
  return fd;
}

bool make_direct(int fd) noexcept {
  const int flags = ::fcntl(fd, F_GETFL);
  if (::fcntl(fd, F_SETFL, flags | O_DIRECT) != 0) return false;
  // Some file systems take the flag and refuse the read.
  const PageBuffer page(kPageBytes);
  if (::pread(fd, page.data(), static_cast<std::size_t>(kPageBytes), 0) >= 0) return true;
  ::fcntl(fd, F_SETFL, flags);
  return false;
}

}  // namespace

PageBuffer::PageBuffer(Bytes size)
    : bytes_(static_cast<std::byte*>(
          std::aligned_alloc(static_cast<std::size_t>(kPageBytes), static_cast<std::size_t>(size)))),
      size_(size) {
  if (!bytes_) throw std::bad_alloc();
  std::memset(bytes_.get(), 0, static_cast<std::size_t>(size));
}

void PageBuffer::Free::operator()(std::byte* bytes) const noexcept {
  std::free(bytes);
}

Bytes granted_file_bytes(Bytes wanted, Bytes block, Bytes available, Bytes total) noexcept {
  const Bytes room = std::max<Bytes>(0, available - total / 10);
  return round_down(std::min(wanted, room), block);
}

LoadFile make_load_file(const std::filesystem::path& directory, Bytes size, Bytes block, LoadAccess access) {
  LoadFile file;
  file.fd = open_unnamed(directory);
  if (!file.fd) fail_file("cannot make a file in " + directory.string(), errno);
  struct statvfs space {};
  if (::fstatvfs(file.fd.get(), &space) != 0)
    fail_file("cannot ask for the space left in " + directory.string(), errno);
  const auto unit = static_cast<Bytes>(space.f_frsize);
  file.size = granted_file_bytes(size, block, static_cast<Bytes>(space.f_bavail) * unit,
                                 static_cast<Bytes>(space.f_blocks) * unit);
  if (file.size == 0) {
    throw Error(ExitCode::system,
                "only a tenth of " + directory.string() + " is free, which a load leaves alone",
                "free some space, or name another directory");
  }
  if (::fallocate(file.fd.get(), 0, 0, file.size) != 0) {
    if (errno != EOPNOTSUPP && errno != ENOSYS)
      fail_file("cannot allocate a file in " + directory.string(), errno);
    if (::ftruncate(file.fd.get(), file.size) != 0)
      fail_file("cannot size a file in " + directory.string(), errno);
  }
  file.direct = access == LoadAccess::direct && make_direct(file.fd.get());
  return file;
}

void write_all(int fd, std::span<const std::byte> bytes, Bytes offset) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail_file("cannot write to the load's file", count < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += count;
  }
}

void fill_with_noise(std::span<std::byte> bytes, std::uint64_t seed, int stream) {
  Xoshiro256 random(seed, stream);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t value = random.next();
    std::memcpy(bytes.data() + at, &value, std::min(sizeof value, bytes.size() - at));
  }
}

void fill_load_file(const LoadFile& file, std::uint64_t seed, LoadFigures& figures,
                    const std::atomic<bool>& stop) {
  const PageBuffer buffer(kFillBytes);
  fill_with_noise(buffer.all(), seed, 0);
  for (Bytes offset = 0; offset < file.size && !stop.load(std::memory_order_relaxed); offset += kFillBytes) {
    const Bytes length = std::min(kFillBytes, file.size - offset);
    // The blocks differ, or a drive could store them as one.
    std::memcpy(buffer.data(), &offset, sizeof offset);
    write_all(file.fd.get(), buffer.all().first(static_cast<std::size_t>(length)), offset);
    figures.prepared_bytes.fetch_add(length, std::memory_order_relaxed);
  }
  if (::fdatasync(file.fd.get()) != 0) fail_file("cannot sync the load's file", errno);
  ::posix_fadvise(file.fd.get(), 0, 0, POSIX_FADV_DONTNEED);
}

}  // namespace xrunlab
