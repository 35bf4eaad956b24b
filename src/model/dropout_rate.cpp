#include "xrunlab/model/dropout_rate.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

constexpr double kHourNs = 3600e9;
// −ln 0.05 = 2.9957: with no event in T, a rate above 3.00 ÷ T would have shown one in 95 % of such runs.
constexpr double kNoneSeenUpper95 = 3.00;

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

std::string rate_text(std::int64_t count, std::int64_t exposure_ns) {
  const double hours = static_cast<double>(exposure_ns) / kHourNs;
  if (count == 0) return "< " + three_digits(kNoneSeenUpper95 / hours) + "/hour, 95 %";
  const DropoutRate rate = dropout_rate(count, exposure_ns);
  return three_digits(rate.per_hour) + "/hour, " + three_digits(rate.low) + " to " + three_digits(rate.high) +
         " at 95 %";
}

}  // namespace xrunlab
