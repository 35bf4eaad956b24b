#include "xrunlab/cli/sweep_progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kRedraw = std::chrono::seconds{1};

std::string place_text(const SweepRun& run) {
  if (run.phase == SweepPhase::warm_up) return "warm-up";
  return fmt::format("block {}{}", run.block, run.phase == SweepPhase::exploratory ? ", exploratory" : "");
}

/// To the second: tenths of it would only flicker.
std::string left_text(Nanoseconds left) {
  const auto seconds = (std::max<std::int64_t>(0, left.count()) + kNsPerSecond - 1) / kNsPerSecond;
  return "about " + spoken_duration(seconds * kNsPerSecond) + " left";
}

/// As much as one line of the terminal holds: what wraps could not be taken away again.
std::string cut_to_terminal(std::string line) {
  constexpr std::size_t kUsualWidth = 80;
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 2;
  line.resize(std::min(line.size(), (known ? size.ws_col : kUsualWidth) - 1));
  return line;
}

}  // namespace

SweepReport::SweepReport(bool quiet)
    : quiet_(quiet),
      redraws_(!quiet &&
               choose_live_mode(describe_terminal(STDERR_FILENO), std::nullopt) == LiveMode::redraw) {}

void SweepReport::begin(const SweepRun& run, const SweepProgress& progress, std::string combination) {
  run_ = run;
  progress_ = progress;
  combination_ = std::move(combination);
  begin_ = clock_.now();
  last_look_ = {};
  look();
}

std::string SweepReport::head() const {
  return fmt::format("{}/{} {}: {}", run_.number, progress_.total, place_text(run_), combination_);
}

void SweepReport::look() {
  const Nanoseconds now = clock_.now();
  if (!redraws_ || now - last_look_ < kRedraw) return;
  last_look_ = now;
  const std::string line = left_text(progress_.left - (now - begin_)) + "; " + head();
  fmt::print(stderr, "\r{}\033[K", cut_to_terminal(line));
  std::fflush(stderr);
  drawn_ = true;
}

void SweepReport::end(const std::string& verdict_line) {
  clear();
  if (quiet_) return;
  const Nanoseconds left = progress_.left - (clock_.now() - begin_);
  const bool last = progress_.done + 1 == progress_.total;
  fmt::print(stderr, "{}: {}{}\n", head(), verdict_line, last ? "" : "; " + left_text(left));
}

void SweepReport::warn(const std::string& line) {
  if (!warned_.insert(line).second) return;
  clear();
  fmt::print(stderr, "xrunlab: warning: {}\n", line);
}

void SweepReport::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace xrunlab
