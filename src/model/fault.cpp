#include "xrunlab/model/fault.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"

namespace xrunlab {
namespace {

constexpr double kLongestDelayMs = 3'600'000;

/// How a fault is written.
struct Form {
  FaultKind kind;
  std::string_view name;
  std::string_view keys;  ///< for messages; which they are, the flags say
  bool of_reads;          ///< has p and track
  bool delays;            ///< has ms
  std::string_view example;
};
constexpr std::array kForms{
    Form{FaultKind::read_delay, "read-delay", "p or at, ms, track", true, true,
         "read-delay:at=3s,ms=970,track=7"},
    Form{FaultKind::short_read, "short-read", "p or at, track", true, false, "short-read:p=0.01"},
    Form{FaultKind::eio, "eio", "at or p, track", true, false, "eio:at=3s,track=7"},
    Form{FaultKind::playback_delay, "playback-delay", "at, ms", false, true, "playback-delay:at=3s,ms=60"},
    Form{FaultKind::reader_delay, "reader-delay", "at, ms", false, true, "reader-delay:at=3s,ms=970"},
    Form{FaultKind::decoder_delay, "decoder-delay", "at, ms", false, true, "decoder-delay:at=3s,ms=970"},
};

[[noreturn]] void refuse(const Form& form, const std::string& why) {
  throw Error(ExitCode::usage, "--fault " + std::string(form.name) + ": " + why,
              "its keys are " + std::string(form.keys) + ", as in " + std::string(form.example));
}

const Form& form_named(std::string_view name) {
  std::string names;
  for (const auto& form : kForms) {
    if (form.name == name) return form;
    names += (names.empty() ? "" : ", ") + std::string(form.name);
  }
  throw Error(ExitCode::usage, "--fault: there is no fault '" + std::string(name) + "'",
              "the faults are " + names + ", as in read-delay:at=3s,ms=970");
}

/// A number above 0 and at most `most`.
double number(const Form& form, std::string_view key, std::string_view value, double most) {
  double parsed = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, parsed);
  if (error == std::errc{} && rest == end && parsed > 0 && parsed <= most) return parsed;
  refuse(form, std::string(key) + ": '" + std::string(value) + "' is not a number above 0 and at most " +
                   std::to_string(std::llround(most)));
}

void set_key(const Form& form, std::string_view key, std::string_view value, FaultSpec& spec) {
  const auto name = "--fault " + std::string(form.name) + " " + std::string(key);
  if (key == "at") {
    if (spec.at) refuse(form, "at is given twice");
    spec.at = parse_duration(name, value);
  } else if (key == "p" && form.of_reads) {
    if (spec.probability) refuse(form, "p is given twice");
    spec.probability = number(form, key, value, 1);
  } else if (key == "ms" && form.delays) {
    if (spec.delay.count() != 0) refuse(form, "ms is given twice");
    const double ms = number(form, key, value, kLongestDelayMs);
    spec.delay = Nanoseconds{std::max<std::int64_t>(1, std::llround(ms * 1e6))};
  } else if (key == "track" && form.of_reads) {
    if (spec.track) refuse(form, "track is given twice");
    spec.track = static_cast<std::uint32_t>(parse_integer(name, value, 0, UINT32_MAX));
  } else {
    refuse(form, "there is no key '" + std::string(key) + "'");
  }
}

}  // namespace

std::string_view to_string(FaultKind kind) noexcept {
  for (const auto& form : kForms) {
    if (form.kind == kind) return form.name;
  }
  return "";
}

FaultSpec parse_fault(std::string_view text) {
  const auto colon = text.find(':');
  const Form& form = form_named(text.substr(0, colon));
  FaultSpec spec{.kind = form.kind, .text = std::string(text)};
  auto rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  while (!rest.empty()) {
    const auto part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) refuse(form, "'" + std::string(part) + "' has no value");
    set_key(form, part.substr(0, equals), part.substr(equals + 1), spec);
  }
  if (spec.at && spec.probability) refuse(form, "p and at exclude each other");
  if (!spec.at && !spec.probability) refuse(form, "when is missing");
  if (form.delays && spec.delay.count() == 0) refuse(form, "ms, how long, is missing");
  return spec;
}

}  // namespace xrunlab
