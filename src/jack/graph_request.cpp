#include "xrunlab/jack/graph_request.hpp"

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

constexpr int kPortsOfDummy = 4;
constexpr int kPortsOfCard = 256;  // nobody knows its channels before it is open
constexpr int kMostConnections = 768;

}  // namespace

JackTopology parse_jack_topology(std::string_view option, std::string_view text) {
  for (const auto topology : {JackTopology::silent, JackTopology::chain, JackTopology::star}) {
    if (text == to_string(topology)) return topology;
  }
  throw Error(ExitCode::usage, std::string(option) + ": '" + std::string(text) + "' is no topology",
              "give silent, chain or star");
}

std::string_view to_string(JackTopology topology) noexcept {
  switch (topology) {
    case JackTopology::chain:
      return "chain";
    case JackTopology::star:
      return "star";
    case JackTopology::silent:
      break;
  }
  return "silent";
}

void check_graph(const GraphRequest& request) {
  const int connections = (request.clients - 1) * request.ports;
  if (request.topology == JackTopology::star && connections > kMostConnections) {
    throw Error(ExitCode::usage,
                "a star of " + counted(request.clients, "client") + " with " +
                    counted(request.ports, "port") + " needs " + std::to_string(connections) +
                    " connections of one port, JACK has " + std::to_string(kMostConnections),
                "give fewer --clients or --ports");
  }
  if (request.server.driver == JackDriver::running) return;
  if (request.clients + 1 > kMostJackClients) {
    throw Error(ExitCode::usage,
                counted(request.clients, "client") + " and the one that measures are more than the " +
                    std::to_string(kMostJackClients) + " that jackd holds",
                "give at most --clients " + std::to_string(kMostJackClients - 1));
  }
  if (ports_needed(request) > kMostJackPorts) {
    throw Error(ExitCode::usage,
                counted(request.clients, "client") + " x " + counted(request.ports, "port") +
                    " x 2 and the driver's " +
                    std::to_string(ports_needed(request) - request.clients * request.ports * 2) + " are " +
                    std::to_string(ports_needed(request)) + " ports, jackd holds " +
                    std::to_string(kMostJackPorts),
                "give fewer --clients or --ports");
  }
}

int ports_needed(const GraphRequest& request) noexcept {
  const int of_driver = request.server.driver == JackDriver::alsa ? kPortsOfCard : kPortsOfDummy;
  return request.clients * request.ports * 2 + of_driver;
}

}  // namespace xrunlab
