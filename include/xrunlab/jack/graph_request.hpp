// What a JACK graph is to be: server, clients, how they hang together; parsed and checked before anything is
// started. Used by cli, by the parser of loads and by JackGraph.
#pragma once

#include <string>
#include <string_view>

#include "xrunlab/core/units.hpp"
#include "xrunlab/jack/jack_server.hpp"

namespace xrunlab {

enum class JackTopology {
  silent,  ///< nothing is connected: all clients run side by side
  chain,   ///< each takes all outputs of the one before: all run one after the other
  star,    ///< all take the outputs of the first
};

/// Throws Error{usage} that names `option`.
JackTopology parse_jack_topology(std::string_view option, std::string_view text);
std::string_view to_string(JackTopology topology) noexcept;

struct GraphRequest {
  JackServerChoice server;
  int clients = 20;
  int ports = 4;  ///< inputs, and as many outputs
  JackTopology topology = JackTopology::silent;
  double burn_share = 0;  ///< of the period, that each client works for; 2: two periods
  SampleRate rate{44'100};
  Frames period = 64;
  int periods = 2;                                ///< of a card
  int priority = 60;                              ///< of the server; 0: not real-time
  Nanoseconds timeout = std::chrono::seconds{5};  ///< of every call of libjack
  std::string tag;                                ///< of the server's and the clients' names
  std::string program = "/proc/self/exe";         ///< understands kGraphClientCommand
};

/// Throws Error{usage} with the arithmetic when the server could not hold so many clients and ports.
void check_graph(const GraphRequest& request);

/// Ports that a server of ours needs for it, its driver's included.
int ports_needed(const GraphRequest& request) noexcept;

}  // namespace xrunlab
