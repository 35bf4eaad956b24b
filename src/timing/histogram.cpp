#include "xrunlab/timing/histogram.hpp"

#include <algorithm>

namespace xrunlab {
namespace {

HistogramBucket bucket_at(std::size_t index, std::int64_t count) {
  if (index < 256) return {static_cast<std::int64_t>(index), static_cast<std::int64_t>(index), count};
  const std::size_t above = index - 256;
  const int shift = static_cast<int>(above / Histogram::kBucketsPerOctave) + 1;
  const auto step =
      static_cast<std::int64_t>(above % Histogram::kBucketsPerOctave) + Histogram::kBucketsPerOctave;
  return {step << shift, ((step + 1) << shift) - 1, count};
}

}  // namespace

std::optional<Percentile> HistogramData::percentile(std::int64_t ppm) const noexcept {
  const auto wanted = static_cast<std::int64_t>((static_cast<Int128>(count) * ppm + 999'999) / 1'000'000);
  const std::int64_t rank = std::max<std::int64_t>(1, wanted);
  const std::int64_t above = count - rank;
  if (above < 1) return std::nullopt;
  std::int64_t seen = 0;
  for (const auto& bucket : buckets) {
    seen += bucket.count;
    if (seen >= rank) return Percentile{std::clamp(bucket.high_ns, min_ns, max_ns), above < 10};
  }
  return Percentile{max_ns, above < 10};
}

HistogramData Histogram::snapshot() const {
  HistogramData data;
  data.count = count_.load(std::memory_order_relaxed);
  data.sum_ns = sum_ns_.load(std::memory_order_relaxed);
  data.overflow = overflow_.load(std::memory_order_relaxed);
  if (data.count > 0) {
    data.min_ns = min_ns_.load(std::memory_order_relaxed);
    data.max_ns = max_ns_.load(std::memory_order_relaxed);
  }
  for (std::size_t index = 0; index < kBucketCount; ++index) {
    const auto held = buckets_[index].load(std::memory_order_relaxed);
    if (held > 0) data.buckets.push_back(bucket_at(index, held));
  }
  return data;
}

}  // namespace xrunlab
