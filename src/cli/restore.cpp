#include "xrunlab/cli/restore.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/platform/journal_file.hpp"
#include "xrunlab/platform/left_settings.hpp"

namespace xrunlab {
namespace {

RestoreMode mode_of(const RestoreOptions& options) {
  if (options.forget) return RestoreMode::forget;
  return options.dry_run ? RestoreMode::look : RestoreMode::put_back;
}

/// Whether everything that the report is about is as it should be.
bool print_report(const RestoreReport& report) {
  print_out(report.what + "\n");
  for (const std::string& line : report.lines) print_out("  " + line + "\n");
  if (report.outcome == RestoreOutcome::put_back && report.lines.empty()) {
    print_out("  everything is as it was found\n");
  }
  flush_out();
  for (const std::string& fault : report.faults) fmt::print(stderr, "xrunlab: {}\n", fault);
  if (report.outcome == RestoreOutcome::differs) {
    fmt::print(stderr,
               "xrunlab: not everything could be put back (mend the cause and try again, or give up with "
               "xrunlab restore --forget)\n");
  }
  if (report.outcome == RestoreOutcome::in_use) {
    fmt::print(stderr, "xrunlab: nothing was put back (end the process that changes the settings)\n");
  }
  return report.outcome == RestoreOutcome::put_back || report.outcome == RestoreOutcome::undone_by_reboot;
}

}  // namespace

CLI::App* add_restore(CLI::App& app, RestoreOptions& options) {
  auto* const restore =
      app.add_subcommand("restore", "Put back settings of the machine that a killed run has left changed");
  auto* const dry_run = restore->add_flag("--dry-run", options.dry_run, "Only tell what is left changed");
  restore
      ->add_flag("--forget", options.forget,
                 "Leave the settings as they are, and forget what they were before")
      ->excludes(dry_run);
  restore->footer(
      "What a run changes it puts back itself; this is for one that was killed, or cut\n"
      "off by a power cut. After a reboot nothing is written: it tells what the reboot\n"
      "has undone. See also docs/settings.md.\n"
      "Exit codes: 0 all is as it was found; 2 usage; 3 something could not be put\n"
      "back, or is being changed by a process that still runs.\n");
  return restore;
}

ExitCode run_restore(const RestoreOptions& options) {
  SettingFiles files{SysRoot()};
  const auto directories = journal_directories();
  for (const std::string& closed : closed_directories(directories)) {
    fmt::print(stderr,
               "xrunlab: {} may hold journals of root's runs, and cannot be read (sudo xrunlab restore)\n",
               closed);
  }
  const auto reports = restore_left_settings(files, directories, mode_of(options));
  if (reports.empty()) print_out("no settings are left changed\n");
  bool well = true;
  for (const RestoreReport& report : reports) well = print_report(report) && well;
  return exit_code_after_output(well ? ExitCode::ok : ExitCode::system);
}

void warn_of_left_settings() noexcept {
  const std::string line = left_settings_line();
  if (!line.empty()) std::fprintf(stderr, "xrunlab: %s\n", line.c_str());
}

}  // namespace xrunlab
