// The life of one client process of a JACK workload: opens, registers its ports, takes its source's outputs,
// works until the board says stop, and leaves. Each step is told on its seat, so that main knows which call
// it hangs in. Run by the hidden command that main starts under the guard.
#pragma once

#include "xrunlab/jack/cycle_board.hpp"

namespace xrunlab {

/// The hidden command: the program is started with this and the seat's index; the board is descriptor 3.
inline constexpr const char* kGraphClientCommand = "jack-client";

/// Returns the exit code: 0 when it was told to stop, 3 when it failed, which its seat explains. Throws Error
/// for what is wrong with the board only.
int run_graph_client(const CycleBoard& board, int seat);

}  // namespace xrunlab
