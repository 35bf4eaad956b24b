#include "xrunlab/cli/sweep.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "xrunlab/cli/compare.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/cli/sweep_request.hpp"
#include "xrunlab/cli/sweep_session.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/platform/setting_check.hpp"

namespace xrunlab {
namespace {

constexpr auto kSweepFooter =
    "KEY is a setting of the machine, or a long option of play without its dashes\n"
    "(ring, io-size, direct, io-priority; on,off for one that takes no value), or\n"
    "input: what is played. Values are separated by commas, or by semicolons where\n"
    "they hold commas themselves. load=none is no load.\n"
    "\n"
    "Every combination is run once in each block, in random order. What is changed\n"
    "on the machine is put back at the end, also after a signal; after kill -9 by\n"
    "xrunlab restore. A run that fails ends the sweep with its exit code; 0 when all\n"
    "are recorded, whatever their verdicts; 128+n ended by signal n.\n"
    "\n"
    "Settings:\n";

constexpr auto kSweepExamples =
    "\n"
    "Example:\n"
    "  xrunlab sweep --vary scheduler=all -o elevators -- set --load read:.\n";

void add_plan_options(CLI::App& sweep, SweepOptions& options) {
  sweep.add_option("--vary", options.vary, "Make runs with each of these values; several: all combinations")
      ->type_name("KEY=A,B,C")
      ->allow_extra_args(false);
  sweep.add_option("--fix", options.fix, "Make all runs with this value")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  sweep.add_option("-n,--runs", options.runs, "Runs of each combination (default: 10); with --resume: more")
      ->type_name("RUNS");
  sweep
      .add_option("--warmup", options.warm_ups, "Runs of each before these, which do not count (default: 1)")
      ->type_name("N");
  sweep.add_option("--cooldown", options.cool_down, "Pause between two runs (default: 5s)")
      ->type_name("TIME");
  sweep.add_option("--prepare", options.prepare, "For sh before each run, once the settings are made")
      ->type_name("CMD");
  sweep.add_option("--seed", options.seed, "Decides the order within each block (default: 1)")
      ->type_name("N");
  sweep.add_option("--sweep-id", options.sweep_id, "With --only: whose runs belong together")
      ->type_name("ID");
  sweep.add_flag("--force-inert", options.force_inert, "Run what cannot act all the same, and mark it");
}

void check_sweep_modes(const SweepOptions& options) {
  const auto refuse_pair = [](const char* first, const char* second) {
    throw Error(ExitCode::usage, std::string(first) + " and " + second + " contradict each other",
                "leave one of them out");
  };
  if (options.only && options.dry_run) refuse_pair("--only", "--dry-run");
  if (options.sweep_id.find_first_of("\n\r") != std::string::npos) {
    throw Error(ExitCode::usage, "--sweep-id has more than one line", "give a word");
  }
}

void check_directory_name(const std::filesystem::path& directory) {
  const auto parent = directory.parent_path();
  std::error_code error;
  if (parent.empty() || std::filesystem::exists(parent, error)) return;
  throw Error(ExitCode::system,
              "cannot make the directory " + directory.string() + ": " + parent.string() + " is not there",
              "mkdir -p '" + parent.string() + "'");
}

std::string resume_command(const SweepOptions& options) {
  if (options.only) return "the same command makes it";
  return "xrunlab sweep --resume -o '" + options.directory + "' goes on with it";
}

std::string duration_text(const SweepSetup& setup, std::size_t left) {
  const SweepManifest& sweep = setup.manifest;
  const auto combinations = static_cast<std::int64_t>(setup.plan.combinations.size());
  std::string text = fmt::format("{} x {}", counted(combinations, "combination"), counted(sweep.runs, "run"));
  if (sweep.warm_ups > 0) text += fmt::format(" and {}", counted(sweep.warm_ups, "warm-up"));
  if (sweep.exploratory > 0) text += fmt::format(" and {} more", sweep.exploratory);
  if (left < setup.plan.runs.size())
    text += fmt::format(", {} of {} runs left", left, setup.plan.runs.size());
  const auto duration = planned_duration(left, setup.run_length, sweep.cool_down);
  return text + fmt::format(", {} each and {} between: about {}", spoken_duration(setup.run_length.count()),
                            spoken_duration(sweep.cool_down.count()), spoken_duration(duration.count()));
}

/// The commands alone on stdout, one a line: for parallel, an array of jobs, or a shell.
void print_commands(const SweepSetup& setup, const std::set<int>& recorded, const SweepOptions& options) {
  for (const auto& run : setup.plan.runs) {
    if (recorded.contains(run.number)) continue;
    print_out(only_command(setup.manifest, run.number, options.directory) + "\n");
  }
  fmt::print(stderr, "xrunlab: {} (--dry-run: nothing was run)\n",
             duration_text(setup, setup.plan.runs.size() - recorded.size()));
}

/// What a sweep is made with, besides its plan and its directory.
struct SweepMeans {
  SweepMachine& machine;
  GuardProcess& guard;
  const Signals& signals;
};

/// Puts the settings back, whatever the end was, before it says anything.
ExitCode finish_sweep(const SweepMeans& means, const SweepSession& session, const SweepResult& result,
                      const SweepOptions& options) {
  const auto differences = means.machine.restore();
  for (const auto& line : differences) fmt::print(stderr, "xrunlab: not as it was found: {}\n", line);
  if (result.end == SweepEnd::failed && session.failure()) {
    throw Error(session.failure()->code(), session.failure()->what(), resume_command(options));
  }
  if (result.end == SweepEnd::interrupted) {
    throw Error(static_cast<ExitCode>(means.signals.exit_code()),
                fmt::format("interrupted with {} left", counted(result.left, "run")),
                resume_command(options));
  }
  return differences.empty() ? ExitCode::ok : ExitCode::system;
}

/// Of a sweep that is complete. Whether a run counts for anything is no matter of the exit code.
void print_table(const SweepOptions& options) {
  CompareOptions table;
  table.inputs = {options.directory};
  run_compare(table);
}

ExitCode make_whole(const SweepSetup& setup, const SweepDirectory& directory, const SweepMeans& means,
                    const SweepOptions& options) {
  SweepReport report(options.quiet);
  SweepSession session(setup, directory, means.machine, means.guard, means.signals, report);
  const auto recorded = session.recorded();
  const std::size_t left = setup.plan.runs.size() - recorded.size();
  if (!options.quiet) fmt::print(stderr, "xrunlab: {}\n", duration_text(setup, left));
  if (left > 0) means.machine.claim();
  for (const auto& line : means.machine.equal_values()) report.warn(line);
  const SystemClock clock;
  const SweepActions actions{
      .run = [&](const SweepRun& run, const SweepProgress& progress) { return session.make(run, progress); },
      .cool_down = [&](Nanoseconds time) { return !means.signals.wait_for(time); }};
  const SweepResult result =
      make_runs(setup.plan, recorded, {setup.run_length, setup.manifest.cool_down}, clock, actions);
  report.clear();
  const ExitCode code = finish_sweep(means, session, result, options);
  print_table(options);
  return code;
}

void check_only(const SweepSetup& setup, int number) {
  if (number >= 1 && static_cast<std::size_t>(number) <= setup.plan.runs.size()) return;
  throw Error(ExitCode::usage, fmt::format("--only: there is no run {}", number),
              fmt::format("the runs are 1 to {}", setup.plan.runs.size()));
}

/// The one run of --only, which is there.
ExitCode make_one(const SweepSetup& setup, const SweepDirectory& directory, const SweepMeans& means,
                  const SweepOptions& options) {
  const SweepRun& run = setup.plan.runs[static_cast<std::size_t>(*options.only - 1)];
  SweepReport report(options.quiet);
  SweepSession session(setup, directory, means.machine, means.guard, means.signals, report);
  const std::string name = sweep_file_name(setup.plan, run);
  if (directory.holds(name)) {
    throw Error(ExitCode::usage, (directory.path() / name).string() + " is there already",
                "it is never overwritten; remove it to make the run anew");
  }
  means.machine.claim();
  SweepResult result;
  result.end = session.make(run, {0, 1, setup.run_length});
  result.left = result.end == SweepEnd::complete ? 0 : 1;
  report.clear();
  return finish_sweep(means, session, result, options);
}

SweepRequest request_of(const SweepOptions& options, std::optional<SweepDirectory>& directory) {
  if (!options.resume) return parse_sweep(options);
  check_resume_options(options);
  directory.emplace(SweepDirectory::resume(options.directory));
  SweepRequest request{directory->manifest(), {}};
  check_sweep(request.manifest);
  auto& more = request.manifest.exploratory;
  if (!options.runs) return request;
  check_run_count(*options.runs);
  const int planned = request.manifest.runs + more;
  if (*options.runs < planned)
    request.notes.push_back(
        fmt::format("-n {} is passed over: {} are planned already", *options.runs, counted(planned, "run")));
  more = std::max(more, *options.runs - request.manifest.runs);
  return request;
}

ExitCode plan_only(const SweepSetup& setup, const std::optional<SweepDirectory>& directory,
                   const SweepOptions& options) {
  std::set<int> recorded;
  for (const auto& run : setup.plan.runs) {
    if (directory && directory->holds(sweep_file_name(setup.plan, run))) recorded.insert(run.number);
  }
  print_commands(setup, recorded, options);
  return exit_code_after_output(ExitCode::ok);
}

}  // namespace

CLI::App* add_sweep(CLI::App& app, SweepOptions& options) {
  auto* const sweep =
      app.add_subcommand("sweep", "Play with all combinations of some settings, repeatedly, and compare");
  add_plan_options(*sweep, options);
  sweep
      ->add_option("-o,--output", options.directory,
                   "Where the run files go: a new directory, or an empty one")
      ->type_name("DIR")
      ->required();
  sweep->add_flag("--resume", options.resume, "Make what is left of the sweep in DIR");
  sweep->add_option("--only", options.only, "Make only this run of the plan, counted from 1")->type_name("N");
  sweep->add_flag("--dry-run", options.dry_run, "Print a command for each run, and how long it will take");
  sweep->add_flag("-q,--quiet", options.quiet, "Print warnings and the table only");
  sweep->add_option("PLAY-ARGS", options.play, "Behind --: the files and options of play");
  sweep->footer(kSweepFooter + setting_keys_text() + kSweepExamples);
  return sweep;
}

ExitCode run_sweep(const SweepOptions& options) {
  check_sweep_modes(options);
  check_directory_name(options.directory);
  std::optional<GuardProcess> guard;
  if (!options.dry_run) guard.emplace();
  const Signals signals;
  const auto checkpoint = [&signals] {
    if (signals.caught() == 0) return;
    throw Error(static_cast<ExitCode>(signals.exit_code()), "interrupted before the first run");
  };
  std::optional<SweepDirectory> directory;
  const SweepRequest request = request_of(options, directory);
  for (const auto& note : request.notes) fmt::print(stderr, "xrunlab: {}\n", note);
  const SweepSetup setup = set_up_sweep(request.manifest, checkpoint);
  if (setup.least_length.count() > 0) {
    fmt::print(stderr,
               "xrunlab: warning: no run can get a verdict: {} are too short, at least {} are needed\n",
               spoken_duration(setup.run_length.count()), spoken_duration(setup.least_length.count()));
  }
  if (options.only) check_only(setup, *options.only);
  if (options.dry_run) {
    for (const auto& settings : setup.settings) check_values(settings, setup.targets);
    if (!directory) SweepDirectory::check_free(options.directory);
    return plan_only(setup, directory, options);
  }
  SweepMachine machine(setup.targets, setup.settings);
  const SweepMeans means{machine, *guard, signals};
  if (directory) {
    if (setup.manifest.exploratory > directory->manifest().exploratory) {
      directory->extend(setup.manifest.exploratory);
    }
  } else {
    // Before the directory is made: without the rights, or with a value that is refused, nothing is left.
    machine.claim();
    directory.emplace(options.only ? SweepDirectory::join(options.directory, setup.manifest)
                                   : SweepDirectory::create(options.directory, setup.manifest));
  }
  return options.only ? make_one(setup, *directory, means, options)
                      : make_whole(setup, *directory, means, options);
}

}  // namespace xrunlab
