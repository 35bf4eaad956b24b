#include "xrunlab/audio/sim_options.hpp"

#include <algorithm>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kKeys = "channels, rate, formats, period, ppm, stall, capture";

/// Cuts the text up to the next separator off the front of `text`.
std::string_view take_until(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::vector<SampleFormat> parse_formats(std::string_view value) {
  std::vector<SampleFormat> formats;
  const SimOptions defaults;
  do {
    const auto name = take_until(value, '+');
    const auto format = sample_format_from(name);
    bool known = false;
    for (const auto possible : defaults.formats) known = known || format == possible;
    if (!known) {
      throw Error(ExitCode::usage, "sim formats: the simulated card has no '" + std::string(name) + "'",
                  "write S32_LE, S24_3LE, S24_LE, S16_LE, FLOAT_LE or U8, several with '+' between them");
    }
    formats.push_back(*format);
  } while (!value.empty());
  return formats;
}

SimStall parse_stall(std::string_view value) {
  const auto plus = value.find('+');
  if (plus == std::string_view::npos) {
    throw Error(ExitCode::usage, "sim stall: '" + std::string(value) + "' has no length",
                "write when after the start and for how long, such as stall=3s+70ms");
  }
  const SimStall stall{parse_duration("sim stall", value.substr(0, plus)),
                       parse_duration("sim stall", value.substr(plus + 1))};
  if (std::max(stall.at, stall.length) > kSimLatestStall) {
    throw Error(ExitCode::usage, "sim stall: '" + std::string(value) + "' is longer than a year",
                "write when after the start and for how long, each at most 8760h");
  }
  return stall;
}

}  // namespace

void set_sim_option(SimOptions& options, std::string_view key, std::string_view value) {
  if (key == "channels") {
    options.channels = static_cast<int>(parse_integer("sim channels", value, 1, kSimMaxChannels));
  } else if (key == "rate") {
    options.rate = parse_rate("sim rate", value);
  } else if (key == "formats") {
    options.formats = parse_formats(value);
  } else if (key == "period") {
    options.period = parse_integer("sim period", value, kSimMinPeriod, 1 << 20);
  } else if (key == "ppm") {
    options.ppm = static_cast<int>(parse_integer("sim ppm", value, -500'000, 500'000));
  } else if (key == "stall") {
    options.stalls.push_back(parse_stall(value));
  } else if (key == "capture") {
    if (value.empty()) throw Error(ExitCode::usage, "sim capture: the file has no name");
    options.capture = std::string(value);
  } else {
    throw Error(ExitCode::usage, "the simulated card has no option '" + std::string(key) + "'",
                "its options are " + std::string(kKeys) + ", as in sim:channels=6,stall=3s+70ms");
  }
}

SimOptions parse_sim_options(std::string_view text) {
  SimOptions options;
  while (!text.empty()) {
    auto value = take_until(text, ',');
    const auto key = take_until(value, '=');
    set_sim_option(options, key, value);
  }
  return options;
}

}  // namespace xrunlab
