// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/platform/trace_marker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>

namespace xrunlab {
namespace {

/// Builds one short line in place.
class MarkerLine {
 public:
  void add(std::string_view text) noexcept {
    for (const char letter : text) {
      if (size_ < text_.size()) text_[size_++] = letter;
    }
  }
  void add(std::int64_t number) noexcept {
    const auto end = std::to_chars(text_.data() + size_, text_.data() + text_.size(), number);
    if (end.ec == std::errc{}) size_ = static_cast<std::size_t>(end.ptr - text_.data());
  }
  const char* data() const noexcept { return text_.data(); }
  std::size_t size() const noexcept { return size_; }

 private:
  std::array<char, 128> text_{};
  std::size_t size_ = 0;
};

}  // namespace

/// Set-up.
TraceMarker::TraceMarker(const SysRoot& root) {
  for (const char* const file :
       {"/sys/kernel/tracing/trace_marker", "/sys/kernel/debug/tracing/trace_marker"}) {
    marker_.reset(::open(root.path(file).c_str(), O_WRONLY | O_CLOEXEC));
    if (marker_) return;
  }
}

void TraceMarker::mark(Nanoseconds late, Nanoseconds limit) noexcept {
  if (!marker_) return;
  MarkerLine line;
  line.add("xrunlab: woken ");
  line.add(late.count());
  line.add(" ns late, limit ");
  line.add(limit.count());
  line.add(" ns\n");
  [[maybe_unused]] const auto written = ::write(marker_.get(), line.data(), line.size());
}

}  // namespace xrunlab
