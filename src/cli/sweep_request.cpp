#include "xrunlab/cli/sweep_request.hpp"

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>

#include "xrunlab/cli/sweep_play.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/load/load_spec.hpp"

namespace xrunlab {
namespace {

constexpr int kMostRuns = 10'000;

[[noreturn]] void refuse_sweep(const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::usage, what, remedy);
}

/// Cut at semicolons where there is one, else at commas: a value may hold commas itself. A semicolon at the
/// end ends the last value.
std::vector<std::string> cut_values(const std::string& text) {
  const char separator = text.find(';') == std::string::npos ? ',' : ';';
  std::vector<std::string> values{""};
  for (const char letter : text) {
    if (letter == separator) {
      values.emplace_back();
    } else {
      values.back() += letter;
    }
  }
  if (separator == ';' && values.back().empty()) values.pop_back();
  return values;
}

enum class ValueCount { one, many };

/// A load that was cut in two at its own commas is refused with the way to write it.
void check_load_values(const std::string& option, const std::vector<std::string>& values) {
  for (const auto& value : values) {
    if (value == "none") continue;
    try {
      parse_load_spec(option + ": load", value);
    } catch (const Error& error) {
      if (values.size() == 1) throw;
      throw Error(
          error.code(), error.what(),
          "values that hold commas are separated by semicolons: " + option + " 'load=none;read:.,rate=20MB'");
    }
  }
}

/// What a value of an option of play comes to, so that 1s and 1000ms are one; the text itself where only that
/// tells.
std::string plain_value(const std::string& key, const std::string& value) {
  const bool is_time = key == "duration" || key == "bound";
  try {
    if (is_time) return std::to_string(parse_duration(key, value).count());
    if (key == "io-size") return std::to_string(parse_bytes(key, value));
    if (key != "ring") return value;
    const AudioSize size = parse_audio_size(key, value);
    if (const auto* const frames = std::get_if<FrameCount>(&size))
      return fmt::format("{} frames", frames->value);
    if (const auto* const bytes = std::get_if<ByteCount>(&size)) return fmt::format("{} bytes", bytes->value);
    return fmt::format("{} ns", std::get<Nanoseconds>(size).count());
  } catch (const Error&) {  // the rehearsal tells what is wrong with it, or it is "auto"
    return value;
  }
}

void check_different(const std::string& option, const SweepAxis& axis) {
  std::map<std::string, std::string> seen;
  for (const auto& value : axis.values) {
    const auto [first, is_new] = seen.try_emplace(plain_value(axis.key, value), value);
    if (is_new || first->second == value) continue;  // the same word twice is told of every key
    refuse_sweep(
        option + ": " + axis.key + "=" + first->second + " and " + axis.key + "=" + value + " are the same",
        "name it once; -n says how often it is run");
  }
}

SweepAxis play_axis(const std::string& option, const std::string& text, ValueCount count) {
  const auto equals = text.find('=');
  SweepAxis axis{text.substr(0, equals), {}};
  check_play_key(option, axis.key);
  if (equals == std::string::npos)
    refuse_sweep(option + ": " + axis.key + " has no value", "write " + axis.key + "=VALUE");
  const std::string values = text.substr(equals + 1);
  axis.values = count == ValueCount::one ? std::vector{values} : cut_values(values);
  for (const auto& value : axis.values) {
    if (value.empty())
      refuse_sweep(option + ": " + axis.key + " has an empty value", "write " + axis.key + "=VALUE");
  }
  if (axis.key == "load") check_load_values(option, axis.values);
  check_different(option, axis);
  return axis;
}

/// A setting of the machine, or an option of `play`.
SweepAxis parse_axis(const std::string& option, const std::string& text, ValueCount count,
                     std::vector<std::string>& notes) {
  if (!place_of_setting(text.substr(0, text.find('=')))) return play_axis(option, text, count);
  ParsedSetting parsed = parse_setting(option, text);
  if (count == ValueCount::one && parsed.values.size() != 1) {
    refuse_sweep(option + ": " + parsed.key + " has several values", "vary it, or give one value");
  }
  notes.insert(notes.end(), parsed.notes.begin(), parsed.notes.end());
  return {std::move(parsed.key), std::move(parsed.values)};
}

std::string new_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

int given_in_range(const char* option, std::optional<int> given, int otherwise, int least) {
  if (given && (*given < least || *given > kMostRuns)) {
    refuse_sweep(fmt::format("{}: {} is not from {} to {}", option, *given, least, kMostRuns),
                 "give another number");
  }
  return given.value_or(otherwise);
}

void check_sweep_keys(const SweepManifest& sweep) {
  std::vector<std::string> keys;
  for (const auto& axis : sweep.axes) keys.push_back(axis.key);
  for (const auto& fix : sweep.fixed) keys.push_back(fix.key);
  std::set<std::string> seen;
  for (const auto& key : keys) {
    if (!seen.insert(key).second)
      refuse_sweep(key + " is there twice", "name each key once, in --vary or in --fix");
  }
  check_given_once(sweep.play, keys);
}

/// As a shell takes it.
std::string shell_word(const std::string& word) {
  constexpr auto kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

std::string joined_values(const SweepAxis& axis) {
  bool commas = false;
  for (const auto& value : axis.values) commas = commas || value.find(',') != std::string::npos;
  std::string text;
  for (const auto& value : axis.values) text += (text.empty() ? "" : commas ? ";" : ",") + value;
  // A separator must be there to be seen.
  return commas && axis.values.size() == 1 ? text + ";" : text;
}

/// As parse_duration reads it again: in the largest unit of which it is a whole number.
std::string exact_duration(Nanoseconds duration) {
  constexpr std::int64_t kMillisecond = 1'000'000;
  const std::int64_t ns = duration.count();
  if (ns % kNsPerSecond == 0) return std::to_string(ns / kNsPerSecond) + "s";
  if (ns % kMillisecond == 0) return std::to_string(ns / kMillisecond) + "ms";
  return fmt::format("{}us", static_cast<double>(ns) / 1e3);
}

}  // namespace

SweepRequest parse_sweep(const SweepOptions& options) {
  SweepRequest request;
  SweepManifest& sweep = request.manifest;
  for (const auto& text : options.vary)
    sweep.axes.push_back(parse_axis("--vary", text, ValueCount::many, request.notes));
  for (const auto& text : options.fix) {
    const SweepAxis axis = parse_axis("--fix", text, ValueCount::one, request.notes);
    sweep.fixed.push_back({axis.key, axis.values.front()});
  }
  const SweepManifest defaults;
  sweep.runs = given_in_range("-n", options.runs, defaults.runs, 1);
  sweep.warm_ups = given_in_range("--warmup", options.warm_ups, defaults.warm_ups, 0);
  if (options.cool_down) sweep.cool_down = parse_duration("--cooldown", *options.cool_down);
  if (options.seed) sweep.seed = parse_integer("--seed", *options.seed, 0, INT64_MAX);
  sweep.prepare = options.prepare.value_or("");
  sweep.force_inert = options.force_inert;
  sweep.play = options.play;
  sweep.id = options.sweep_id.empty() ? new_id() : options.sweep_id;
  check_sweep_keys(sweep);
  return request;
}

void check_run_count(int runs) {
  given_in_range("-n", runs, runs, 1);
}

void check_resume_options(const SweepOptions& options) {
  const SweepOptions defaults;
  if (options.vary.empty() && options.fix.empty() && !options.warm_ups && !options.cool_down &&
      !options.prepare && !options.seed && options.sweep_id.empty() && !options.force_inert &&
      options.play.empty()) {
    return;
  }
  refuse_sweep("--resume makes the rest of a sweep as it was begun, which stands in its " +
                   std::string(kSweepManifestName),
               "give it only -o and, for more runs, -n");
}

void check_sweep(const SweepManifest& sweep) {
  const auto check = [](const std::string& key, const std::string& value) {
    if (!place_of_setting(key)) return check_play_key(kSweepManifestName, key);
    const ParsedSetting parsed = parse_setting(kSweepManifestName, key + "=" + value);
    if (parsed.key == key && parsed.values == std::vector{value}) return;
    refuse_sweep(std::string(kSweepManifestName) + ": " + quoted_text(value) + " is no value of " + key,
                 "begin a sweep anew");
  };
  for (const auto& axis : sweep.axes) {
    for (const auto& value : axis.values) check(axis.key, value);
  }
  for (const auto& fix : sweep.fixed) check(fix.key, fix.value);
  check_sweep_keys(sweep);
}

std::vector<SweepFix> settings_of(const SweepManifest& sweep, const std::vector<std::string>& combination) {
  std::vector<SweepFix> settings;
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis) {
    settings.push_back({sweep.axes[axis].key, combination[axis]});
  }
  settings.insert(settings.end(), sweep.fixed.begin(), sweep.fixed.end());
  return settings;
}

