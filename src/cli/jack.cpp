#include "xrunlab/cli/jack.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

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
