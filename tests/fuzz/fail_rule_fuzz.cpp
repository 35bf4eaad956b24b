// What stands behind --fail-if: a rule that is accepted names a figure that there is and has a limit that can
// be compared with; applied, it says something whenever it fails.

#include <cmath>

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/experiment/fail_rule.hpp"
#include "xrunlab/experiment/run_summary.hpp"

namespace xrunlab::fuzz::fail_rule {
namespace {

Comparison one_group() {
  Comparison comparison;
  comparison.metric = "ring_needed";
  ComparedGroup group;
  group.label = "none";
  for (std::size_t index = 0; index < run_figures().size(); ++index)
    group.figures.push_back(index % 2 == 0 ? std::optional(1.0) : std::nullopt);
  comparison.groups = {group};
  comparison.judgements.resize(1);
  return comparison;
}

void check(const FailRule& rule) {
  require(rule.figure < run_figures().size(), "no such figure");
  require(run_figures()[rule.figure].info.name == rule.metric, "another figure than named");
  require(std::isfinite(rule.limit), "a limit that nothing can be compared with");
  require(rule.op != FailOperator::worse || run_figures()[rule.figure].may_decide, "cannot decide");
  const auto outcome = apply_fail_rule(rule, one_group());
  require(outcome.failed != outcome.text.empty(), "failed without a word, or passed with one");
  require(apply_fail_rule(rule, Comparison{}).failed, "passed without samples");
}

}  // namespace

std::vector<std::string> seeds() {
  return {"ring_needed > 2s",
          "ring_needed worse",
          "cpu_steal >= 5%",
          "read_rate < 80MB/s",
          "dropouts_per_hour != 1.5/h",
          "xruns == 0",
          "interrupts_per_s <= 1e3/s",
          "outside_p99.9 > 9e18",
          "ring_needed_ns>=250ms",
          "xruns > -1e308",
          "colour = red",
          " worse ",
          "<>=!"};
}

void run(const std::uint8_t* data, std::size_t size) {
  run_figures();  // a table that is made once
  refusal_of(ExitCode::usage, [&] {
    const AllocationLimit limit(64 * 1024 + 64 * size);
    check(parse_fail_rule(text_of(data, size)));
  });
}

const Registered registered{{"fail_rule", seeds, run}};

}  // namespace xrunlab::fuzz::fail_rule
