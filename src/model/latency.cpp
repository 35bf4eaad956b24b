#include "xrunlab/model/latency.hpp"

#include <algorithm>
#include <cmath>

namespace xrunlab {
namespace {

constexpr struct {
  const char* name;
  std::int64_t ppm;
} kLatencyPercentiles[] = {
    {"p50", 500'000}, {"p90", 900'000}, {"p99", 990'000}, {"p99.9", 999'000}, {"p99.99", 999'900}};

using OptionalCount = std::optional<std::int64_t>;

/// Nothing when one of them has none, or there are none.
OptionalCount sum_of(const std::vector<LatencyFigures>& parts, OptionalCount LatencyFigures::*member) {
  if (parts.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const auto& part : parts) {
    if (!(part.*member)) return std::nullopt;
    sum += *(part.*member);
  }
  return sum;
}

/// Of those that measured anything: the others have no minimum and no maximum.
template <class Chosen>
OptionalCount chosen_of(const std::vector<LatencyFigures>& parts, OptionalCount LatencyFigures::*member,
                        Chosen chosen) {
  OptionalCount best;
  for (const auto& part : parts) {
    if (part.count == 0) continue;
    if (!(part.*member)) return std::nullopt;
    best = best ? chosen(*best, *(part.*member)) : *(part.*member);
  }
  return best;
}

std::optional<double> mean_of(const std::vector<LatencyFigures>& parts) {
  double sum = 0;
  double count = 0;
  for (const auto& part : parts) {
    if (!part.count || (*part.count > 0 && !part.mean_ns)) return std::nullopt;
    if (*part.count == 0) continue;
    sum += *part.mean_ns * static_cast<double>(*part.count);
    count += static_cast<double>(*part.count);
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

/// Histograms of one tool have the same buckets, so rows are added where they are alike.
std::optional<std::vector<HistogramBucket>> added(const std::vector<LatencyFigures>& parts) {
  if (parts.empty()) return std::nullopt;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> rows;
  for (const auto& part : parts) {
    if (!part.histogram) return std::nullopt;
    for (const auto& bucket : *part.histogram) rows[{bucket.low_ns, bucket.high_ns}] += bucket.count;
  }
  std::vector<HistogramBucket> buckets;
  for (const auto& [edges, count] : rows) buckets.push_back({edges.first, edges.second, count});
  return buckets;
}

std::map<std::string, std::int64_t> latency_percentiles(const HistogramData& histogram) {
  std::map<std::string, std::int64_t> values;
  for (const auto& [name, ppm] : kLatencyPercentiles) {
    if (const auto percentile = histogram.percentile(ppm)) values.emplace(name, percentile->value_ns);
  }
  return values;
}

}  // namespace

LatencyFigures figures_of(const HistogramData& histogram) {
  LatencyFigures figures;
  figures.count = histogram.count;
  if (histogram.count > 0) {
    figures.min_ns = histogram.min_ns;
    figures.mean_ns = histogram.mean_ns();
    figures.max_ns = histogram.max_ns;
  }
  figures.percentiles_ns = latency_percentiles(histogram);
  figures.histogram = histogram.buckets;
  figures.overflow = histogram.overflow;
  return figures;
}

std::optional<HistogramData> histogram_of(const LatencyFigures& figures) {
  if (!figures.count || !figures.min_ns || !figures.max_ns || !figures.histogram) return std::nullopt;
  HistogramData histogram{.count = *figures.count,
                          .min_ns = *figures.min_ns,
                          .max_ns = *figures.max_ns,
                          .overflow = figures.overflow.value_or(0),
                          .buckets = *figures.histogram};
  if (figures.mean_ns) {
    const double sum = *figures.mean_ns * static_cast<double>(*figures.count);
    if (std::abs(sum) < 9e18) histogram.sum_ns = std::llround(sum);
  }
  return histogram;
}

LatencyFigures together(const std::vector<LatencyFigures>& parts) {
  LatencyFigures figures;
  figures.count = sum_of(parts, &LatencyFigures::count);
  figures.missed = sum_of(parts, &LatencyFigures::missed);
  figures.over = sum_of(parts, &LatencyFigures::over);
  figures.min_ns = chosen_of(parts, &LatencyFigures::min_ns,
                             [](std::int64_t left, std::int64_t right) { return std::min(left, right); });
  figures.mean_ns = mean_of(parts);
  figures.max_ns = chosen_of(parts, &LatencyFigures::max_ns,
                             [](std::int64_t left, std::int64_t right) { return std::max(left, right); });
  figures.histogram = added(parts);
  figures.overflow = sum_of(parts, &LatencyFigures::overflow);
  if (parts.size() == 1) {
    figures.percentiles_ns = parts.front().percentiles_ns;
  } else if (const auto histogram = histogram_of(figures)) {
    figures.percentiles_ns = latency_percentiles(*histogram);
  }
  return figures;
}

std::optional<bool> is_whole(const LatencyRound& round) noexcept {
  if (!round.planned || !round.figures.count) return std::nullopt;
  return *round.figures.count >= *round.planned;
}

std::optional<double> median_of_maxima_ns(const LatencyData& latency) {
  std::vector<double> maxima;
  for (const auto& round : latency.rounds) {
    if (!round.figures.max_ns) return std::nullopt;
    maxima.push_back(static_cast<double>(*round.figures.max_ns));
  }
  if (maxima.empty()) return std::nullopt;
  std::sort(maxima.begin(), maxima.end());
  const std::size_t middle = maxima.size() / 2;
  return maxima.size() % 2 == 1 ? maxima[middle] : (maxima[middle - 1] + maxima[middle]) / 2;
}

bool contradict_each_other(const LatencyFigures& figures) noexcept {
  if (figures.count.value_or(0) < 0 || figures.missed.value_or(0) < 0 || figures.over.value_or(0) < 0)
    return true;
  if (figures.min_ns && figures.max_ns && *figures.min_ns > *figures.max_ns) return true;
  if (figures.mean_ns) {
    const double rounding = 1 + 1e-9 * std::abs(*figures.mean_ns);  // ns
    if (figures.min_ns && *figures.mean_ns < static_cast<double>(*figures.min_ns) - rounding) return true;
    if (figures.max_ns && *figures.mean_ns > static_cast<double>(*figures.max_ns) + rounding) return true;
  }
  if (!figures.histogram) return false;
  if (!figures.count) return true;
  std::int64_t left = *figures.count;
  for (const auto& bucket : *figures.histogram) {
    if (bucket.count < 0 || bucket.count > left || bucket.low_ns > bucket.high_ns) return true;
    left -= bucket.count;
  }
  return figures.overflow.value_or(0) < 0;
}

}  // namespace xrunlab
