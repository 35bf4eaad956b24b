#include "xrunlab/timing/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

namespace xrunlab {
namespace {

TEST(Histogram, EveryBucketHoldsItsOwnEdgesAndNothingElse) {
  std::int64_t expected_low = 0;
  for (std::size_t index = 0; index < Histogram::kBucketCount; ++index) {
    auto histogram = std::make_unique<Histogram>();
    histogram->record(expected_low);
    const auto bucket = histogram->snapshot().buckets.at(0);
    ASSERT_EQ(bucket.low_ns, expected_low);
    ASSERT_EQ(Histogram::bucket_index(bucket.low_ns), index);
    ASSERT_EQ(Histogram::bucket_index(bucket.high_ns), index);
    expected_low = bucket.high_ns + 1;
  }
  EXPECT_EQ(expected_low, Histogram::kLargestNs + 1);
}

TEST(Histogram, PercentilesStayWithinOnePercentOfTheSortedSamples) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> shape(12, 2);
  auto histogram = std::make_unique<Histogram>();
  std::vector<std::int64_t> sorted;
  for (int count = 0; count < 20'000; ++count) {
    sorted.push_back(static_cast<std::int64_t>(shape(random)));
    histogram->record(sorted.back());
  }
  std::sort(sorted.begin(), sorted.end());
  const auto data = histogram->snapshot();
  EXPECT_EQ(data.min_ns, sorted.front());
  EXPECT_EQ(data.max_ns, sorted.back());
  for (const std::int64_t ppm : {500'000, 990'000, 999'000}) {
    const auto rank = static_cast<std::size_t>((20'000 * ppm + 999'999) / 1'000'000);
    const auto truth = static_cast<double>(sorted[rank - 1]);
    const auto value = static_cast<double>(data.percentile(ppm)->value_ns);
    EXPECT_GE(value, truth);
    EXPECT_LE(value, truth * 1.01);
  }
}

TEST(Histogram, PercentileIsAbsentWithoutASampleAboveItAndMarkedWithFew) {
  auto histogram = std::make_unique<Histogram>();
  for (int count = 0; count < 999; ++count) histogram->record(count);
  EXPECT_FALSE(histogram->snapshot().percentile(999'000).has_value());
  histogram->record(5000);
  EXPECT_TRUE(histogram->snapshot().percentile(999'000)->few_above);
  EXPECT_FALSE(histogram->snapshot().percentile(990'000)->few_above);
}

TEST(Histogram, OverflowIsCountedAndStaysExactInMaximumAndMean) {
  auto histogram = std::make_unique<Histogram>();
  histogram->record(Histogram::kLargestNs + 1);
  histogram->record(1);
  const auto data = histogram->snapshot();
  EXPECT_EQ(data.overflow, 1);
  EXPECT_EQ(data.count, 2);
  EXPECT_EQ(data.max_ns, Histogram::kLargestNs + 1);
  EXPECT_DOUBLE_EQ(data.mean_ns(), static_cast<double>(Histogram::kLargestNs + 2) / 2);
}

}  // namespace
}  // namespace xrunlab
