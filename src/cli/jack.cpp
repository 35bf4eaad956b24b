#include "xrunlab/cli/jack.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

#include "xrunlab/cli/play_load.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/run_results.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/engine/run_record.hpp"
#include "xrunlab/jack/graph_client.hpp"
#include "xrunlab/jack/jack_run.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/platform/scheduling.hpp"
#include "xrunlab/platform/system_info.hpp"
#include "xrunlab/report/jack_text.hpp"
#include "xrunlab/report/redrawn_line.hpp"

namespace xrunlab {
namespace {

constexpr int kBoard = 3;
constexpr std::int64_t kMostSeats = 4096;
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
    "  xrunlab jack --server alsa:hw:0 --json=run.json\n";

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

JackRunRequest parse_jack(const JackOptions& options) {
  JackRunRequest request;
  GraphRequest& graph = request.graph;
  graph.server = parse_jack_server("--server", options.server);
  graph.clients = options.clients;
  graph.ports = options.ports;
  graph.topology = parse_jack_topology("--topology", options.topology);
  graph.burn_share = parse_share("--burn", options.burn, 100);
  graph.rate = parse_rate("-r", options.rate);
  graph.period = options.period_size;
  graph.periods = options.periods;
  const SchedSpec priority = parse_sched_spec("-P", options.priority);
  if (priority.policy == SchedPolicy::round_robin) {
    throw Error(ExitCode::usage, "-P: jackd knows SCHED_FIFO only", "give f:60, or --no-rt");
  }
  graph.priority = options.no_rt ? 0 : priority.priority;
  graph.timeout = parse_duration("--timeout", options.timeout);
  request.duration = parse_duration("-d", options.duration);
  request.warmup = parse_duration("--warmup", options.warmup);
  request.delay_bound = parse_duration("--delay-bound", options.delay_bound);
  request.ramp = options.ramp ? RampUp::yes : RampUp::no;
  request.ramp_step = parse_duration("--ramp-step", options.ramp_step);
  request.max_xruns = options.max_xruns;
  request.strict = options.strict;
  if (request.duration.count() == 0 || request.ramp_step.count() == 0 || graph.timeout.count() == 0) {
    throw Error(ExitCode::usage, "-d, --ramp-step and --timeout must be above 0",
                "give a time, as in -d 60s");
  }
  return request;
}

std::string jack_progress_text(const JackProgress& progress) {
  const std::string time =
      progress.elapsed.count() < 0 ? "starting" : spoken_duration(progress.elapsed.count());
  return fmt::format("{}  {}  DSP {} %  xruns {}  driver late {}", time, counted(progress.clients, "client"),
                     fixed(progress.dsp_load_share * 100, 1), progress.xruns, progress.driver_late);
}

int measure_graph(const JackOptions& options, const std::vector<std::string>& cmdline) {
  const JackRunRequest request = parse_jack(options);
  check_graph(request.graph);
  check_json_option(options.json);
  // Forked before there is a second thread, and gone after all that it keeps.
  GuardProcess guard;
  PlayLoad load(options.loads, options.load_seed, options.quiet);
  const Signals signals;
  if (!load.start(&guard, nullptr, options.strict ? Strictness::refuse : Strictness::warn, signals)) {
    fmt::print(stderr, "xrunlab: interrupted while the load was started; nothing was measured\n");
    return signals.exit_code();
  }
  const std::string started = utc_text(std::chrono::system_clock::now());
  RedrawnLine line(options.quiet);
  JackRunListeners listeners;
  listeners.progress = [&line](const JackProgress& now) { line.show(jack_progress_text(now)); };
  if (const auto beside = load.accompaniment()) listeners.goes_on = beside->goes_on;
  RunData run = run_jack(request, guard, signals, listeners);
  line.clear();
  run.start = started;
  run.end = utc_text(std::chrono::system_clock::now());
  run.cmdline = cmdline;
  run.tool = this_program();
  run.system = describe_system();
  run.limits.fail_marginal = options.fail_marginal;
  judge(run);
  load.finish(run);
  print_run(options, {.summary = jack_summary(run, stdout_style())}, run);
  ExitCode code = exit_code_for(run);
  if (!run.load_error.empty()) code = ExitCode::system;
  if (run.ended_by == "server") code = ExitCode::audio_device;
  if (!run.complete && signals.caught() != 0) code = static_cast<ExitCode>(signals.exit_code());
  return static_cast<int>(exit_code_after_output(code));
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

int run_jack_command(const JackOptions& options, const std::vector<std::string>& cmdline) {
  RepeatOptions repeat = options.repeat;
  repeat.quiet = options.quiet;
  return repeat_runs(repeat, options.json, {}, [&](const OneRun& one) {
    JackOptions of_this_run = options;
    of_this_run.json = one.json;
    return measure_graph(of_this_run, cmdline);
  });
}

int run_jack_client(const std::vector<std::string>& command) {
  if (command.size() != 3) {
    throw Error(ExitCode::usage, "jack-client is started by xrunlab itself", "use xrunlab jack");
  }
  ::prctl(PR_SET_NAME, "xrunlab-jack");
  const CycleBoard board{UniqueFd(kBoard)};
  const auto seat = static_cast<int>(parse_integer(kGraphClientCommand, command[2], 0, kMostSeats));
  if (seat >= board.seats()) {
    throw Error(ExitCode::usage, "jack-client is started by xrunlab itself", "use xrunlab jack");
  }
  return run_graph_client(board, seat);
}

}  // namespace xrunlab
