#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "xrunlab/cli/capacity.hpp"
#include "xrunlab/cli/cards.hpp"
#include "xrunlab/cli/compare.hpp"
#include "xrunlab/cli/disk.hpp"
#include "xrunlab/cli/doctor.hpp"
#include "xrunlab/cli/gen.hpp"
#include "xrunlab/cli/help_format.hpp"
#include "xrunlab/cli/import.hpp"
#include "xrunlab/cli/inspect.hpp"
#include "xrunlab/cli/jack.hpp"
#include "xrunlab/cli/latency.hpp"
#include "xrunlab/cli/load.hpp"
#include "xrunlab/cli/play.hpp"
#include "xrunlab/cli/plot.hpp"
#include "xrunlab/cli/replay.hpp"
#include "xrunlab/cli/repro.hpp"
#include "xrunlab/cli/restore.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/cli/sweep.hpp"
#include "xrunlab/cli/trace.hpp"
#include "xrunlab/cli/what_if.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/jack/graph_client.hpp"
#include "xrunlab/platform/memory_lock.hpp"

namespace {

/// Last first, as CLI11 takes them. A bare --json must not swallow the file name behind it.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> reversed;
  for (int index = argc - 1; index > 0; --index) {
    const std::string argument = argv[index];
    if (argument == "--json=")
      throw xrunlab::Error(xrunlab::ExitCode::usage, "--json= names no file",
                           "give --json=FILE, or --json alone");
    reversed.push_back(argument == "--json" ? "--json=-" : argument);
  }
  return reversed;
}

/// The first word that is neither a command nor an option of the program: CLI11 would only say that a command
/// is required.
void check_first_word(const CLI::App& app, const std::vector<std::string>& cmdline) {
  std::string commands;
  for (const auto* const command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands += (commands.empty() ? "" : ", ") + command->get_name();
  }
  const auto refuse = [&commands](const std::string& what) {
    throw xrunlab::Error(xrunlab::ExitCode::usage, what,
                         "the commands are " + commands + "; xrunlab --help explains them");
  };
  if (cmdline.size() < 2) refuse("which command?");
  const std::string& word = cmdline[1];
  const auto has_that_name = [&word](const CLI::App* command) { return command->check_name(word); };
  const bool known = word.starts_with('-') ? app.get_option_no_throw(word) != nullptr
                                           : !app.get_subcommands(has_that_name).empty();
  if (!known) refuse("'" + word + "' is unknown");
}

/// CLI11's errors in the form of ours.
std::string usage_message(const CLI::App* app, const CLI::Error& error) {
  std::string command = "xrunlab";
  for (const auto* const parsed : app->get_subcommands()) command += " " + parsed->get_name();
  return fmt::format("xrunlab: {} ({} --help lists all options)\n", error.what(), command);
}

/// An option whose value is empty, as "$LIMIT" is in a script where nothing was set: taken for left out, it
/// would change without a word what is measured.
void refuse_empty_values(const CLI::App& app) {
  for (const auto* const command : app.get_subcommands()) {
    for (const auto* const option : command->get_options()) {
      const auto& values = option->results();
      if (!option->nonpositional()) continue;  // a file without a name is said so by whoever wants to open it
      if (std::find(values.begin(), values.end(), "") == values.end()) continue;
      throw xrunlab::Error(xrunlab::ExitCode::usage, option->get_name() + " has an empty value",
                           "give it one, or leave the option out");
    }
  }
}

/// A subcommand and what runs it; its options are held by the function.
struct Command {
  const CLI::App* app;
  std::function<int()> run;
};

/// Adds a command whose options are an `Options` to `app`.
template <typename Options, typename Add, typename Run>
Command command(CLI::App& app, Add add, Run run) {
  const auto options = std::make_shared<Options>();
  return {add(app, *options), [options, run] { return static_cast<int>(run(*options)); }};
}

/// In the order in which the help lists them.
std::vector<Command> add_commands(CLI::App& app, const std::vector<std::string>& cmdline) {
  using namespace xrunlab;
  const auto with_cmdline = [&cmdline](auto run) {
    return [&cmdline, run](const auto& options) { return run(options, cmdline); };
  };
  return {command<PlayOptions>(app, add_play, with_cmdline(run_play)),
          command<CapacityOptions>(app, add_capacity, with_cmdline(run_capacity)),
          command<LatencyOptions>(app, add_latency, with_cmdline(run_latency_command)),
          command<JackOptions>(app, add_jack, with_cmdline(run_jack_command)),
          command<SweepOptions>(app, add_sweep, run_sweep),
          command<CompareOptions>(app, add_compare, run_compare),
          command<ImportOptions>(app, add_import, run_import),
          command<RestoreOptions>(app, add_restore, run_restore),
          command<LoadOptions>(app, add_load, run_load),
          command<ReplayOptions>(app, add_replay, with_cmdline(run_replay)),
          command<WhatIfOptions>(app, add_what_if, run_what_if),
          command<ReproOptions>(app, add_repro, run_repro),
          command<TraceOptions>(app, add_trace, run_trace),
          command<PlotOptions>(app, add_plot, run_plot),
          command<GenOptions>(app, add_gen, run_gen),
          command<InspectOptions>(app, add_inspect, run_inspect),
          command<DiskOptions>(app, add_disk, run_disk),
          command<CardsOptions>(app, add_cards, run_cards),
          command<DoctorOptions>(app, add_doctor, run_doctor)};
}

int dispatch(int argc, char** argv) {
  xrunlab::limit_malloc_arenas();
  CLI::App app{"Measures whether this machine can stream multitrack audio from disk to a card", "xrunlab"};
  app.footer(
      "xrunlab COMMAND --help tells all options of a command. To begin with:\n"
      "  xrunlab play --tracks 16\n");
  app.formatter(xrunlab::make_help_format());
  app.set_version_flag("--version", "xrunlab " XRUNLAB_VERSION);
  app.require_subcommand(1);
  app.failure_message(usage_message);
  const std::vector<std::string> cmdline(argv, argv + argc);
  const auto commands = add_commands(app, cmdline);
  if (argc > 1 && cmdline[1] == xrunlab::kWorkerCommand) return xrunlab::run_load_worker(cmdline);
  if (argc > 1 && cmdline[1] == xrunlab::kGraphClientCommand) return xrunlab::run_jack_client(cmdline);
  check_first_word(app, cmdline);
  try {
    app.parse(arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    const bool asked_for = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    app.exit(error);
    if (!asked_for) return static_cast<int>(xrunlab::ExitCode::usage);
    return static_cast<int>(xrunlab::exit_code_after_output(xrunlab::ExitCode::ok));
  }
  refuse_empty_values(app);
  if (!app.got_subcommand("restore")) xrunlab::warn_of_left_settings();
  for (const auto& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return static_cast<int>(xrunlab::ExitCode::usage);
}

}  // namespace

int main(int argc, char** argv) {
  xrunlab::keep_standard_files();
  try {
    return dispatch(argc, argv);
  } catch (const xrunlab::Error& error) {
    const std::string remedy = error.remedy().empty() ? "" : " (" + error.remedy() + ")";
    fmt::print(stderr, "xrunlab: {}{}\n", error.what(), remedy);
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    fmt::print(stderr, "xrunlab: {}\n", error.what());
    return static_cast<int>(xrunlab::ExitCode::system);
  }
}
