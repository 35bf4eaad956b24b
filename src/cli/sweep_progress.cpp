#include "xrunlab/cli/sweep_progress.hpp"

#include <fmt/format.h>

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

}  // namespace

SweepReport::SweepReport(bool quiet) : quiet_(quiet), line_(quiet) {}

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
  if (!line_.is_shown() || now - last_look_ < kRedraw) return;
  last_look_ = now;
  line_.show(left_text(progress_.left - (now - begin_)) + "; " + head());
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

}  // namespace xrunlab
