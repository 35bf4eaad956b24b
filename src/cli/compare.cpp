#include "xrunlab/cli/compare.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>

#include "xrunlab/cli/run_files.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/experiment/compare_runs.hpp"
#include "xrunlab/experiment/fail_rule.hpp"
#include "xrunlab/report/comparison_data.hpp"
#include "xrunlab/report/comparison_text.hpp"

namespace xrunlab {
namespace {

double parse_effect(const std::string& text) {
  const bool percent = text.ends_with('%');
  double value = 0;
  const char* const end = text.data() + text.size() - (percent ? 1 : 0);
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (percent) value /= 100;
  if (error != std::errc{} || rest != end || !(value >= 0 && value <= 10)) {
    throw Error(ExitCode::usage, "--min-effect: '" + text + "' is no share",
                "write 5% or 0.05, at most 1000%");
  }
  return value;
}

/// "METRIC worse" names the figure that decides as --metric does: only one can.
std::string deciding_metric(const CompareOptions& options, const std::vector<FailRule>& rules) {
  std::string metric = options.metric;
  if (const auto figure = find_run_figure(metric)) metric = run_figures()[*figure].info.name;
  for (const auto& rule : rules) {
    if (rule.op != FailOperator::worse) continue;
    if (metric.empty()) metric = rule.metric;
    if (metric == rule.metric) continue;
    throw Error(ExitCode::usage, "--fail-if: '" + rule.text + "': " + metric + " decides already",
                "only one figure may decide: compare once for each");
  }
  return metric;
}

std::string formatted(const std::vector<Comparison>& comparisons, const std::string& format) {
  if (format == "markdown") return comparison_markdown(comparisons);
  if (format == "csv") return comparison_csv(comparisons);
  if (format == "json") return comparison_json(comparisons);
  return comparison_text(comparisons);
}

/// Of all that were given, one or several with commas.
std::vector<std::string> parse_keys(const std::vector<std::string>& given) {
  std::vector<std::string> keys;
  for (const auto& text : given) {
    for (auto& key : parse_list("--by", text)) keys.push_back(std::move(key));
  }
  return keys;
}

/// What is empty would be taken for the default.
std::string refuse_empty(const std::string& text) {
  return text.empty() ? "it is empty" : "";
}

}  // namespace

CLI::App* add_compare(CLI::App& app, CompareOptions& options) {
  auto* const compare = app.add_subcommand("compare", "Compare runs: which setting is better?");
  compare->add_option("RUNS", options.inputs, "Run files; a directory stands for all run files below it")
      ->required();
  compare
      ->add_option(
          "--by", options.by,
          "What to compare: a key, or several with commas. Default: what a sweep has varied, else kernel "
          "and preemption")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("KEY");
  compare
      ->add_option(
          "--baseline", options.baseline,
          "The group that the others are held against. Default: the settings that a sweep found, else "
          "the first group")
      ->check(refuse_empty);
  compare
      ->add_option("--metric", options.metric,
                   "The one figure that decides. Default: ring_needed; without a ring lateness_p99.9; "
                   "unpaced read_rate; of latency latency_p99.9, of jack jack_delay_p99.9")
      ->check(refuse_empty);
  compare->add_option("--min-effect", options.min_effect, "A smaller difference is none")
      ->capture_default_str();
  compare->add_option("--format", options.format, "text, markdown, csv or json")
      ->check(CLI::IsMember({"text", "markdown", "csv", "json"}))
      ->capture_default_str();
  compare
      ->add_option("--fail-if", options.fail_if,
                   "Exit with 1 if this holds for a group, or cannot be told: \"METRIC OP VALUE\", \"METRIC "
                   "worse\". Repeatable")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("EXPR");
  compare->add_flag("--include", options.include,
                    "Also count runs that are incomplete, injected with faults or without a verdict");
  compare->footer(
      "Better or worse is said of one figure only, after an exact test adjusted for the\n"
      "number of groups, and of an effect of 5 % or more. See also docs/compare.md.\n"
      "Exit codes: 0 compared; 1 a --fail-if holds or cannot be told, or no run counts;\n"
      "2 usage; 3 stdout failed; 4 no run file, or one that cannot be read.\n"
      "\n"
      "Example:\n"
      "  xrunlab compare sweep/ --fail-if 'ring_needed worse' --fail-if 'xruns > 0'\n");
  return compare;
}

ExitCode run_compare(const CompareOptions& options) {
  std::vector<FailRule> rules;
  for (const auto& text : options.fail_if) rules.push_back(parse_fail_rule(text));
  const CompareRequest request{.by = parse_keys(options.by),
                               .baseline = options.baseline,
                               .metric = deciding_metric(options, rules),
                               .min_effect = parse_effect(options.min_effect),
                               .doubtful = options.include ? DoubtfulRuns::include : DoubtfulRuns::leave_out};
  const ReadRuns read = read_run_files(options.inputs);
  auto comparisons = compare_kinds(read.runs, request);
  auto& left_out = comparisons.front().left_out;
  left_out.insert(left_out.end(), read.not_read.begin(), read.not_read.end());
  print_out(formatted(comparisons, options.format));
  flush_out();
  const bool any_counts = !comparisons.front().groups.empty();
  ExitCode code = any_counts ? ExitCode::ok : ExitCode::limit_broken;
  if (!any_counts) fmt::print(stderr, "xrunlab: no run counts; --include counts doubtful ones\n");
  for (const auto& rule : rules) {
    const FailOutcome outcome = apply_fail_rule(rule, comparisons);
    if (!outcome.failed) continue;
    fmt::print(stderr, "xrunlab: failed: {}\n", outcome.text);
    code = ExitCode::limit_broken;
  }
  return exit_code_after_output(code);
}

}  // namespace xrunlab
