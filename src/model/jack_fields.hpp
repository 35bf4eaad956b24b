// Names every field of what a JACK workload yields, as run_fields does for the rest of a run file. Included
// by run_json.cpp alone.
#pragma once

#include "described.hpp"
#include "xrunlab/model/jack.hpp"

namespace xrunlab {

void describe(auto& archive, Of<JackCount> auto& count) {
  archive.field("count", count.count);
  archive.field("per_hour", count.per_hour);
  archive.field("per_hour_low", count.per_hour_low);
  archive.field("per_hour_high", count.per_hour_high);
}

void describe(auto& archive, Of<JackFigures> auto& figures) {
  archive.field("timeouts", figures.timeouts);
  archive.field("xruns", figures.xruns);
  archive.field("driver_late", figures.driver_late);
  archive.field("over_spare", figures.over_spare);
  archive.field("over_bound", figures.over_bound);
  archive.field("delay_bound_ns", figures.delay_bound_ns);
  archive.field("delay_max_ns", figures.delay_max_ns);
  archive.field("cycle_max_ns", figures.cycle_max_ns);
  archive.field("dsp_load_share", figures.dsp_load_share);
  archive.field("cpu_system_share", figures.cpu_system_share);
  archive.field("cpu_user_share", figures.cpu_user_share);
  archive.field("cpu_nice_share", figures.cpu_nice_share);
  archive.field("cpu_iowait_share", figures.cpu_iowait_share);
  archive.field("cpu_irq_share", figures.cpu_irq_share);
  archive.field("cpu_softirq_share", figures.cpu_softirq_share);
  archive.field("cpu_steal_share", figures.cpu_steal_share);
  archive.field("interrupts_per_s", figures.interrupts_per_s);
  archive.field("context_switches_per_s", figures.context_switches_per_s);
}

void describe(auto& archive, Of<JackSecond> auto& second) {
  archive.field("start_ns", second.start_ns);
  archive.field("length_ns", second.length_ns);
  archive.field("cycles", second.cycles);
  archive.field("delay_max_ns", second.delay_max_ns);
  archive.field("cycle_max_ns", second.cycle_max_ns);
  archive.field("dsp_load_share", second.dsp_load_share);
  archive.field("xruns", second.xruns);
  archive.field("driver_late", second.driver_late);
}

void describe(auto& archive, Of<JackFailure> auto& failure) {
  archive.field("client", failure.client);
  archive.field("cause", failure.cause);
  archive.field("detail", failure.detail);
  archive.field("at_ns", failure.at_ns);
}

void describe(auto& archive, Of<JackStep> auto& step) {
  archive.field("clients", step.clients);
  archive.field("length_ns", step.length_ns);
  archive.field("cycles", step.cycles);
  archive.field("dsp_load_share", step.dsp_load_share);
  archive.field("delay_max_ns", step.delay_max_ns);
  archive.field("cycle_max_ns", step.cycle_max_ns);
  archive.field("xruns", step.xruns);
  archive.field("driver_late", step.driver_late);
}

void describe(auto& archive, Of<JackData> auto& jack) {
  archive.field("server", jack.server);
  archive.field("server_name", jack.server_name);
  archive.field("clients", jack.clients);
  archive.field("ports", jack.ports);
  archive.field("topology", jack.topology);
  archive.field("burn_share", jack.burn_share);
  archive.field("warmup_ns", jack.warmup_ns);
  archive.field("measured_ns", jack.measured_ns);
  archive.field("cycles", jack.cycles);
  archive.field("early_cycles", jack.early_cycles);
  archive.field("unsettled_cycles", jack.unsettled_cycles);
  archive.field("lost_cycles", jack.lost_cycles);
  archive.field("figures", jack.figures);
  archive.field("delay", jack.delay);
  archive.field("interval_excess", jack.interval_excess);
  archive.field("cycle", jack.cycle);
  archive.field("wake_delay", jack.wake_delay);
  archive.field("wake_cycle", jack.wake_cycle);
  archive.field("spare_least_ns", jack.spare_least_ns);
  archive.field("failures", jack.failures);
  archive.field("seconds", jack.seconds);
  archive.field("ramp", jack.ramp);
  archive.field("clients_that_fit", jack.clients_that_fit);
  archive.field("xruns_from", jack.xruns_from);
  archive.field("xrun_callbacks", jack.xrun_callbacks);
}

}  // namespace xrunlab
