// What runs can be grouped by, and what must not differ beside it: the facts of a run file by their names,
// and which of them follow from which. Pure; used by `compare`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/model/comparison.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// The names of facts_of(), in its order.
std::vector<std::string> fact_keys();

/// Whether two names mean one key: without leading '-', '_' being '-' ("--io_size" is "io-size").
bool same_key(std::string_view left, std::string_view right);

/// "-" for a fact that the run does not know.
KeyValues facts_of(const RunData& run, const std::string& file, const std::string& directory);

/// Whether `fact` differs as a matter of course where `setting` (a fact, or one of a sweep) does.
bool follows_from(std::string_view fact, std::string_view setting);

/// Whether a difference in `fact` stands in the way of a conclusion about something else.
bool confounds(std::string_view fact);

/// Whether `fact` changes with a boot only, so that all runs of one boot share it.
bool changes_by_boot(std::string_view fact);

}  // namespace xrunlab
