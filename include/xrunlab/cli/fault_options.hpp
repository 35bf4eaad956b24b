// The options of `play` that inject faults, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/fault.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct FaultOptions {
  std::vector<std::string> specs;
  std::optional<std::string> seed;
};

/// Adds --fault and --fault-seed; `options` must outlive the parsing.
void add_fault_options(CLI::App& command, FaultOptions& options);

/// Throws Error{usage}.
FaultPlan parse_faults(const FaultOptions& options);

}  // namespace xrunlab
