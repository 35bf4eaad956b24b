#include "xrunlab/experiment/intervals.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <random>

#include "xrunlab/model/dropout_rate.hpp"

namespace xrunlab {
namespace {

constexpr double kTailShare = 0.025;
constexpr int kResamplings = 2000;
constexpr std::uint64_t kResamplingSeed = 20'001'116;
constexpr double kNsPerHour = 3600e9;

/// Whether the runs differ by more than a constant rate explains.
bool events_cluster(const std::vector<Exposure>& runs, double events_per_ns) {
  if (runs.size() < 2 || events_per_ns <= 0) return false;
  double distance = 0;
  for (const auto& run : runs) {
    const double expected = events_per_ns * static_cast<double>(run.time_ns);
    const double difference = static_cast<double>(run.events) - expected;
    distance += difference * difference / expected;
  }
  const boost::math::chi_squared chi_squared(static_cast<double>(runs.size() - 1));
  return boost::math::cdf(boost::math::complement(chi_squared, distance)) < 0.01;
}

void take_resampled_interval(const std::vector<Exposure>& runs, RateFigure& rate) {
  std::mt19937_64 random(kResamplingSeed);
  std::uniform_int_distribution<std::size_t> pick(0, runs.size() - 1);
  std::vector<double> rates;
  for (int turn = 0; turn < kResamplings; ++turn) {
    double events = 0;
    double time_ns = 0;
    for (std::size_t index = 0; index < runs.size(); ++index) {
      const Exposure& run = runs[pick(random)];
      events += static_cast<double>(run.events);
      time_ns += static_cast<double>(run.time_ns);
    }
    rates.push_back(events / time_ns * kNsPerHour);
  }
  std::sort(rates.begin(), rates.end());
  constexpr auto kTail = static_cast<std::size_t>(kTailShare * kResamplings);
  rate.low_per_hour = rates[kTail];
  rate.high_per_hour = rates[kResamplings - 1 - kTail];
}

}  // namespace

std::optional<RateFigure> pooled_rate(const std::vector<Exposure>& runs) {
  Exposure all;
  for (const auto& run : runs) {
    all.events += run.events;
    all.time_ns += run.time_ns;
  }
  if (all.time_ns <= 0) return std::nullopt;
  const DropoutRate poisson = dropout_rate(all.events, all.time_ns);
  RateFigure rate{.events = all.events,
                  .time_ns = all.time_ns,
                  .per_hour = poisson.per_hour,
                  .low_per_hour = poisson.low,
                  .high_per_hour = poisson.high,
                  .clustered = false};
  rate.clustered = events_cluster(runs, static_cast<double>(all.events) / static_cast<double>(all.time_ns));
  if (rate.clustered) take_resampled_interval(runs, rate);
  return rate;
}

ShareFigure share_of(std::int64_t hits, std::int64_t runs) {
  using Binomial = boost::math::binomial;
  const auto all = static_cast<double>(runs);
  const auto some = static_cast<double>(hits);
  return {.hits = hits,
          .runs = runs,
          .low = hits == 0 ? 0 : Binomial::find_lower_bound_on_p(all, some, kTailShare),
          .high = hits == runs ? 1 : Binomial::find_upper_bound_on_p(all, some, kTailShare)};
}

}  // namespace xrunlab
