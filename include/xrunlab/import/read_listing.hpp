// What other programs have printed becomes runs of ours: cyclictest's text, histograms and JSON, tables of
// jack_test3, listings of three timers, and figures alone. Called by `import`; pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/import/listing.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// The runs in `text`, in its order: of cyclictest all rounds that nothing separates are one, of a table each
/// column is one. `given` are facts that hold for all. What the source does not say is absent. Throws
/// Error{input_file} that names `source` when there is none in it, or when its figures contradict each other.
std::vector<RunData> read_listing(std::string_view text, const ListingFacts& given,
                                  const std::string& source);

}  // namespace xrunlab
