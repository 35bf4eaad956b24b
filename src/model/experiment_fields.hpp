// Names every field of a run's place in a sweep and of the machine's usage, as run_fields does for the rest
// of a run file. Included by run_json.cpp alone.
#pragma once

#include "described.hpp"
#include "xrunlab/model/experiment_info.hpp"
#include "xrunlab/model/usage.hpp"

namespace xrunlab {

void describe(auto& archive, Of<SettingData> auto& setting) {
  archive.field("key", setting.key);
  archive.field("value", setting.value);
  archive.field("found", setting.found);
  archive.field("acts", setting.acts);
  archive.field("asked", setting.asked);
}

void describe(auto& archive, Of<ExperimentInfo> auto& experiment) {
  archive.field("sweep_id", experiment.sweep_id);
  archive.field("seed", experiment.seed);
  archive.field("block", experiment.block);
  archive.field("combination", experiment.combination);
  archive.field("planned_runs", experiment.planned_runs);
  archive.field("warmup", experiment.warmup);
  archive.field("varied", experiment.varied);
  archive.field("fixed", experiment.fixed);
}

void describe(auto& archive, Of<MachineUsage> auto& usage) {
  archive.field("wall_ns", usage.wall_ns);
  archive.field("user_ns", usage.user_ns);
  archive.field("nice_ns", usage.nice_ns);
  archive.field("system_ns", usage.system_ns);
  archive.field("idle_ns", usage.idle_ns);
  archive.field("iowait_ns", usage.iowait_ns);
  archive.field("irq_ns", usage.irq_ns);
  archive.field("softirq_ns", usage.softirq_ns);
  archive.field("steal_ns", usage.steal_ns);
  archive.field("interrupts", usage.interrupts);
  archive.field("context_switches", usage.context_switches);
}

}  // namespace xrunlab
