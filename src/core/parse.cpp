#include "xrunlab/core/parse.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view text, const std::string& why,
                         const std::string& remedy = "") {
  throw Error(ExitCode::usage, std::string(option) + ": '" + std::string(text) + "' " + why, remedy);
}

struct Number {
  double value;
  std::string_view unit;
};

/// A non-negative number in front and whatever stands behind it, blanks between them dropped.
std::optional<Number> split(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  return Number{value, unit};
}

std::optional<double> time_unit_ns(std::string_view unit) {
  if (unit == "ns") return 1;
  if (unit == "us" || unit == "µs") return 1e3;
  if (unit == "ms") return 1e6;
  if (unit == "s") return 1e9;
  if (unit == "m" || unit == "min") return 60e9;
  if (unit == "h") return 3600e9;
  return std::nullopt;
}

std::optional<double> byte_unit(std::string_view unit) {
  if (unit == "B") return 1;
  if (unit == "KiB") return 1024.0;
  if (unit == "MiB") return 1024.0 * 1024;
  if (unit == "GiB") return 1024.0 * 1024 * 1024;
  if (unit == "kB") return 1e3;
  if (unit == "MB") return 1e6;
  if (unit == "GB") return 1e9;
  return std::nullopt;
}

/// The whole number nearest to value * scale, refused when it does not fit or is negative.
std::int64_t scaled(std::string_view option, std::string_view text, double value, double scale) {
  const double product = std::round(value * scale);
  if (product < 0) refuse(option, text, "is negative", "give 0 or more");
  if (product > 9.2e18) refuse(option, text, "is too large", "give less");
  return static_cast<std::int64_t>(product);
}

void refuse_bare_prefix(std::string_view option, std::string_view text, const Number& number) {
  if (number.unit.size() != 1) return;
  const std::string digits(text.substr(0, text.find_first_not_of("0123456789.")));
  switch (number.unit.front()) {
    case 'k':
    case 'K':
      refuse(option, text, "could mean " + digits + "KiB (1024) or " + digits + "kB (1000): write which");
    case 'M':
      refuse(option, text,
             "could mean " + digits + "MiB (1048576) or " + digits + "MB (1000000): write which");
    case 'g':
    case 'G':
      refuse(option, text,
             "could mean " + digits + "GiB (1073741824) or " + digits + "GB (1000000000): write which");
    default:
      return;
  }
}

bool whole(double value) {
  return value == std::floor(value);
}

}  // namespace

AudioSize parse_audio_size(std::string_view option, std::string_view text) {
  const auto number = split(text);
  if (!number)
    refuse(option, text, "is not a size: write frames (220500), a time (5s, 250ms) or bytes (20MiB)");
  if (number->unit.empty()) {
    if (!whole(number->value)) refuse(option, text, "is not a whole number of frames");
    return FrameCount{scaled(option, text, number->value, 1)};
  }
  if (const auto bytes = byte_unit(number->unit))
    return ByteCount{scaled(option, text, number->value, *bytes)};
  if (const auto ns = time_unit_ns(number->unit))
    return Nanoseconds{scaled(option, text, number->value, *ns)};
  refuse_bare_prefix(option, text, *number);
  refuse(option, text, "is not a size: write frames (220500), a time (5s, 250ms) or bytes (20MiB)");
}

Bytes parse_bytes(std::string_view option, std::string_view text) {
  const auto number = split(text);
  if (number && number->unit.empty() && whole(number->value)) return scaled(option, text, number->value, 1);
  if (number) {
    if (const auto unit = byte_unit(number->unit)) return scaled(option, text, number->value, *unit);
    refuse_bare_prefix(option, text, *number);
  }
  refuse(option, text, "is not a number of bytes: write 65536, 64KiB or 64kB");
}

Nanoseconds parse_duration(std::string_view option, std::string_view text) {
  const auto number = split(text);
  if (number) {
    if (number->unit.empty()) return Nanoseconds{scaled(option, text, number->value, 1e9)};
    if (const auto unit = time_unit_ns(number->unit))
      return Nanoseconds{scaled(option, text, number->value, *unit)};
  }
  refuse(option, text, "is not a time: write seconds (60) or a number with us, ms, s, m or h");
}

SampleRate parse_rate(std::string_view option, std::string_view text) {
  if (const auto number = split(text)) {
    double scale = 0;
    if (number->unit.empty() || number->unit == "Hz") scale = 1;
    if (number->unit == "k" || number->unit == "kHz") scale = 1000;
    const double hz = std::round(number->value * scale);
    if (scale != 0 && hz >= 1 && hz <= 10e6) return SampleRate{static_cast<std::uint32_t>(hz)};
  }
  refuse(option, text, "is not a sample rate: write 44100 or 44.1k (1 Hz to 10 MHz)");
}

double parse_gain_db(std::string_view option, std::string_view text) {
  const std::string_view digits = !text.empty() && text.front() == '+' ? text.substr(1) : text;
  if (const auto number = split(digits)) {
    const bool unit_is_db = number->unit.empty() || number->unit == "dB" || number->unit == "db";
    if (unit_is_db && number->value >= -200 && number->value <= 60) return number->value;
  }
  refuse(option, text, "is not a gain: write decibels from -200 to 60, such as -40 or 0dB");
}

double parse_share(std::string_view option, std::string_view text, double most) {
  if (const auto number = split(text)) {
    const double share = number->unit == "%" ? number->value / 100 : number->value;
    if ((number->unit.empty() || number->unit == "%") && share >= 0 && share <= most) return share;
  }
  refuse(option, text, "is no share: write 0.5 or 50%");
}

std::int64_t parse_integer(std::string_view option, std::string_view text, std::int64_t least,
                           std::int64_t most) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < least || value > most) {
    refuse(option, text,
           "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

std::vector<std::string> parse_list(std::string_view option, std::string_view text) {
  std::vector<std::string> items{""};
  for (const char letter : text) {
    if (letter == ',') {
      items.emplace_back();
    } else {
      items.back() += letter;
    }
  }
  for (const auto& item : items) {
    if (item.empty()) refuse(option, text, "has an empty part", "put one comma between two");
  }
  return items;
}

Nanoseconds parse_microseconds(std::string_view option, std::string_view text,
                               std::chrono::microseconds most) {
  const bool has_unit = text.empty() || text.back() < '0' || text.back() > '9';
  if (!has_unit && text.find('.') != std::string_view::npos) {  // elsewhere it would be seconds
    const std::string number(text);
    refuse(option, text, "is no whole number of microseconds",
           "write the unit: " + number + "us, or " + number + "ms");
  }
  if (!has_unit) return std::chrono::microseconds{parse_integer(option, text, 0, most.count())};
  const Nanoseconds duration = parse_duration(option, text);
  if (duration > most)
    refuse(option, text, "is over " + std::to_string(most.count()) + " microseconds", "give less");
  return duration;
}

}  // namespace xrunlab
