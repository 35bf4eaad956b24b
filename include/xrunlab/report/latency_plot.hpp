// The picture of a latency run: how many wake-ups were how late, with
// percentiles, maximum and limit. Called by main for `xrunlab plot`.
#pragma once

#include "xrunlab/model/run.hpp"
#include "xrunlab/report/plot_picture.hpp"

namespace xrunlab {

/// Over all rounds and threads of `run`, whose kind is "latency". Throws
/// Error{input_file} beginning with `shown` where it holds no histogram, as
/// some imports do.
PlotPicture latency_picture(const RunData& run, const std::string& shown);

}  // namespace xrunlab
