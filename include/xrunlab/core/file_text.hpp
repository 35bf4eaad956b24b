// A whole file as text. Used by whoever parses run files, manifests and the files of /proc and /sys; set-up
// code, any thread.
#pragma once

#include <optional>
#include <string>

namespace xrunlab {

/// Every byte of it, read until it ends: files of /proc have no size. Nothing, with the cause in errno, when
/// it cannot be read, as a directory cannot.
std::optional<std::string> file_text(const char* path);

}  // namespace xrunlab
