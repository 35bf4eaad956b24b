// What cyclictest (rt-tests, all versions from 2011 on) prints: its lines T:, its histograms (-h), its
// samples
// (-v) and its JSON (--json), as figures. Used by read_listing; pure. Figures are in the listing's own unit,
// microseconds or, with -N, nanoseconds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/import/listing.hpp"

namespace xrunlab {

struct CyclictestThread {
  std::int64_t index = 0;
  std::optional<std::int64_t> id;  ///< of the kernel's thread
  std::optional<std::int64_t> priority;
  std::optional<std::int64_t> interval_us;
  std::optional<std::int64_t> cycles;  ///< absent: the listing does not say
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> last;  ///< "Act"
  std::optional<double> average;     ///< cut to whole units but in JSON
  std::optional<std::int64_t> max;
  std::optional<std::int64_t> overflow;  ///< wake-ups beyond the histogram
};

/// One call of cyclictest.
struct CyclictestRound {
  std::string load_average;  ///< "0.02 0.20 0.11 1/405 7024", of the line policy:
  std::vector<CyclictestThread> threads;
  std::map<std::int64_t, std::int64_t> histogram;  ///< wake-ups by lateness, of all threads; empty: none
  std::optional<std::int64_t> planned;  ///< of all threads, where the listing shows that some are missing
};

struct CyclictestListing {
  std::vector<CyclictestRound> rounds;
  ListingFacts facts;        ///< found in it: cmdline, policy; of JSON host, kernel, date …
  bool nanoseconds = false;  ///< found in it: -N, or JSON's resolution
  std::vector<std::string> warnings;
};

/// The rounds in these lines, also those that a mailer has broken; of the many lines of a round that was not
/// quiet (no -q) the last. Lines of anything else are passed over. Throws Error{input_file} for figures that
/// contradict each other, and for a histogram that is cut off.
CyclictestListing parse_cyclictest_text(const std::vector<ListingLine>& lines, const std::string& source);

/// One round. Keys are taken with or without the colon that rt-tests put into some. Throws
/// Error{input_file}.
CyclictestListing parse_cyclictest_json(std::string_view text, const std::string& source);

/// The words of a command line of cyclictest that say what its output does not: loops, interval, units.
ListingFacts facts_of_cyclictest(std::string_view cmdline);

}  // namespace xrunlab
