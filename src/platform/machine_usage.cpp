#include "xrunlab/platform/machine_usage.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "xrunlab/core/units.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

using Counter = std::optional<std::int64_t>;

/// In the order of the line "cpu" of /proc/stat.
constexpr std::array kCpuTimes{&MachineUsage::user_ns,    &MachineUsage::nice_ns,   &MachineUsage::system_ns,
                               &MachineUsage::idle_ns,    &MachineUsage::iowait_ns, &MachineUsage::irq_ns,
                               &MachineUsage::softirq_ns, &MachineUsage::steal_ns};
constexpr std::array kCounts{&MachineUsage::interrupts, &MachineUsage::context_switches};

}  // namespace

MachineUsage sample_machine_usage(const SysRoot& root) {
  MachineUsage usage;
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  usage.wall_ns = time.tv_sec * kNsPerSecond + time.tv_nsec;
  const std::int64_t tick_ns = kNsPerSecond / ::sysconf(_SC_CLK_TCK);
  const std::string stat = root.read("/proc/stat").value_or("");
  for (const auto line : split_at(stat, '\n')) {
    const auto words = split_words(line.substr(0, 512));  // "intr" goes on for each interrupt there is
    if (words.empty()) continue;
    if (words.front() == "intr") usage.interrupts = number_at(words, 1);
    if (words.front() == "ctxt") usage.context_switches = number_at(words, 1);
    if (words.front() != "cpu") continue;
    for (std::size_t index = 0; index < kCpuTimes.size(); ++index) {
      if (const auto ticks = number_at(words, index + 1)) usage.*kCpuTimes[index] = *ticks * tick_ns;
    }
  }
  return usage;
}

std::optional<MachineUsage> machine_usage(const MachineUsage& before, const MachineUsage& after) {
  MachineUsage usage;
  usage.wall_ns = after.wall_ns - before.wall_ns;
  bool counted = false;
  const auto take = [&](Counter MachineUsage::*counter) {
    if (!(before.*counter) || !(after.*counter)) return;
    // iowait and idle may go backwards by a few ticks.
    usage.*counter = std::max<std::int64_t>(0, *(after.*counter) - *(before.*counter));
    counted = true;
  };
  for (const auto counter : kCpuTimes) take(counter);
  for (const auto counter : kCounts) take(counter);
  return counted ? std::optional(usage) : std::nullopt;
}

}  // namespace xrunlab
