#include "xrunlab/experiment/fail_rule.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/experiment/run_summary.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kOption = "--fail-if";
constexpr std::string_view kForm = "write METRIC OP VALUE, as in \"ring_needed > 2s\", or METRIC worse";

struct OperatorText {
  std::string_view text;
  FailOperator op;
};

/// Longer ones first.
constexpr std::array<OperatorText, 6> kOperators{{{"<=", FailOperator::at_most},
                                                  {">=", FailOperator::at_least},
                                                  {"==", FailOperator::equal},
                                                  {"!=", FailOperator::unequal},
                                                  {"<", FailOperator::less},
                                                  {">", FailOperator::more}}};

[[noreturn]] void refuse_rule(std::string_view text, const std::string& why) {
  throw Error(ExitCode::usage, std::string(kOption) + ": '" + std::string(text) + "': " + why,
              std::string(kForm));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view without_end(std::string_view text, std::string_view end) {
  return text.ends_with(end) ? trimmed(text.substr(0, text.size() - end.size())) : text;
}

double plain_number(std::string_view rule, std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size() || !std::isfinite(value))
    refuse_rule(rule, "'" + std::string(text) + "' is no number for this figure");
  return value;
}

double limit_of(std::string_view rule, std::string_view text, FigureUnit unit) {
  switch (unit) {
    case FigureUnit::duration:
      return static_cast<double>(parse_duration(kOption, text).count());
    case FigureUnit::bytes_per_second:
      return static_cast<double>(parse_bytes(kOption, without_end(text, "/s")));
    case FigureUnit::share:
      if (text.ends_with("%")) return plain_number(rule, without_end(text, "%")) / 100;
      return plain_number(rule, text);
    case FigureUnit::per_second:
      return plain_number(rule, without_end(text, "/s"));
    case FigureUnit::per_hour:
      return plain_number(rule, without_end(text, "/h"));
    default:
      return plain_number(rule, text);
  }
}

std::size_t figure_named(std::string_view rule, std::string_view name) {
  if (const auto figure = find_run_figure(std::string(name))) return *figure;
  std::string names;
  for (const auto& figure : run_figures()) names += (names.empty() ? "" : " ") + figure.info.name;
  throw Error(
      ExitCode::usage,
      std::string(kOption) + ": '" + std::string(rule) + "': '" + std::string(name) + "' is no figure",
      "one of: " + names);
}

bool holds(double value, FailOperator op, double limit) {
  switch (op) {
    case FailOperator::less:
      return value < limit;
    case FailOperator::at_most:
      return value <= limit;
    case FailOperator::more:
      return value > limit;
    case FailOperator::at_least:
      return value >= limit;
    case FailOperator::equal:
      return value == limit;
    case FailOperator::unequal:
      return value != limit;
    case FailOperator::worse:
      break;
  }
  return false;
}

std::string shown_figure(double value, FigureUnit unit) {
  if (unit == FigureUnit::duration) return short_duration(static_cast<std::int64_t>(value));
  if (unit == FigureUnit::share) return three_digits(value * 100) + "%";
  if (unit == FigureUnit::bytes_per_second) return three_digits(value / 1e6) + "MB/s";
  return three_digits(value);
}

FailOutcome apply_worse(const FailRule& rule, const Comparison& comparison) {
  if (comparison.metric != rule.metric)
    return {true, rule.text + ": absent: " + comparison.metric + " decides here"};
  if (comparison.groups.size() < 2) return {true, rule.text + ": absent: there is nothing to compare"};
  for (const auto finding :
       {Finding::worse, Finding::nothing_to_see, Finding::confounded, Finding::one_boot, Finding::too_few}) {
    for (std::size_t index = 0; index < comparison.judgements.size(); ++index) {
      const auto& judgement = comparison.judgements[index];
      if (judgement.finding != finding) continue;
      return {true, rule.text + (finding == Finding::worse ? ": " : ": absent: ") +
                        comparison.groups[index].label + ": " + judgement.text};
    }
  }
  return {};
}

}  // namespace

FailRule parse_fail_rule(std::string_view text) {
  const auto rule = trimmed(text);
  if (rule.empty()) refuse_rule(rule, "is empty");
  FailRule parsed{.text = std::string(rule), .metric = {}};
  const auto at = rule.find_first_of("<>=!");
  std::string_view name;
  if (at == std::string_view::npos) {
    const auto blank = rule.find_last_of(" \t");
    if (blank == std::string_view::npos || rule.substr(blank + 1) != "worse")
      refuse_rule(rule, "has neither an operator nor the word worse");
    name = trimmed(rule.substr(0, blank));
  } else {
    name = trimmed(rule.substr(0, at));
  }
  parsed.figure = figure_named(rule, name);
  const auto& figure = run_figures()[parsed.figure];
  parsed.metric = figure.info.name;
  if (at == std::string_view::npos) {
    if (!figure.may_decide) refuse_rule(rule, "this figure cannot be better or worse");
    return parsed;
  }
  const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                  [&](const auto& one) { return rule.substr(at).starts_with(one.text); });
  if (found == kOperators.end()) refuse_rule(rule, "has an operator that is none of < <= > >= == !=");
  parsed.op = found->op;
  const auto value = trimmed(rule.substr(at + found->text.size()));
  if (value.empty()) refuse_rule(rule, "has no value");
  parsed.limit = limit_of(rule, value, figure.info.unit);
  return parsed;
}

FailOutcome apply_fail_rule(const FailRule& rule, const Comparison& comparison) {
  if (rule.op == FailOperator::worse) return apply_worse(rule, comparison);
  if (comparison.groups.empty()) return {true, rule.text + ": absent: no run counts"};
  for (const auto& group : comparison.groups) {
    const auto& value = group.figures.at(rule.figure);
    if (!value) return {true, rule.text + ": absent in " + group.label};
    if (!holds(*value, rule.op, rule.limit)) continue;
    return {true, rule.text + ": " + group.label + " has " +
                      shown_figure(*value, run_figures()[rule.figure].info.unit)};
  }
  return {};
}

FailOutcome apply_fail_rule(const FailRule& rule, const std::vector<Comparison>& comparisons) {
  bool any = false;
  for (const auto& comparison : comparisons) {
    const bool has_it =
        comparison.kind.empty() || is_figure_of(run_figures()[rule.figure].info, comparison.kind);
    if (!has_it) continue;
    any = true;
    if (auto outcome = apply_fail_rule(rule, comparison); outcome.failed) return outcome;
  }
  return any ? FailOutcome{} : FailOutcome{true, rule.text + ": absent: no run of a kind that has it"};
}

}  // namespace xrunlab
