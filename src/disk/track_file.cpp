#include "xrunlab/disk/track_file.hpp"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"

namespace xrunlab {
namespace {

/// Alignment of direct reads by statx (Linux 6.1); nothing where the kernel or the file system names none.
std::optional<Bytes> direct_alignment(int fd) {
#ifdef STATX_DIOALIGN
  struct statx info {};
  if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &info) != 0) return std::nullopt;
  if ((info.stx_mask & STATX_DIOALIGN) == 0 || info.stx_dio_offset_align == 0) return std::nullopt;
  return std::max<Bytes>(info.stx_dio_offset_align, info.stx_dio_mem_align);
#else
  return std::nullopt;
#endif
}

}  // namespace

TrackFile open_track_file(const std::filesystem::path& path, DirectMode mode) {
  TrackFile file;
  file.fd = UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOATIME));
  if (!file.fd && errno == EPERM) file.fd = UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.fd) {
    throw Error(ExitCode::input_file, printable_name(path) + ": cannot be opened: " + errno_text(errno));
  }
  if (mode == DirectMode::off) return file;

  const auto alignment = direct_alignment(file.fd.get());
  if (!alignment && mode == DirectMode::automatic) {
    file.refusal = "the file system names no alignment for direct reads";
    return file;
  }
  const int flags = fcntl(file.fd.get(), F_GETFL);
  if (fcntl(file.fd.get(), F_SETFL, flags | O_DIRECT) != 0) {
    file.refusal = "O_DIRECT was refused: " + errno_text(errno);
    if (mode == DirectMode::on) {
      throw Error(ExitCode::system, printable_name(path) + ": " + file.refusal,
                  "use --direct auto or --direct off");
    }
    return file;
  }
  file.direct = true;
  file.alignment = std::max<Bytes>(kPageBytes, alignment.value_or(kPageBytes));
  return file;
}

}  // namespace xrunlab
