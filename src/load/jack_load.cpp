#include "load_jobs.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/jack/jack_graph.hpp"
#include "xrunlab/jack/xrun_tally.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kGraphRest = std::chrono::milliseconds{100};

}  // namespace

void do_jack_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  GuardProcess guard;
  const Signals signals;
  GraphRequest request = task.spec.graph;
  request.tag = "-load" + std::to_string(task.index);
  JackGraph graph(guard, request);
  const auto interrupted_within = [&](Nanoseconds time) {
    return signals.wait_for(time) || stop.load(std::memory_order_relaxed);
  };
  if (!graph.start(interrupted_within)) return;
  for (int client = 0; client < request.clients; ++client) {
    if (!graph.add_client(interrupted_within)) return;
  }
  if (!graph.failures().empty()) {
    throw Error(ExitCode::system,
                "jack: " + graph.failures().front().client + ": " + graph.failures().front().detail,
                "ask for fewer clients=");
  }
  XrunTally tally(graph);
  const auto count_xruns = [&] {
    const GraphCounts counts = tally.counts();
    figures.xruns.store(counts.xruns, std::memory_order_relaxed);
    figures.driver_late.store(counts.driver_late, std::memory_order_relaxed);
  };
  count_xruns();  // those of its start are there before anybody counts
  figures.work();
  do {
    graph.look({});
    count_xruns();
    figures.operations.store(graph.client_cycles(), std::memory_order_relaxed);
    if (const std::string dead = graph.dead(); !dead.empty()) throw Error(ExitCode::system, "jack: " + dead);
    if (graph.working() == 0) throw Error(ExitCode::system, "jack: no client is left");
  } while (!interrupted_within(kGraphRest));
}

}  // namespace xrunlab
