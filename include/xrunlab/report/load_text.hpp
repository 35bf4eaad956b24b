// What loads achieved, as text: for the summary of a run and for `xrunlab load`.
#pragma once

#include <string>

#include "xrunlab/model/load_data.hpp"

namespace xrunlab {

/// "20.1 MB/s of 20 MB/s in 76.3 reads/s, 1.17 GiB from the device, 0.05 CPUs".
std::string achieved_text(const LoadData& load);

/// A line "load   SPEC: …" with the text in column `indent`, wrapped; a second one with the error of a dead
/// load.
std::string load_lines(const LoadData& load, std::size_t indent);

}  // namespace xrunlab
