// Writes numbers for people: always with a point, never in the locale's manner. Used by the verdict and by
// every report; the run file has its own exact notation.
#pragma once

#include <cstdint>
#include <string>

namespace xrunlab {

/// `value` with exactly `decimals` digits behind the point: fixed(98.44, 1) is "98.4".
std::string fixed(double value, int decimals);

/// `value` with about three significant digits and no exponent below 10^15: "180", "0.125", "12.5". Larger
/// ones as "1.23e+20".
std::string three_digits(double value);

/// A duration in one unit with three digits, at most seven characters: "999ns", "23.2ms", "5.02s", "2.78h".
/// Seconds reach up to 9999.
std::string short_duration(std::int64_t ns);

/// A duration in words: "0.4 s", "60 s", "5 min 13 s", "2 h 5 min". Below 0.1 s in ms, us or ns.
std::string spoken_duration(std::int64_t ns);

/// 1024-based: "512 B", "8 KiB", "30.4 MiB".
std::string binary_bytes(std::int64_t bytes);

/// "1 track", "2 tracks": the plural is the singular with an s.
std::string counted(std::int64_t count, const std::string& singular);

}  // namespace xrunlab
