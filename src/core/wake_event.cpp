#include "xrunlab/core/wake_event.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>

#include "xrunlab/core/error.hpp"

namespace xrunlab {

WakeEvent::WakeEvent() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!fd_) throw Error(ExitCode::system, "cannot make an eventfd: " + errno_text(errno), "ulimit -n 1024");
}

void WakeEvent::set() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(fd_.get(), &one, sizeof one);  // full: it is set already
}

}  // namespace xrunlab
