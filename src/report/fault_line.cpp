#include "xrunlab/report/fault_line.hpp"

#include "xrunlab/core/figures.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kTextColumn = 12;

std::string befell(const FaultData& fault) {
  if (fault.count == 0) return "never";
  const std::string times = fault.count == 1 ? "once" : counted(fault.count, "time");
  if (!fault.first_ns) return times;
  const std::string when =
      *fault.first_ns < 0 ? "before the start" : "at " + spoken_duration(*fault.first_ns);
  return times + (fault.count == 1 ? ", " : ", first ") + when;
}

}  // namespace

std::string fault_line(const RunData& run) {
  if (!run.fault_injected) return {};
  std::string text = "faults, so no measurement";
  for (std::size_t index = 0; index < run.faults.size(); ++index) {
    text += (index == 0 ? ": " : "; ") + run.faults[index].spec + " (" + befell(run.faults[index]) + ")";
  }
  if (run.fault_seed) text += "; seed " + std::to_string(*run.fault_seed);
  return labelled("INJECTED", kTextColumn, text);
}

}  // namespace xrunlab
