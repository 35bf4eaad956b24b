// The evidence of --blame: the kernel's own record of when the run's threads were ready, when they ran, and
// who ran instead, from a tracefs instance of our own. Made by main, read on the collector's thread. The
// instance is removed by close() or the destructor; one that a killed run left behind, by the next run.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/model/evidence.hpp"
#include "xrunlab/platform/sched_lines.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

class SchedTrace {
 public:
  /// Throws Error{system}, with the remedy: no tracefs, no rights.
  explicit SchedTrace(SysRoot root = SysRoot());
  ~SchedTrace();
  SchedTrace(const SchedTrace&) = delete;
  SchedTrace& operator=(const SchedTrace&) = delete;

  /// From now on this thread is traced too. Throws Error{system}. Thread: one at a time with read().
  void watch(SampledThread which, pid_t id);

  /// What has happened since the last call.
  std::vector<RunnableSpan> read();

  /// Stops tracing and removes the instance.
  void close() noexcept;

 private:
  void write(const std::string& name, const std::string& value) const;
  void remove_stale(const std::string& instances) const;

  SysRoot root_;
  std::string instance_;  ///< absolute, as the machine knows it; empty once closed
  UniqueFd pipe_;
  SchedLines lines_;
  std::vector<pid_t> ids_;
  std::string rest_;  ///< of a line that was not whole yet
};

}  // namespace xrunlab
