// Dropouts an hour and what a count over a limited time says about it. Pure; used by the verdict's line.
#pragma once

#include <cstdint>
#include <string>

namespace xrunlab {

/// All three a hour.
struct DropoutRate {
  double per_hour = 0;  ///< k · 3.6·10¹² ÷ exposure_ns
  double low = 0;       ///< ½χ²(0.025; 2k), 0 at k = 0
  double high = 0;      ///< ½χ²(0.975; 2k + 2)
};

/// The exact 95 % interval of a Poisson rate (Garwood 1936) for `count` dropouts, 0 or more, in
/// `exposure_ns`, above 0.
DropoutRate dropout_rate(std::int64_t count, std::int64_t exposure_ns);

/// The same in words: "< 180/hour, 95 %", one-sided, when there was none; else "60/hour, 1.52 to 334 at 95
/// %".
std::string rate_text(std::int64_t count, std::int64_t exposure_ns);

}  // namespace xrunlab
