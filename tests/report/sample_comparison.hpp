// Comparisons for the tests of their reports. Figures are few, so that a test shows them all.
#pragma once

#include <string>

#include "xrunlab/model/comparison.hpp"

namespace xrunlab::test {

inline ComparedGroup compared_group(const std::string& value, double ring_needed_ns) {
  return {.label = value,
          .keys = {{"scheduler", value}},
          .runs = 10,
          .boots = 1,
          .time_ns = 600'000'000'000,
          .pass = {9, 10, 0.555, 0.9975},
          .dropouts = RateFigure{3, 600'000'000'000, 18, 3.71, 52.6, false},
          .figures = {ring_needed_ns, 47'100'000, std::nullopt, 0.0123, 6'900'000}};
}

/// Groups named g0, g1 … of schedulers; the first is the baseline, the second worse.
inline Comparison sample_comparison(std::size_t groups) {
  Comparison comparison;
  comparison.by = {"scheduler"};
  comparison.metric = "ring_needed";
  comparison.figures = {{"ring_needed", "ring_needed_ns", "ring needed", FigureUnit::duration},
                        {"outside_max", "outside_max_ns", "T3 out max", FigureUnit::duration},
                        {"headroom", "headroom", "headroom", FigureUnit::ratio},
                        {"cpu_steal", "cpu_steal_share", "CPU steal", FigureUnit::share},
                        {"read_rate", "read_rate_bytes_per_s", "read MB/s", FigureUnit::bytes_per_second}};
  for (std::size_t index = 0; index < groups; ++index) {
    comparison.groups.push_back(
        compared_group("g" + std::to_string(index), 1e9 * static_cast<double>(index + 1)));
    Judgement judgement{.finding = Finding::baseline, .text = "baseline"};
    if (index > 0) {
      judgement = {.finding = index == 1 ? Finding::worse : Finding::no_difference,
                   .text = index == 1 ? "worse: ratio 2.00 (1.90 … 2.10, 95 %), p = 0.006, 10 runs each"
                                      : "no difference shown (ratio 0.91 … 1.12, 95 %, 10 runs each)",
                   .test = "signed-rank",
                   .ratio = 2,
                   .low = 1.9,
                   .high = 2.1,
                   .p = 0.002,
                   .adjusted_p = 0.006,
                   .has = 10,
                   .needs = 7};
    }
    comparison.judgements.push_back(judgement);
  }
  comparison.differences = {{"machine", {"stage (10 runs)", "studio (10 runs)"}}};
  comparison.left_out = {{"a.json", "a warm-up"}, {"b.json", "a warm-up"}, {"c, d.json", "incomplete"}};
  comparison.notes = {"read_ahead_kb cannot act in this configuration"};
  return comparison;
}

}  // namespace xrunlab::test
