#include "xrunlab/platform/process_io.hpp"

#include <charconv>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {

std::optional<Bytes> device_read_bytes(const SysRoot& root) {
  const std::string text = root.read("/proc/self/io").value_or("");
  const auto value = value_of(text, "read_bytes");
  if (!value) return std::nullopt;
  Bytes bytes = 0;
  const auto [rest, error] = std::from_chars(value->data(), value->data() + value->size(), bytes);
  if (error != std::errc{}) return std::nullopt;
  return bytes;
}

}  // namespace xrunlab
