#include "xrunlab/cli/fault_options.hpp"

#include <CLI/CLI.hpp>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"

namespace xrunlab {

void add_fault_options(CLI::App& command, FaultOptions& options) {
  constexpr auto kGroup = "Faults on demand";
  command
      .add_option("--fault", options.specs,
                  "Inject a fault; may be repeated, and the run is no measurement then: "
                  "read-delay:p=0.001,ms=500 read-delay:at=3s,ms=970,track=7 short-read:p=0.1 eio:at=3s "
                  "playback-delay:at=3s,ms=60 reader-delay:at=3s,ms=970 decoder-delay:at=3s,ms=970")
      ->type_name("SPEC")
      ->allow_extra_args(false)
      ->group(kGroup);
  command.add_option("--fault-seed", options.seed, "Which reads a probability p= picks (default: 1)")
      ->type_name("N")
      ->group(kGroup);
}

FaultPlan parse_faults(const FaultOptions& options) {
  FaultPlan plan;
  for (const auto& text : options.specs) plan.specs.push_back(parse_fault(text));
  if (!options.seed) return plan;
  plan.seed = parse_integer("--fault-seed", *options.seed, 0, INT64_MAX);
  if (plan.specs.empty()) {
    throw Error(ExitCode::usage, "--fault-seed picks reads for --fault, but there is no --fault",
                "add --fault SPEC, or leave it out");
  }
  return plan;
}

}  // namespace xrunlab
