// The three tables of the console summary: buffers, timers, threads. Used by console.cpp alone.
#pragma once

#include <string>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

std::string buffers_table(const RunData& run);
std::string timers_table(const RunData& run);
/// With an empty line behind it; nothing in virtual time, where there are no threads.
std::string threads_table(const RunData& run);

/// Length of `frames` at the card's rate, 0 without a rate.
std::int64_t card_time_ns(const RunData& run, std::int64_t frames);

}  // namespace xrunlab
