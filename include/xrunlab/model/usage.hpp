// What a run cost: each of its threads, and the whole machine meanwhile. Filled by platform's samplers, part
// of the run file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xrunlab {

struct ThreadData {
  std::string name;  ///< "playback", "reader", "decoder", "collector", "main"
  std::string policy;
  std::int64_t wall_ns = 0;  ///< the time over which all that follows was counted
  std::int64_t user_ns = 0;
  std::int64_t system_ns = 0;
  std::int64_t major_faults = 0;
  std::int64_t minor_faults = 0;
  std::int64_t voluntary_switches = 0;
  std::int64_t involuntary_switches = 0;
  std::optional<std::int64_t> run_delay_ns;  ///< run-queue delay, absent without schedstats
  friend bool operator==(const ThreadData&, const ThreadData&) = default;
};

/// The machine from before priming to the run's end, all processes: CPU times are sums over all CPUs. Absent:
/// the kernel does not tell.
struct MachineUsage {
  std::int64_t wall_ns = 0;  ///< the time over which all that follows was counted
  std::optional<std::int64_t> user_ns;
  std::optional<std::int64_t> nice_ns;
  std::optional<std::int64_t> system_ns;
  std::optional<std::int64_t> idle_ns;
  std::optional<std::int64_t> iowait_ns;  ///< idle, while a read was outstanding
  std::optional<std::int64_t> irq_ns;
  std::optional<std::int64_t> softirq_ns;
  std::optional<std::int64_t> steal_ns;
  std::optional<std::int64_t> interrupts;
  std::optional<std::int64_t> context_switches;
  friend bool operator==(const MachineUsage&, const MachineUsage&) = default;
};

}  // namespace xrunlab
