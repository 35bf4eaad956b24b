#include "xrunlab/platform/process_io.hpp"

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {

std::optional<Bytes> device_read_bytes(const SysRoot& root) {
  const std::string text = root.read("/proc/self/io").value_or("");
  const auto value = value_of(text, "read_bytes");
  return value ? leading_number(*value) : std::nullopt;
}

}  // namespace xrunlab
