#include <CLI/CLI.hpp>

#include "xrunlab/cli/jack.hpp"
#include "xrunlab/cli/run_options.hpp"

namespace xrunlab {
namespace {

constexpr int kMostPorts = 512;

constexpr auto kJackFooter =
    "It starts a jackd of its own, with a private name, that ends with it; --server\n"
    "running uses the one that is there, PipeWire's too (pw-jack xrunlab jack ...).\n"
    "TIME: a plain number is seconds; else with us, ms, s, m or h.\n"
    "\n"
    "Exit codes: 0 PASS or MARGINAL; 1 FAIL or NO VERDICT; 2 usage; 3 system; 5 the\n"
    "server; 77 no jackd or no libjack; 128+n ended by signal n.\n"
    "\n"
    "Examples:\n"
    "  xrunlab jack                        20 clients, 64 frames, 5 minutes\n"
    "  xrunlab jack --topology chain --burn 2% -d 60s\n"
    "  xrunlab jack --ramp --clients 40 --burn 5%      how many fit?\n"
    "  xrunlab jack --server alsa:hw:0 --json=run.json\n"
    "  xrunlab jack -d 60s -n 10 -o runs    ten run files, for xrunlab compare runs\n";

void add_graph_options(CLI::App& jack, JackOptions& options) {
  jack.add_option("--clients", options.clients, "Clients, each a process; with --ramp: the most")
      ->type_name("N")
      ->check(between(1, 1000))
      ->capture_default_str();
  jack.add_option("--ports", options.ports, "Inputs of each client, and as many outputs")
      ->type_name("N")
      ->check(between(0, kMostPorts))
      ->capture_default_str();
  jack.add_option(
          "--topology", options.topology,
          "silent: unconnected; chain: each takes all outputs of the one before; star: all take the first's")
      ->type_name("NAME")
      ->capture_default_str();
  jack.add_option("--burn", options.burn, "Share of the period that each client works for: 30%, 0.3")
      ->type_name("SHARE")
      ->capture_default_str();
  jack.add_flag("--ramp", options.ramp, "One client after the other, until one is late");
  jack.add_option("--ramp-step", options.ramp_step, "How long each number of clients is measured")
      ->type_name("TIME")
      ->capture_default_str();
}

void add_server_options(CLI::App& jack, JackOptions& options) {
  constexpr auto kGroup = "Server";
  jack.add_option("--server", options.server,
                  "dummy: no card; alsa:hw:0: a card; running: the one that is there")
      ->type_name("SERVER")
      ->capture_default_str()
      ->group(kGroup);
  jack.add_option("--period-size", options.period_size, "Frames of a period")
      ->type_name("FRAMES")
      ->check(between(1, 8192))
      ->capture_default_str()
      ->group(kGroup);
  jack.add_option("--periods", options.periods, "Periods in the card's buffer (alsa)")
      ->type_name("N")
      ->check(between(2, 64))
      ->capture_default_str()
      ->group(kGroup);
  jack.add_option("-r,--rate", options.rate, "Sample rate")
      ->type_name("RATE")
      ->capture_default_str()
      ->group(kGroup);
  jack.add_option("-P,--priority", options.priority, "Of the server; its clients stay five below")
      ->type_name("f:N")
      ->capture_default_str()
      ->group(kGroup);
  jack.add_flag("--no-rt", options.no_rt, "Server and clients without real-time priority")->group(kGroup);
  jack.add_option("--timeout", options.timeout,
                  "Of each call of libjack; a client that takes longer has hung")
      ->type_name("TIME")
      ->capture_default_str()
      ->group(kGroup);
}

void add_measure_options(CLI::App& jack, JackOptions& options) {
  constexpr auto kGroup = "Run";
  jack.add_option("-d,--duration", options.duration, "Measure for this long")
      ->type_name("TIME")
      ->capture_default_str()
      ->group(kGroup);
  jack.add_option("--warmup", options.warmup, "Wait before, when all clients are there")
      ->type_name("TIME")
      ->capture_default_str()
      ->group(kGroup);
  jack.add_option("--delay-bound", options.delay_bound, "Count delays longer than this")
      ->type_name("TIME")
      ->capture_default_str()
      ->group(kGroup);
  jack.add_option("--max-xruns", options.max_xruns, "More are FAIL")
      ->type_name("N")
      ->check(between(0, 1'000'000'000))
      ->capture_default_str()
      ->group(kGroup);
  jack.add_flag("--fail-marginal", options.fail_marginal, "MARGINAL exits with 1")->group(kGroup);
  jack.add_flag("--strict", options.strict, "Exit with 3 where real-time priority is refused")->group(kGroup);
}

}  // namespace

CLI::App* add_jack(CLI::App& app, JackOptions& options) {
  auto* const jack = app.add_subcommand("jack", "Run many JACK clients and count what is late");
  add_graph_options(*jack, options);
  add_server_options(*jack, options);
  add_measure_options(*jack, options);
  add_load_options(*jack, options.loads, options.load_seed);
  add_output_options(*jack, options);
  add_repeat_options(*jack, options.repeat);
  jack->footer(kJackFooter);
  return jack;
}

}  // namespace xrunlab
