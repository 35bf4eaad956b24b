// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
//
// A line of ours in the kernel's trace (tracefs' trace_marker), so that what the kernel did before a late
// wake-up can be found in it. Opened by main; a measuring thread writes.
#pragma once

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

class TraceMarker {
 public:
  /// Set-up. Where there is no tracefs, or no right to it, nothing will be written.
  explicit TraceMarker(const SysRoot& root = SysRoot());

  bool there() const noexcept { return static_cast<bool>(marker_); }

  /// "xrunlab: woken 341201 ns late, limit 200000 ns". Thread: one. Real-time: one write, which does not
  /// wait.
  void mark(Nanoseconds late, Nanoseconds limit) noexcept;

 private:
  UniqueFd marker_;
};

}  // namespace xrunlab
