#include "xrunlab/model/jack.hpp"

#include <set>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/dropout_rate.hpp"

namespace xrunlab {
namespace {

std::optional<double> microseconds(const std::optional<std::int64_t>& ns) {
  if (!ns) return std::nullopt;
  return static_cast<double>(*ns) / 1000;
}

std::optional<double> percent_of(const std::optional<double>& share) {
  if (!share) return std::nullopt;
  return *share * 100;
}

}  // namespace

JackCount jack_count(std::int64_t count, std::int64_t measured_ns) {
  JackCount counted{.count = count};
  if (measured_ns <= 0) return counted;
  const DropoutRate rate = dropout_rate(count, measured_ns);
  counted.per_hour = rate.per_hour;
  counted.per_hour_low = rate.low;
  counted.per_hour_high = rate.high;
  return counted;
}

std::int64_t failed_clients(const JackData& jack) {
  std::set<std::string> names;
  for (const auto& failure : jack.failures) names.insert(failure.client);
  return static_cast<std::int64_t>(names.size());
}

std::vector<JackRow> jack_rows(const JackFigures& figures) {
  const std::string bound = three_digits(static_cast<double>(figures.delay_bound_ns) / 1000);
  return {{"Timeout Rate", "/hour", figures.timeouts.per_hour},
          {"XRUN Rate", "/hour", figures.xruns.per_hour},
          {"Delay Rate (>spare time)", "/hour", figures.over_spare.per_hour},
          {"Delay Rate (>" + bound + " usecs)", "/hour", figures.over_bound.per_hour},
          {"Delay Maximum", "usecs", microseconds(figures.delay_max_ns)},
          {"Cycle Maximum", "usecs", microseconds(figures.cycle_max_ns)},
          {"Average DSP Load", "%", percent_of(figures.dsp_load_share)},
          {"Average CPU System Load", "%", percent_of(figures.cpu_system_share)},
          {"Average CPU User Load", "%", percent_of(figures.cpu_user_share)},
          {"Average CPU Nice Load", "%", percent_of(figures.cpu_nice_share)},
          {"Average CPU I/O Wait Load", "%", percent_of(figures.cpu_iowait_share)},
          {"Average CPU IRQ Load", "%", percent_of(figures.cpu_irq_share)},
          {"Average CPU Soft-IRQ Load", "%", percent_of(figures.cpu_softirq_share)},
          {"Average Interrupt Rate", "/sec", figures.interrupts_per_s},
          {"Average Context-Switch Rate", "/sec", figures.context_switches_per_s}};
}

}  // namespace xrunlab
