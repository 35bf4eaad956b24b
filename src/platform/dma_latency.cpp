#include "xrunlab/platform/dma_latency.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <limits>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr const char* kDevice = "/dev/cpu_dma_latency";

[[noreturn]] void fail_latency(int error) {
  const std::string what = std::string("cannot hold ") + kDevice + ": " + errno_text(error);
  switch (error) {
    case EACCES:
    case EPERM:
      throw Error(ExitCode::system, what,
                  "run as root, or put KERNEL==\"cpu_dma_latency\", GROUP=\"audio\", MODE=\"0660\" into "
                  "/etc/udev/rules.d/99-cpu-dma-latency.rules");
    case ENOENT:
    case ENXIO:
      throw Error(
          ExitCode::system, what + " (a container, or a kernel without CPU_IDLE)",
          "leave --dma-latency out; idle=poll or processor.max_cstate=1 on the kernel's command line does "
          "the same");
    default:
      throw Error(ExitCode::system, what, "leave --dma-latency out");
  }
}

}  // namespace

DmaLatency::DmaLatency(std::chrono::microseconds longest, const SysRoot& root) : value_(longest) {
  if (longest.count() < 0 || longest.count() > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ExitCode::usage, "--dma-latency: write whole microseconds from 0 to 2147483647");
  }
  device_.reset(::open(root.path(kDevice).c_str(), O_WRONLY | O_CLOEXEC));
  if (!device_) fail_latency(errno);
  // The binary form is a native 32-bit integer; the request lasts as long as the descriptor.
  const auto binary = static_cast<std::int32_t>(longest.count());
  if (::write(device_.get(), &binary, sizeof binary) != sizeof binary) fail_latency(errno);
}

}  // namespace xrunlab
