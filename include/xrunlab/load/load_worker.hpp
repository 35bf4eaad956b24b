// The kinds of load that xrunlab does itself, each in a process of its own: a hidden command of the program,
// or a thread of a test. They work until they are killed.
#pragma once

#include <atomic>
#include <cstdint>

#include "xrunlab/load/load_figures.hpp"
#include "xrunlab/load/load_spec.hpp"

namespace xrunlab {

struct LoadTask {
  LoadSpec spec;
  std::uint64_t seed = 1;
  int index = 0;  ///< of the load in its run: each has numbers of its own
};

/// Prepares, sets figures.state to working, works until `stop`. Throws Error for what makes that impossible;
/// std::system_error and std::bad_alloc come from the library. `spec` is of an own kind.
void do_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop);

/// What an exec load starts: touches every page of the program file itself, in an order given by `seed`.
void touch_own_program(std::uint64_t seed);

}  // namespace xrunlab
