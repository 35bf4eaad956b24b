// The text that people keep and mail of what other programs have printed: its lines without quote marks and
// terminal sequences, cut into the runs that it is about, and what lines of our own say of them. Used by
// read_listing and the parsers of this room; pure. Views point into the text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab {

/// What is known of a run beside its figures, by the names of fact_names().
using ListingFacts = std::map<std::string, std::string, std::less<>>;

struct ListingLine {
  std::string_view text;    ///< without "> ", "\033[3A" and the line's end
  std::int64_t number = 0;  ///< in the file, from 1
};

/// A stretch of a file that is about one run, or about several that nothing separates.
struct ListingPart {
  ListingFacts facts;
  std::vector<ListingLine> lines;
};

struct FactName {
  std::string_view name;
  std::string_view meaning;  ///< for --help and messages
};

const std::vector<FactName>& fact_names();

/// "kernel=6.1.0" into `facts`; `note` adds up, a line each, all others are replaced. Throws Error{usage}
/// that names --fact.
void add_fact(ListingFacts& facts, std::string_view text);

/// The preemption model that a kernel's version ("#1 SMP PREEMPT_RT Debian …") tells, as far as it does.
std::string preemption_in(std::string_view version);

/// Lines "## NAME: VALUE" say what the figures do not: those before the first "## run: TITLE" hold for the
/// whole file, as `given` does, later ones for their run. What `uname -a` prints begins a run too, and names
/// its kernel. Throws Error{input_file} that names `source` and the line.
std::vector<ListingPart> cut_listing(std::string_view text, const ListingFacts& given,
                                     const std::string& source);

}  // namespace xrunlab
