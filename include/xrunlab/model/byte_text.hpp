// Carries any bytes through text that must be UTF-8: file names are bytes, JSON is not. Used for every string
// of a run file, and for what messages quote from one.
#pragma once

#include <string>
#include <string_view>

namespace xrunlab {

/// Valid UTF-8 stays as it is. Every other byte becomes U+FFFD and its two hexadecimal digits ("caf\xE9" is
/// "caf\uFFFDE9"); U+FFFD itself is written in the same way, byte by byte, so that nothing is ambiguous.
std::string escape_bytes(std::string_view bytes);

/// The inverse of escape_bytes. A U+FFFD without two capital hexadecimal digits behind it stays.
std::string unescape_bytes(std::string_view text);

/// `bytes` between single quotes, as they may stand in a message of one line: what is no printable ASCII is
/// escaped as in JSON.
std::string shown_bytes(std::string_view bytes);

}  // namespace xrunlab
