#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "xrunlab/cli/capacity.hpp"
#include "xrunlab/cli/cards.hpp"
#include "xrunlab/cli/compare.hpp"
#include "xrunlab/cli/disk.hpp"
#include "xrunlab/cli/gen.hpp"
#include "xrunlab/cli/help_format.hpp"
#include "xrunlab/cli/inspect.hpp"
#include "xrunlab/cli/load.hpp"
#include "xrunlab/cli/play.hpp"
#include "xrunlab/cli/replay.hpp"
#include "xrunlab/cli/repro.hpp"
#include "xrunlab/cli/restore.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/cli/sweep.hpp"
#include "xrunlab/cli/trace.hpp"
#include "xrunlab/cli/what_if.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/memory_lock.hpp"

namespace {

/// Last first, as CLI11 takes them. A bare --json must not swallow the file name behind it.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> reversed;
  for (int index = argc - 1; index > 0; --index) {
    const std::string argument = argv[index];
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
  xrunlab::GenOptions gen_options;
  xrunlab::InspectOptions inspect_options;
  xrunlab::LoadOptions load_options;
  xrunlab::SweepOptions sweep_options;
  xrunlab::PlayOptions play_options;
  xrunlab::ReplayOptions replay_options;
  xrunlab::TraceOptions trace_options;
  xrunlab::ReproOptions repro_options;
  xrunlab::WhatIfOptions what_if_options;
  xrunlab::CardsOptions cards_options;
  xrunlab::CompareOptions compare_options;
  xrunlab::RestoreOptions restore_options;
  xrunlab::DiskOptions disk_options;
  xrunlab::CapacityOptions capacity_options;
  const auto* const play = xrunlab::add_play(app, play_options);
  const auto* const capacity = xrunlab::add_capacity(app, capacity_options);
  const auto* const gen = xrunlab::add_gen(app, gen_options);
  const auto* const inspect = xrunlab::add_inspect(app, inspect_options);
  const auto* const load = xrunlab::add_load(app, load_options);
  const auto* const sweep = xrunlab::add_sweep(app, sweep_options);
  const auto* const replay = xrunlab::add_replay(app, replay_options);
  const auto* const trace = xrunlab::add_trace(app, trace_options);
  const auto* const repro = xrunlab::add_repro(app, repro_options);
  const auto* const what_if = xrunlab::add_what_if(app, what_if_options);
  const auto* const cards = xrunlab::add_cards(app, cards_options);
  const auto* const compare = xrunlab::add_compare(app, compare_options);
  const auto* const restore = xrunlab::add_restore(app, restore_options);
  const auto* const disk = xrunlab::add_disk(app, disk_options);
  const std::vector<std::string> cmdline(argv, argv + argc);
  if (argc > 1 && cmdline[1] == xrunlab::kWorkerCommand) return xrunlab::run_load_worker(cmdline);
  check_first_word(app, cmdline);
  try {
    app.parse(arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    const bool asked_for = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    app.exit(error);
    if (!asked_for) return static_cast<int>(xrunlab::ExitCode::usage);
    return static_cast<int>(xrunlab::exit_code_after_output(xrunlab::ExitCode::ok));
  }
  if (restore->parsed()) return static_cast<int>(xrunlab::run_restore(restore_options));
  xrunlab::warn_of_left_settings();
  if (gen->parsed()) return static_cast<int>(xrunlab::run_gen(gen_options));
  if (inspect->parsed()) return static_cast<int>(xrunlab::run_inspect(inspect_options));
  if (load->parsed()) return static_cast<int>(xrunlab::run_load(load_options));
  if (sweep->parsed()) return static_cast<int>(xrunlab::run_sweep(sweep_options));
  if (trace->parsed()) return static_cast<int>(xrunlab::run_trace(trace_options));
  if (compare->parsed()) return static_cast<int>(xrunlab::run_compare(compare_options));
  if (cards->parsed()) return static_cast<int>(xrunlab::run_cards(cards_options));
  if (disk->parsed()) return static_cast<int>(xrunlab::run_disk(disk_options));
  if (repro->parsed()) return static_cast<int>(xrunlab::run_repro(repro_options));
  if (what_if->parsed()) return static_cast<int>(xrunlab::run_what_if(what_if_options));
  if (replay->parsed()) return xrunlab::run_replay(replay_options, cmdline);
  if (play->parsed()) return xrunlab::run_play(play_options, cmdline);
  if (capacity->parsed()) return xrunlab::run_capacity(capacity_options, cmdline);
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
