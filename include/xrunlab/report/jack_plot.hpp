// The picture of a JACK run: delay, cycle use, DSP load and xruns of each
// second. Called by main for `xrunlab plot`.
#pragma once

#include "xrunlab/model/run.hpp"
#include "xrunlab/report/plot_picture.hpp"

namespace xrunlab {

/// Of `run`, whose kind is "jack". Throws Error{input_file} beginning with
/// `shown` where it holds no seconds, as tables of 2004 do.
PlotPicture jack_picture(const RunData& run, const std::string& shown);

}  // namespace xrunlab
