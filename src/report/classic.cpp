#include "xrunlab/report/classic.hpp"

#include <fmt/format.h>

#include "xrunlab/core/units.hpp"
#include "xrunlab/report/fault_line.hpp"

namespace xrunlab {
namespace {

std::string seconds(std::int64_t ns) {
  return fmt::format("{}.{:09}", ns / kNsPerSecond, ns % kNsPerSecond);
}

std::string bound_seconds(std::int64_t bound_ns) {
  const std::int64_t us = bound_ns / 1000;
  return fmt::format("{}.{:06}00", us / 1'000'000, us % 1'000'000);
}

std::string missing_block(int number, const std::string& server) {
  return fmt::format("Timer-{}:\nNot applicable: {} calls for each period\n", number, server);
}

std::string block(int number, const SectionData& section, std::int64_t bound_ns) {
  const auto& histogram = section.histogram;
  const std::int64_t average = histogram.count == 0 ? 0 : histogram.sum_ns / histogram.count;
  const std::string bound = bound_seconds(bound_ns);
  return fmt::format(
      "Timer-{}:\n"
      "Number of events: {}\n"
      "Events over bound: {} ({}sec)\n"
      "Events under bound: {} ({}sec)\n"
      "Min duration in seconds: {}\n"
      "Max duration in seconds: {}\n"
      "Average duration in seconds: {}\n",
      number, histogram.count, section.over, bound, section.under(), bound, seconds(histogram.min_ns),
      seconds(histogram.max_ns), seconds(average));
}

}  // namespace

std::string classic_listing(const RunData& run) {
  const std::string mark = run.fault_injected ? fault_line(run) + "\n" : "";
  if (run.timers.cycle) {
    const auto& server = run.device.server;
    return mark + block(1, run.timers.ring_read, run.bound_ns) + "\n" + missing_block(2, server) + "\n" +
           missing_block(3, server);
  }
  return mark + block(1, run.timers.ring_read, run.bound_ns) + "\n" +
         block(2, run.timers.pcm_write, run.bound_ns) + "\n" + block(3, run.timers.outside, run.bound_ns);
}

}  // namespace xrunlab
