#include "xrunlab/core/figures.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "xrunlab/core/units.hpp"

namespace xrunlab {
namespace {

std::string written(double value, std::chars_format format, int precision) {
  std::array<char, 400> text;  // the longest double takes 309 digits before the point
  const auto result = std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
  return {text.data(), result.ptr};
}

struct Unit {
  double ns;
  double limit;  ///< the unit serves below this many of it
  const char* name;
};

}  // namespace

std::string fixed(double value, int decimals) {
  return written(value, std::chars_format::fixed, decimals);
}

std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (!(size < 1e15)) return written(value, std::chars_format::scientific, 2);
  if (size == 0) return "0";
  if (size < 0.001) return written(value, std::chars_format::scientific, 2);
  int decimals = 2 - static_cast<int>(std::floor(std::log10(size)));
  // 9.996 rounds to 10.00, which has a digit too many.
  if (decimals > 0 && std::fabs(std::round(size * std::pow(10, decimals))) >= 1000) --decimals;
  return fixed(value, std::max(0, decimals));
}

std::string short_duration(std::int64_t ns) {
  // A limit of 999.5 keeps rounding from giving "1000us".
  static constexpr std::array<Unit, 4> kUnits{
      {{1, 999.5, "ns"}, {1e3, 999.5, "us"}, {1e6, 999.5, "ms"}, {1e9, 9999.5, "s"}}};
  const auto value = static_cast<double>(ns);
  for (const auto& unit : kUnits) {
    if (std::fabs(value) < unit.limit * unit.ns) return three_digits(value / unit.ns) + unit.name;
  }
  const double hours = value / 3600e9;
  if (std::fabs(hours) < 99999.5) return three_digits(hours) + "h";
  const auto exponent = static_cast<int>(std::floor(std::log10(std::fabs(hours))));
  return fixed(hours / std::pow(10, exponent), 2) + "e" + std::to_string(exponent) + "h";
}

std::string spoken_duration(std::int64_t ns) {
  const double seconds = static_cast<double>(ns) * 1e-9;
  if (ns != 0 && std::fabs(seconds) < 0.9995) {
    const std::string text = short_duration(ns);
    const auto unit = text.find_first_not_of("-.0123456789");
    return text.substr(0, unit) + " " + text.substr(unit);
  }
  if (seconds < 119.95) {
    std::string text = fixed(seconds, 1);
    if (seconds >= 10 && text.ends_with(".0")) text.resize(text.size() - 2);
    return text + " s";
  }
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  const std::int64_t minutes = whole / 60;
  if (minutes < 120) {
    const std::string text = std::to_string(minutes) + " min";
    return whole % 60 == 0 ? text : text + " " + std::to_string(whole % 60) + " s";
  }
  const std::string text = std::to_string(minutes / 60) + " h";
  return minutes % 60 == 0 ? text : text + " " + std::to_string(minutes % 60) + " min";
}

std::string binary_bytes(std::int64_t bytes) {
  static constexpr std::array kNames{" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  auto value = static_cast<double>(bytes);
  std::size_t index = 0;
  while (std::fabs(value) >= 1023.5 && index + 1 < kNames.size()) {
    value /= 1024;
    ++index;
  }
  const bool whole = value == std::floor(value);
  return (whole ? fixed(value, 0) : three_digits(value)) + kNames[index];
}

std::string counted(std::int64_t count, const std::string& singular) {
  return std::to_string(count) + " " + singular + (count == 1 ? "" : "s");
}

}  // namespace xrunlab
