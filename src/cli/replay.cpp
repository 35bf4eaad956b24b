#include "xrunlab/cli/replay.hpp"

#include <CLI/CLI.hpp>

#include "xrunlab/cli/output_files.hpp"
#include "xrunlab/cli/play_live.hpp"
#include "xrunlab/cli/play_request.hpp"
#include "xrunlab/cli/play_results.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/virtual_run.hpp"
#include "xrunlab/jack/jack_pcm_options.hpp"
#include "xrunlab/model/run_file.hpp"

namespace xrunlab {
namespace {

constexpr auto kReplayFooter =
    "RECORD is what play --record has written. Rings, card and length are those of the record; what is\n"
    "typed changes them. It is no measurement of this machine and gets no verdict.\n"
    "\n"
    "Exit codes: 0 no xrun and no starvation beyond the limits; 1 one; 2 usage; 3 system; 4 no record, or\n"
    "an input that had failed; 5 the audio device; 128+n ended by signal n.\n"
    "\n"
    "Examples:\n"
    "  xrunlab replay run.trace --virtual            what happened, in a moment\n"
    "  xrunlab replay run.trace --virtual --ring 2s  would it with this ring?\n"
    "  xrunlab replay run.trace -D hw:0              on a card, in real time\n";

/// What only a disk could do something about.
constexpr const char* kOfDisk[] = {"--no-ring", "--io",          "--direct", "--sqpoll", "--no-fixed-buffers",
                                   "--cache",   "--io-priority", "--loop",   "--dry-run"};

void look_at_typed(const CLI::App& replay, ReplayOptions& options) {
  for (const char* const option : kOfDisk) {
    if (replay.count(option) == 0) continue;
    throw Error(ExitCode::usage, std::string(option) + " does nothing in a replay: there is no disk",
                "leave it out");
  }
  refuse_contradictions(replay, options.play);
  if (is_jack(options.play.device)) {
    throw Error(ExitCode::usage, "-D " + options.play.device + ": a replay takes a card that is written to",
                "leave it out for the simulated card");
  }
  const auto typed = [&replay](const char* option) { return replay.count(option) > 0; };
  options.changes = {.ring = typed("--ring"),
                     .io_size = typed("--io-size"),
                     .queue_depth = typed("--queue-depth"),
                     .period = typed("--period-size"),
                     .fragment = typed("--fragment"),
                     .buffer = typed("--buffer-size") || typed("--periods"),
                     .card = typed("--device"),
                     .channels = typed("--channels"),
                     .format = typed("--format"),
                     .on_starve = typed("--on-starve"),
                     .duration = typed("--duration")};
}

/// Where the result goes is no part of the run: two runs of one record say the same.
std::vector<std::string> without_output(const std::vector<std::string>& cmdline) {
  std::vector<std::string> kept;
  for (const auto& word : cmdline) {
    if (!word.starts_with("--json")) kept.push_back(word);
  }
  if (!kept.empty()) kept.front() = "xrunlab";
  return kept;
}

bool within_limits(const RunData& run) {
  return run.complete && run.counters.device_xruns <= run.limits.max_xruns &&
         run.counters.starvation_episodes <= run.limits.max_starved;
}

}  // namespace

CLI::App* add_replay(CLI::App& app, ReplayOptions& options) {
  auto* const replay =
      app.add_subcommand("replay", "Play a recorded run again, without its files and its disk");
  replay->add_option("RECORD", options.record, "The trace of a run")->required();
  replay->add_flag("--virtual", options.in_virtual_time,
                   "In virtual time: an hour takes seconds, and gives the same each time");
  add_run_options(*replay, options.play);
  replay->footer(kReplayFooter);
  replay->parse_complete_callback([replay, &options] { look_at_typed(*replay, options); });
  return replay;
}

int run_replay(const ReplayOptions& options, const std::vector<std::string>& cmdline) {
  SystemClock clock;
  StreamRequest request = parse_play(options.play);
  request.program_start = clock.now();
  check_json_option(options.play.json);
  if (names_file(options.play.json)) check_not_this_input("--json", options.play.json, options.record);
  if (!options.play.record.empty()) check_not_this_input("--record", options.play.record, options.record);
  check_outputs(options.play, {});
  const auto script = std::make_shared<const ReplayScript>(load_replay_script(options.record));
  play_again(script, options.changes, request);
  const Signals signals;
  PlayLive live(options.play);
  StreamOutcome outcome = options.in_virtual_time ? run_in_virtual_time(request, signals)
                                                  : run_stream(request, signals, live.listeners());
  live.clear();
  outcome.run.cmdline = options.in_virtual_time ? without_output(cmdline) : cmdline;
  outcome.run.tool = this_program();
  print_results(options.play, outcome.run);
  ExitCode code = exit_code_of(outcome, signals);
  if (code == ExitCode::limit_broken && within_limits(outcome.run)) code = ExitCode::ok;
  const int process_code = static_cast<int>(exit_code_after_output(code));
  if (outcome.thread_hangs) std::quick_exit(process_code);
  return process_code;
}

}  // namespace xrunlab
