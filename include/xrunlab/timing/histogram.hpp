// The log-linear histogram of every timed section, and what is computed from it. One thread records
// (wait-free, nothing allocated); any thread may take a snapshot. Buckets: 1 ns wide below 256 ns, then 128
// an octave, so that a value read back is at most 1/128 (0.8 %) too large; minimum, maximum and mean are
// exact; what exceeds the range is counted as overflow.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// A bucket that holds something: `low_ns` … `high_ns`, both inclusive.
struct HistogramBucket {
  std::int64_t low_ns = 0;
  std::int64_t high_ns = 0;
  std::int64_t count = 0;
  friend bool operator==(const HistogramBucket&, const HistogramBucket&) = default;
};

/// A percentile of a HistogramData.
struct Percentile {
  std::int64_t value_ns = 0;
  bool few_above = false;  ///< fewer than ten samples lie above it: shown with "~"
};

/// What a histogram held at one moment; plain data.
struct HistogramData {
  std::int64_t count = 0;                ///< all samples, overflow included
  std::int64_t min_ns = 0;               ///< exact; 0 when count is 0
  std::int64_t max_ns = 0;               ///< exact, overflow included
  std::int64_t sum_ns = 0;               ///< exact
  std::int64_t overflow = 0;             ///< samples above Histogram::kLargestNs, which stand in no bucket
  std::vector<HistogramBucket> buckets;  ///< ascending, none empty

  double mean_ns() const noexcept {
    return count == 0 ? 0.0 : static_cast<double>(sum_ns) / static_cast<double>(count);
  }

  /// The value at rank max(1, ceil(count * ppm / 10^6)): upper edge of its bucket, clipped to [min, max].
  /// Nothing when no sample lies above that rank (p99.9 needs 1,000 samples). ppm from 1 to 999,999.
  std::optional<Percentile> percentile(std::int64_t ppm) const noexcept;
  friend bool operator==(const HistogramData&, const HistogramData&) = default;
};

class Histogram {
 public:
  static constexpr std::int64_t kLinearLimitNs = 256;
  static constexpr int kBucketsPerOctave = 128;
  static constexpr int kLargestExponent = 41;  // 2^41 ns is 36 minutes
  static constexpr std::int64_t kLargestNs =
      (std::int64_t{1} << kLargestExponent) - 1;  // the largest value with a bucket
  static constexpr std::size_t kBucketCount = 256 + 128 * (kLargestExponent - 8);

  /// Index of the bucket of `ns`, 0 … kBucketCount − 1; ns must lie in 0 … kLargestNs.
  static constexpr std::size_t bucket_index(std::int64_t ns) noexcept {
    if (ns < kLinearLimitNs) return static_cast<std::size_t>(ns);
    const int exponent = 63 - __builtin_clzll(static_cast<unsigned long long>(ns));  // 8 … 40
    const auto within = static_cast<std::size_t>((ns >> (exponent - 7)) - kBucketsPerOctave);
    return 256 + static_cast<std::size_t>(exponent - 8) * kBucketsPerOctave + within;
  }

  /// Adds one sample; negative values count as 0. Thread: the one writer. Real-time: wait-free.
  void record(std::int64_t ns) noexcept {
    ns = ns < 0 ? 0 : ns;
    if (ns > kLargestNs) [[unlikely]] {
      bump(overflow_, 1);
    } else {
      bump(buckets_[bucket_index(ns)], 1);
    }
    if (ns < min_ns_.load(std::memory_order_relaxed)) min_ns_.store(ns, std::memory_order_relaxed);
    if (ns > max_ns_.load(std::memory_order_relaxed)) max_ns_.store(ns, std::memory_order_relaxed);
    bump(sum_ns_, ns);
    bump(count_, 1);
  }
  void record(Nanoseconds duration) noexcept { record(duration.count()); }

  /// Thread: any; exact once the writer has stopped, else off by the sample being recorded.
  HistogramData snapshot() const;
  std::int64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  std::int64_t max_ns() const noexcept { return max_ns_.load(std::memory_order_relaxed); }

 private:
  using Counter = std::atomic<std::int64_t>;

  // One writer: load and store instead of a locked add (20 cycles less each).
  static void bump(Counter& counter, std::int64_t by) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  Counter count_{0};
  Counter sum_ns_{0};
  Counter min_ns_{INT64_MAX};
  Counter max_ns_{-1};
  Counter overflow_{0};
  std::array<Counter, kBucketCount> buckets_{};
};

}  // namespace xrunlab
