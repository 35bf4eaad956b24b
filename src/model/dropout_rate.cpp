#include "xrunlab/model/dropout_rate.hpp"

#include <boost/math/distributions/chi_squared.hpp>

namespace xrunlab {
namespace {

constexpr double kHourNs = 3600e9;

double half_chi_squared(double probability, double degrees) {
  return boost::math::quantile(boost::math::chi_squared(degrees), probability) / 2;
}

}  // namespace

DropoutRate dropout_rate(std::int64_t count, std::int64_t exposure_ns) {
  const double hours = static_cast<double>(exposure_ns) / kHourNs;
  const auto events = static_cast<double>(count);
  return {.per_hour = events / hours,
          .low = count == 0 ? 0 : half_chi_squared(0.025, 2 * events) / hours,
          .high = half_chi_squared(0.975, 2 * events + 2) / hours};
}

}  // namespace xrunlab
