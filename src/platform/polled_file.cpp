#include "xrunlab/platform/polled_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace xrunlab {
namespace {

constexpr std::size_t kFirstRoom = 4096;

}  // namespace

std::optional<std::string_view> PolledFile::read() {
  if (!file_) file_ = UniqueFd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file_) return std::nullopt;
  if (text_.empty()) text_.resize(kFirstRoom);
  // The kernel makes the text anew for a reading that begins at 0, and of a longer text gives a page at a
  // time.
  std::size_t length = 0;
  for (;;) {
    if (length == text_.size()) text_.resize(2 * text_.size());
    const ssize_t got =
        ::pread(file_.get(), text_.data() + length, text_.size() - length, static_cast<off_t>(length));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    length += static_cast<std::size_t>(got);
    if (got == 0) break;
  }
  return std::string_view(text_).substr(0, length);
}

}  // namespace xrunlab
