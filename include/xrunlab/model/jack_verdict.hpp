// The verdict of a run of kind "jack": called by judge, which every caller uses for every kind of run. Pure.
#pragma once

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// Sets verdict, verdict_line and reasons of `run`, whose `jack` is there.
///
/// NO VERDICT: incomplete, a failed self-check, a dead load, or less than kShortestWindowNs measured. FAIL:
/// more xruns than allowed, or a client that failed; on a real driver its own lateness counts among the
/// xruns. The dummy driver's lateness is the machine's and makes a run MARGINAL, as less than a fifth of the
/// period to spare does. With --ramp: PASS when at least one client fits, however many.
void judge_jack(RunData& run);

}  // namespace xrunlab
