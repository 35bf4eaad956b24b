// Puts a client into the server's graph, also where the server gives up too early. Used by the clients of the
// workload and by whoever plays to a server.
#pragma once

#include <functional>

#include "xrunlab/jack/jack_library.hpp"

namespace xrunlab {

/// jack_activate, up to five times; `returned` is called after each call of libjack. jackd waits for its own
/// next cycle for some twenty periods only: where the machine stands still for longer (29 ms of 64 frames) it
/// says that it failed, though the client is in the graph by then. A second jack_activate alone would do
/// nothing, so the client is taken out first. False when it failed each time.
bool activate_client(const JackLibrary& jack, JackClient* client, const std::function<void()>& returned);

}  // namespace xrunlab