std::vector<SettingValue> machine_settings(const std::vector<SweepFix>& settings) {
  std::vector<SettingValue> values;
  for (const auto& [key, value] : settings) {
    if (place_of_setting(key)) values.push_back({key, value});
  }
  return values;
}

std::string only_command(const SweepManifest& sweep, int number, const std::string& directory) {
  std::vector<std::string> words{"xrunlab", "sweep", "--only", std::to_string(number)};
  const auto add = [&words](const std::string& option, const std::string& value) {
    words.push_back(option);
    words.push_back(value);
  };
  for (const auto& axis : sweep.axes) add("--vary", axis.key + "=" + joined_values(axis));
  for (const auto& fix : sweep.fixed) add("--fix", fix.key + "=" + fix.value);
  add("-n", std::to_string(sweep.runs));
  add("--warmup", std::to_string(sweep.warm_ups));
  add("--cooldown", exact_duration(sweep.cool_down));
  add("--seed", std::to_string(sweep.seed));
  add("--sweep-id", sweep.id);
  if (!sweep.prepare.empty()) add("--prepare", sweep.prepare);
  if (sweep.force_inert) words.emplace_back("--force-inert");
  add("-o", directory);
  words.emplace_back("--");
  words.insert(words.end(), sweep.play.begin(), sweep.play.end());
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

}  // namespace xrunlab
