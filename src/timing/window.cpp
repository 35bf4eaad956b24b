#include "xrunlab/timing/window.hpp"

#include <algorithm>

namespace xrunlab {

WindowFigures joined(const WindowFigures& first, const WindowFigures& second) noexcept {
  return {.start_ns = first.start_ns,
          .length_ns = second.start_ns + second.length_ns - first.start_ns,
          .fragments = first.fragments + second.fragments,
          .ring_read_max_ns = std::max(first.ring_read_max_ns, second.ring_read_max_ns),
          .pcm_write_max_ns = std::max(first.pcm_write_max_ns, second.pcm_write_max_ns),
          .outside_max_ns = std::max(first.outside_max_ns, second.outside_max_ns),
          .lateness_max_ns = std::max(first.lateness_max_ns, second.lateness_max_ns),
          .cycle_max_ns = std::max(first.cycle_max_ns, second.cycle_max_ns),
          .starved_reads = first.starved_reads + second.starved_reads,
          .xruns = first.xruns + second.xruns,
          .ring_low_water = std::min(first.ring_low_water, second.ring_low_water),
          .slack_low_water = std::min(first.slack_low_water, second.slack_low_water)};
}

WindowSeries::WindowSeries(std::size_t expected, std::size_t most)
    : most_(std::max<std::size_t>(2, most + most % 2)) {
  windows_.resize(std::min(expected, most_));
  windows_.clear();
}

void WindowSeries::add(const WindowFigures& window) {
  if (joined_in_last_ < joined_in_each_) {
    windows_.back() = joined(windows_.back(), window);
    ++joined_in_last_;
    return;
  }
  if (windows_.size() == most_) halve();
  windows_.push_back(window);
  joined_in_last_ = 1;
}

/// All are equally long here, and their number is even.
void WindowSeries::halve() noexcept {
  for (std::size_t pair = 0; pair < most_ / 2; ++pair)
    windows_[pair] = joined(windows_[2 * pair], windows_[2 * pair + 1]);
  windows_.resize(most_ / 2);
  joined_in_each_ *= 2;
}

}  // namespace xrunlab
