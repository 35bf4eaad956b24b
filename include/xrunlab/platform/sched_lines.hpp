// Takes apart the text of the kernel's sched_switch and sched_waking events: when was a thread ready and not
// run, and who ran instead? Pure; used by SchedTrace on the collector's thread.
#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "xrunlab/model/evidence.hpp"

namespace xrunlab {

class SchedLines {
 public:
  void watch(SampledThread which, pid_t id) noexcept { ids_[static_cast<std::size_t>(which)] = id; }

  /// Takes one line of a trace, without its end; others than these two events are passed over. Appends a
  /// span for each time that a watched thread was ready for at least 100 us before it ran.
  void take(std::string_view line, std::vector<RunnableSpan>& spans);

 private:
  std::optional<std::size_t> watched(std::int64_t id) const noexcept;

  std::array<pid_t, kSampledThreads> ids_{};
  std::array<std::optional<std::int64_t>, kSampledThreads> ready_since_;
};

}  // namespace xrunlab
