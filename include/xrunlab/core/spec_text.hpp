// Cuts what people type as KIND:SUBJECT,KEY=VALUE,FLAG into its parts, without a judgement on them: every
// text has parts. Used by the parsers of such options (--load).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace xrunlab {

struct SpecItem {
  std::string_view key;
  std::optional<std::string_view> value;  ///< absent without a '='
  friend bool operator==(const SpecItem&, const SpecItem&) = default;
};

/// All parts lie in the text that was cut.
struct SpecText {
  std::string_view kind;     ///< before the first ':', or all of it
  std::string_view rest;     ///< all that stands behind that ':', uncut
  std::string_view subject;  ///< of `rest` the part before the first ',', when it has no '='
  std::vector<SpecItem> items;
};

/// "read:/tmp,rate=5MB,x" has the kind "read", the subject "/tmp" and the items rate=5MB and x.
SpecText cut_spec(std::string_view text);

/// The words of a command line: cut at blanks, except within '…' or "…", whose marks are dropped. Nothing
/// when such a mark is not closed.
std::optional<std::vector<std::string_view>> cut_words(std::string_view text);

}  // namespace xrunlab
