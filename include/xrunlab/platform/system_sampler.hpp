// Reads the counters that may explain an episode: run-queue delays and page faults of the run's threads,
// busy devices, stolen time, pressure, suspends. Used on the collector's thread ten times a second; not
// real-time: it reads files. What this machine does not have stays absent.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/model/evidence.hpp"
#include "xrunlab/platform/polled_file.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

class SystemSampler {
 public:
  /// `devices`: names as in /proc/diskstats, in the order in which samples have them.
  explicit SystemSampler(std::vector<std::string> devices, SysRoot root = SysRoot());

  /// From now on samples hold this thread's counters. Thread: any.
  void watch(SampledThread which, pid_t id) noexcept;

  /// Everything but decoded_frames, now.
  SystemSample sample();

 private:
  class Thread {
   public:
    Thread(const SysRoot& root, pid_t id);
    ThreadSample sample();

   private:
    PolledFile schedstat_;
    PolledFile stat_;
  };

  void sample_processors(SystemSample& sample);
  void sample_devices(SystemSample& sample);

  std::vector<std::string> devices_;
  SysRoot root_;
  PolledFile stat_;
  PolledFile diskstats_;
  PolledFile cpu_pressure_;
  PolledFile io_pressure_;
  PolledFile memory_pressure_;
  std::array<std::optional<Thread>, kSampledThreads> threads_;
  std::array<std::atomic<pid_t>, kSampledThreads> ids_{};
};

}  // namespace xrunlab
