#include "xrunlab/platform/file_watch.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

std::string refusal_text(int error) {
  std::string text =
      "files that are overwritten while they play will not be noticed: inotify: " + errno_text(error);
  if (error == ENOSPC) text += "; raise it with sysctl fs.inotify.max_user_watches=1048576";
  if (error == EMFILE) text += "; raise it with sysctl fs.inotify.max_user_instances=1024";
  return text;
}

Bytes size_of(int fd) noexcept {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_size : 0;
}

}  // namespace

FileWatch::FileWatch(std::vector<int> fds) : inotify_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (!inotify_) {
    refusal_ = refusal_text(errno);
    return;
  }
  for (const int fd : fds) files_.push_back({.fd = fd, .size = size_of(fd)});
  for (std::size_t index = 0; index < files_.size() && refusal_.empty(); ++index) watch(index);
}

void FileWatch::watch(std::size_t index) {
  // By the descriptor, not by its path: another file may have that name by now.
  const std::string path = "/proc/self/fd/" + std::to_string(files_[index].fd);
  const int watch = ::inotify_add_watch(inotify_.get(), path.c_str(), IN_MODIFY);
  if (watch < 0) {
    refusal_ = refusal_text(errno);
  } else {
    index_by_watch_.emplace(watch, index);  // a file that is there twice has one watch
  }
}

bool FileWatch::has_other_content(File& file) {
  const Bytes size = size_of(file.fd);
  if (size < file.size) file.was_cut = true;
  return size == file.size || (size > file.size && file.was_cut);
}

std::optional<std::size_t> FileWatch::overwritten() {
  alignas(inotify_event) std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t got = inotify_ ? ::read(inotify_.get(), buffer.data(), buffer.size()) : 0;
    if (got <= 0) return std::nullopt;
    for (ssize_t at = 0; at < got;) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      at += static_cast<ssize_t>(sizeof event) + event.len;
      const auto found = index_by_watch_.find(event.wd);
      if (found != index_by_watch_.end() && has_other_content(files_[found->second])) return found->second;
    }
  }
}

}  // namespace xrunlab
