#include "xrunlab/cli/set_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kPlainInterval = std::chrono::seconds{1};

}  // namespace

SetProgress::SetProgress(LiveMode mode) noexcept : mode_(mode), line_(STDERR_FILENO, mode) {}

void SetProgress::show(const WriteProgress& done) {
  if (mode_ == LiveMode::off) return;
  const bool redrawn = mode_ == LiveMode::redraw;
  const Nanoseconds now = clock_.now();
  if (!redrawn && !done.finished && now - last_ < kPlainInterval) return;
  last_ = now;
  const auto percent = done.bytes_total > 0 ? done.bytes_done * 100 / done.bytes_total : 100;
  const std::string text = fmt::format("writing the set: {:3} %  {} of {}", percent,
                                       binary_bytes(done.bytes_done), binary_bytes(done.bytes_total));
  if (redrawn) {
    line_.show(text);
  } else {
    fmt::print(stderr, "{}\n", text);
  }
}

}  // namespace xrunlab
