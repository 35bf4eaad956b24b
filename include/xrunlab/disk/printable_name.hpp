// The base name of a file as it may stand in one line of text, whatever bytes it consists of. Used by every
// message about a file; on set-up threads only.
#pragma once

#include <filesystem>
#include <string>

namespace xrunlab {

/// Last component of `path`; control characters, the invisible characters that reorder text, backslashes and
/// bytes that are no UTF-8 become \n, \t or \xNN. The whole path when it has no last component.
std::string printable_name(const std::filesystem::path& path);

/// The same for any bytes.
std::string printable_text(const std::string& bytes);

/// The same between single quotes.
std::string quoted_text(const std::string& bytes);

}  // namespace xrunlab
