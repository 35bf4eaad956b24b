// sweep.json: what is accepted comes back as it was, and its plan is of a bearable size whatever it says.

#include <optional>

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/experiment/sweep_plan.hpp"

namespace xrunlab::fuzz::sweep_manifest {
namespace {

void check_plan(const SweepManifest& sweep) {
  const SweepPlan plan = plan_sweep(sweep);
  require(!plan.combinations.empty() && plan.runs.size() <= kMostSweepRuns, "a plan of no size, or of any");
  for (const auto& run : plan.runs) {
    require(run.combination < plan.combinations.size() && run.block >= 1, "a run of no combination");
    require(sweep_file_name(plan, run).find('/') == std::string::npos, "a run's file elsewhere");
  }
}

}  // namespace

std::vector<std::string> seeds() {
  SweepManifest sweep;
  sweep.id = "a1";
  sweep.axes = {{"scheduler", {"none", "bfq"}}, {"ring", {"1s", "2s"}}};
  sweep.fixed = {{"nr_requests", "64"}};
  sweep.play = {"set", "-d", "30s"};
  return {to_json(SweepManifest{}), to_json(sweep)};
}

void run(const std::uint8_t* data, std::size_t size) {
  const std::string text(text_of(data, size));
  std::optional<SweepManifest> sweep;
  refusal_of(ExitCode::input_file, [&] {
    sweep = sweep_manifest_from_json(text, "fuzz");
    require(sweep_manifest_from_json(to_json(*sweep), "fuzz") == *sweep, "a manifest does not come back");
  });
  if (sweep) refusal_of(ExitCode::usage, [&] { check_plan(*sweep); });
}

const Registered registered{{"sweep_manifest", seeds, run}};

}  // namespace xrunlab::fuzz::sweep_manifest
