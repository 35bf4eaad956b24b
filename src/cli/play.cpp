#include "xrunlab/cli/play.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "xrunlab/cli/output_files.hpp"
#include "xrunlab/cli/play_live.hpp"
#include "xrunlab/cli/play_load.hpp"
#include "xrunlab/cli/play_plan.hpp"
#include "xrunlab/cli/play_request.hpp"
#include "xrunlab/cli/play_results.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/set_progress.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/set_writer.hpp"
#include "xrunlab/engine/stream_run.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {
namespace {

void check_what_is_played(const PlayOptions& options) {
  if (options.tracks && !options.inputs.empty()) {
    throw Error(ExitCode::usage, "--tracks and files exclude each other",
                "name files, or let --tracks write a set");
  }
  if (!options.tracks && options.inputs.empty()) {
    throw Error(ExitCode::usage, "nothing to play", "name audio files or directories, or give --tracks N");
  }
  const PlayOptions defaults;
  if (!options.tracks && (options.set != defaults.set || options.in != defaults.in)) {
    throw Error(ExitCode::usage,
                "--set and --in say what --tracks writes and where, but there is no --tracks",
                "add --tracks N, or leave them out");
  }
}

/// The set of --tracks, which the guard removes where we cannot; nothing when a signal came while it was
/// written.
std::unique_ptr<TemporarySet> write_temporary_set(const PlayOptions& options, const SetSpec& spec,
                                                  GuardProcess& guard, const Signals& signals) {
  std::atomic<bool> stop{false};
  WriteOptions write;
  write.stop = &stop;
  SetProgress progress(options.quiet ? LiveMode::off
                                     : choose_live_mode(describe_terminal(STDERR_FILENO), std::nullopt));
  write.warn = [&](const std::string& line) {
    progress.clear();
    fmt::print(stderr, "xrunlab: {}\n", line);
  };
  write.progress = [&](const WriteProgress& done) {
    if (signals.caught() != 0) stop = true;
    progress.show(done);
  };
  const auto made = [&guard](const std::filesystem::path& directory) { guard.remove_at_end(directory); };
  auto set = std::make_unique<TemporarySet>(options.in, spec, write, made);
  return set->files().empty() ? nullptr : std::move(set);
}

void end_when_signalled(const Signals& signals) {
  if (signals.caught() == 0) return;
  throw Error(static_cast<ExitCode>(signals.exit_code()),
              "interrupted during the set-up; nothing was played");
}

int play_once(const PlayOptions& options, const std::vector<std::string>& cmdline, const OneRun& one) {
  SystemClock clock;
  StreamRequest request = parse_play(options);
  request.program_start = clock.now();
  check_what_is_played(options);
  check_json_option(options.json);
  PlayLive live(options);
  // Forked before there is a second thread, and gone after all that it keeps.
  std::optional<GuardProcess> guard;
  if (!options.dry_run && (options.tracks || !options.loads.empty())) guard.emplace();
  PlayLoad load(options.loads, options.load_seed, options.quiet);
  const Signals signals;
  request.checkpoint = [&signals] { end_when_signalled(signals); };
  std::unique_ptr<TemporarySet> set;
  std::vector<std::filesystem::path> inputs(options.inputs.begin(), options.inputs.end());
  if (options.tracks) {
    const SetSpec spec = parse_temporary_set(options, request);
    check_outputs(options, {});
    if (options.dry_run) {
      print_out(temporary_set_text(request, spec, options.in));
      return static_cast<int>(exit_code_after_output(ExitCode::ok));
    }
    set = write_temporary_set(options, spec, *guard, signals);
    if (!set) {
      fmt::print(stderr, "xrunlab: interrupted while the set was written; nothing was played\n");
      return signals.exit_code();
    }
    inputs = set->files();
    request.program_start = clock.now();
  }
  request.files = open_files(inputs, options.ignore_length);
  check_outputs(options, request.files);
  if (options.dry_run) {
    print_out(plan_text(request));
    return static_cast<int>(exit_code_after_output(ExitCode::ok));
  }
  if (!load.start(guard ? &*guard : nullptr, &request.files.front(), request.strict, signals)) {
    fmt::print(stderr, "xrunlab: interrupted while the load was started; nothing was played\n");
    return signals.exit_code();
  }
  request.accompaniment = load.accompaniment();
  if (!options.loads.empty()) request.program_start = clock.now();
  StreamListeners listeners = live.listeners();
  listeners.so_far = keep_run_file(options, cmdline);
  StreamOutcome outcome = run_stream(request, signals, listeners);
  live.clear();
  load.finish(outcome.run);
  outcome.run.cmdline = cmdline;
  outcome.run.tool = this_program();
  print_results(options, outcome.run);
  const int code = static_cast<int>(exit_code_after_output(exit_code_of(outcome, signals)));
  if (outcome.thread_hangs) {
    set.reset();
    one.give_name();
    std::quick_exit(code);
  }
  return code;
}

}  // namespace

int run_play(const PlayOptions& options, const std::vector<std::string>& cmdline) {
  RepeatOptions repeat = options.repeat;
  repeat.quiet = options.quiet;
  return repeat_runs(repeat, options.json, options.record, [&](const OneRun& one) {
    PlayOptions of_this_run = options;
    of_this_run.json = one.json;
    return play_once(of_this_run, cmdline, one);
  });
}

}  // namespace xrunlab
