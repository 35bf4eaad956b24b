// Reads the counters that may explain an episode: run-queue delays and page faults of the run's threads,
// busy devices, stolen time, pressure, suspends. Used on the collector's thread ten times a second; not
// real-time: it reads files. What this machine does not have stays absent.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "xrunlab/model/evidence.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

class SystemSampler {
 public:
  /// `devices`: names as in /proc/diskstats, in the order in which samples have them.
  explicit SystemSampler(std::vector<std::string> devices, SysRoot root = SysRoot());

  /// From now on samples hold this thread's counters. Thread: any.
  void watch(SampledThread which, pid_t id) noexcept;

  /// Everything but decoded_frames, now.
  SystemSample sample() const;

 private:
  ThreadSample sample_thread(pid_t id) const;
  void sample_processors(SystemSample& sample) const;
  void sample_devices(SystemSample& sample) const;

  std::vector<std::string> devices_;
  SysRoot root_;
  std::array<std::atomic<pid_t>, kSampledThreads> ids_{};
};

}  // namespace xrunlab
