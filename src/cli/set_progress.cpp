#include "xrunlab/cli/set_progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kPlainInterval = std::chrono::seconds{1};

}  // namespace

void SetProgress::show(const WriteProgress& done) {
  if (mode_ == LiveMode::off) return;
  const bool redrawn = mode_ == LiveMode::redraw;
  const Nanoseconds now = clock_.now();
  if (!redrawn && !done.finished && now - last_ < kPlainInterval) return;
  last_ = now;
  const auto percent = done.bytes_total > 0 ? done.bytes_done * 100 / done.bytes_total : 100;
  fmt::print(stderr, "{}writing the set: {:3} %  {} of {}{}", redrawn ? "\r" : "", percent,
             binary_bytes(done.bytes_done), binary_bytes(done.bytes_total), redrawn ? "\033[K" : "\n");
  std::fflush(stderr);
  drawn_ = redrawn;
}

void SetProgress::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace xrunlab
