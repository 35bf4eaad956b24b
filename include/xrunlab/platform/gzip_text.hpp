// Unpacks text that was packed by gzip: the configuration that the kernel keeps in /proc/config.gz. Used by
// KernelConfig; set-up code, any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace xrunlab {

/// Nothing when it is no gzip, is cut off or damaged (its length and CRC-32 are held against the text), or
/// would be longer than `most` bytes. What stands behind its first member is passed over.
std::optional<std::string> gunzip(std::string_view packed, std::size_t most);

}  // namespace xrunlab
