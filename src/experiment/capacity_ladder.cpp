#include "xrunlab/experiment/capacity_ladder.hpp"

#include <array>

namespace xrunlab {

std::vector<std::int64_t> track_ladder(std::int64_t most) {
  std::vector<std::int64_t> ladder;
  std::int64_t stride = 1;
  for (std::int64_t value = 1; value < most; value += stride) {
    ladder.push_back(value);
    if (value >= 64 * stride) stride *= 2;
  }
  ladder.push_back(most);
  return ladder;
}

std::vector<std::int64_t> ring_ladder(std::int64_t longest_ns, std::int64_t shortest_ns) {
  // The R20 series of preferred numbers (ISO 3), in hundredths.
  static constexpr std::array<std::int64_t, 20> kPreferred{900, 800, 710, 630, 560, 500, 450, 400, 355, 315,
                                                           280, 250, 224, 200, 180, 160, 140, 125, 112, 100};
  std::vector<std::int64_t> ladder;
  for (std::int64_t decade_ns = 100'000'000'000; decade_ns >= 1'000; decade_ns /= 10) {
    for (const auto hundredths : kPreferred) {
      const std::int64_t ring_ns = decade_ns / 100 * hundredths;
      if (ring_ns <= longest_ns && ring_ns >= shortest_ns) ladder.push_back(ring_ns);
    }
  }
  if (ladder.empty()) ladder.push_back(longest_ns);
  return ladder;
}

std::vector<std::int64_t> fragment_ladder(std::int64_t largest, std::int64_t smallest) {
  std::vector<std::int64_t> ladder;
  for (std::int64_t frames = std::int64_t{1} << 24; frames >= 1; frames /= 2) {
    if (frames <= largest && frames >= smallest) ladder.push_back(frames);
  }
  if (ladder.empty()) ladder.push_back(largest);
  return ladder;
}

}  // namespace xrunlab
