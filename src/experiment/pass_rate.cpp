#include "xrunlab/experiment/pass_rate.hpp"

#include <boost/math/distributions/binomial.hpp>

namespace xrunlab {

double pass_rate_low(int passes, int trials) {
  return boost::math::binomial_distribution<>::find_lower_bound_on_p(trials, passes, 0.05);
}

}  // namespace xrunlab
