#include "run_shares.hpp"

#include <algorithm>
#include <cmath>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

constexpr double kAgreement = 0.01;

std::int64_t sum_of_states(const MachineUsage& usage) noexcept {
  return usage.user_ns.value_or(0) + usage.nice_ns.value_or(0) + usage.system_ns.value_or(0) +
         usage.idle_ns.value_or(0) + usage.iowait_ns.value_or(0) + usage.irq_ns.value_or(0) +
         usage.softirq_ns.value_or(0) + usage.steal_ns.value_or(0);
}

std::optional<double> ratio(const std::optional<std::int64_t>& part, std::int64_t whole) noexcept {
  if (!part || whole <= 0) return std::nullopt;
  return static_cast<double>(*part) / static_cast<double>(whole);
}

std::optional<double> a_second(const std::optional<std::int64_t>& count, std::int64_t wall_ns) noexcept {
  const auto per_ns = ratio(count, wall_ns);
  if (!per_ns) return std::nullopt;
  return *per_ns * 1e9;
}

}  // namespace

void add_processor_shares(const MachineUsage& usage, JackFigures& figures) {
  const std::int64_t whole = sum_of_states(usage);
  figures.cpu_system_share = ratio(usage.system_ns, whole);
  figures.cpu_user_share = ratio(usage.user_ns, whole);
  figures.cpu_nice_share = ratio(usage.nice_ns, whole);
  figures.cpu_iowait_share = ratio(usage.iowait_ns, whole);
  figures.cpu_irq_share = ratio(usage.irq_ns, whole);
  figures.cpu_softirq_share = ratio(usage.softirq_ns, whole);
  figures.cpu_steal_share = ratio(usage.steal_ns, whole);
  figures.interrupts_per_s = a_second(usage.interrupts, usage.wall_ns);
  figures.context_switches_per_s = a_second(usage.context_switches, usage.wall_ns);
}

std::int64_t timeouts_within(const JackData& jack) {
  return std::count_if(jack.failures.begin(), jack.failures.end(), [](const JackFailure& failure) {
    return failure.cause == "timeout" && failure.at_ns;
  });
}

std::vector<SelfCheck> jack_self_checks(const JackData& jack) {
  return {{"cycles_seen", jack.cycles > 0, counted(jack.cycles, "cycle") + " of the meter"},
          {"cycles_whole", jack.lost_cycles == 0,
           counted(jack.lost_cycles, "cycle") + " overwritten before they were read"}};
}

std::vector<std::string> jack_warnings(const JackData& jack) {
  std::vector<std::string> lines;
  for (const auto& failure : jack.failures) lines.push_back(failure.client + " failed: " + failure.detail);
  if (jack.xruns_from != "server" || !jack.xrun_callbacks) return lines;
  const std::int64_t told = jack.figures.xruns.count.value_or(0) + jack.figures.driver_late.count.value_or(0);
  const std::int64_t apart = std::abs(told - *jack.xrun_callbacks);
  if (apart > 1 && static_cast<double>(apart) > kAgreement * static_cast<double>(told)) {
    lines.push_back("the server printed " + counted(told, "xrun") + ", its clients were told of " +
                    std::to_string(*jack.xrun_callbacks));
  }
  return lines;
}

}  // namespace xrunlab
