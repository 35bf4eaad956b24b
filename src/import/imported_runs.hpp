// Listings made runs, one function for each form, and what facts say of any of them. Used by read_listing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xrunlab/import/cyclictest.hpp"
#include "xrunlab/import/jack_table.hpp"
#include "xrunlab/import/timer_listing.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// A run of `kind` with nothing but what the facts say. Throws Error{input_file} that names `source` for a
/// fact that is no number where one is wanted.
RunData run_of_facts(const std::string& kind, const std::string& format, const ListingFacts& facts,
                     const std::string& source);

RunData run_of_cyclictest(const CyclictestListing& listing, const ListingFacts& facts,
                          const std::string& source);
RunData run_of_timers(const TimerListing& listing, const ListingFacts& facts, const std::string& source);
RunData run_of_jack(const JackTable& table, std::size_t column, const ListingFacts& facts,
                    const std::string& source);

/// The largest lateness alone, of the fact "peak".
RunData run_of_peak(const ListingFacts& facts, const std::string& source);

/// Empty when the fact is not there.
std::string fact_text(const ListingFacts& facts, std::string_view name);

/// "10ms", "66us", "1.5s"; absent when the fact is not there.
std::optional<std::int64_t> fact_duration_ns(const ListingFacts& facts, std::string_view name,
                                             const std::string& source);
std::optional<std::int64_t> fact_number(const ListingFacts& facts, std::string_view name,
                                        const std::string& source);

}  // namespace xrunlab
