// What a run file says of the machine: a part of every run. platform/system_info reads it, doctor judges it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xrunlab {

/// The machine, as platform/describe_system reads it. Empty strings and absent values: not known.
struct SystemInfo {
  std::string host;
  std::string kernel;  ///< uname -r and version
  std::string cmdline;
  std::string preempt;  ///< "none", "voluntary", "full", "rt", "full (dynamic)" …
  std::string cpu_model;
  std::optional<int> cpus;
  std::string cpus_allowed;  ///< of these, what the process may run on: "0-1"
  std::string governor;      ///< "" when there is no cpufreq
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> rtprio_limit;         ///< RLIMIT_RTPRIO, −1 unlimited
  std::optional<std::int64_t> memlock_limit_bytes;  ///< RLIMIT_MEMLOCK, −1 unlimited
  std::optional<std::int64_t> rt_runtime_us;        ///< kernel.sched_rt_runtime_us, −1 no throttling
  std::string boot_id;
  std::optional<double> uptime_s;
  std::string virt;  ///< "none", "kvm", "qemu", "firecracker", "container …"
  std::string clocksource;
  std::string mitigations;
  std::optional<bool> threadirqs;
  friend bool operator==(const SystemInfo&, const SystemInfo&) = default;
};

}  // namespace xrunlab
