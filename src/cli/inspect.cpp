#include "xrunlab/cli/inspect.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "xrunlab/cli/output_files.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/engine/inspect_file.hpp"
#include "xrunlab/model/inspection_json.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/platform/signals.hpp"
#include "xrunlab/report/inspection_table.hpp"

namespace xrunlab {
namespace {

void check_json_output(const std::string& output, const std::vector<FileInspection>& files) {
  for (const auto& file : files) check_not_this_input("--json", output, file.path);
}

/// One line each on stderr, whatever form the findings have on stdout.
void print_troubles(const std::vector<FileInspection>& files, const char* of_warning) {
  for (const auto& file : files) {
    for (const auto& warning : file.warnings) {
      fmt::print(stderr, "xrunlab: {}{}: {}\n", of_warning, file.name, warning);
    }
    if (!file.error.empty()) fmt::print(stderr, "xrunlab: {}: {}\n", file.name, file.error);
  }
}

ExitCode inspect_exit_code(const std::vector<FileInspection>& files, bool strict) {
  const bool wrong = std::any_of(files.begin(), files.end(), [strict](const auto& file) {
    return !file.playable || (strict && !file.warnings.empty());
  });
  return wrong ? ExitCode::input_file : ExitCode::ok;
}

}  // namespace

CLI::App* add_inspect(CLI::App& app, InspectOptions& options) {
  auto* const inspect = app.add_subcommand("inspect", "Show what the player sees in audio files");
  inspect->add_option("INPUT", options.inputs, "Audio files; a directory stands for its audio files, by name")
      ->required();
  add_json_option(*inspect, options.json, "The findings as JSON");
  inspect->add_flag("--scan", options.scan,
                    "Also read all samples: frames that are there, peak, clipped samples");
  inspect->add_flag("-v,--verbose", options.verbose,
                    "Also show in how many pieces (extents) a file lies on the disk");
  inspect->add_flag("--ignore-length", options.ignore_length,
                    "Take the bytes that are there where a header's length is wrong");
  inspect->add_flag("--strict", options.strict, "A warning about a file is an error");
  inspect->footer(
      "Without --scan only headers are read: the samples stay out of the page cache.\n"
      "Findings go to stdout, errors and warnings about files to stderr, a line each.\n"
      "Exit codes: 0 all files can be played; 2 usage; 3 stdout or --json=FILE failed;\n"
      "4 a file cannot be played; 128+n ended by signal n. See also docs/inspect.md.\n"
      "\n"
      "Example:\n"
      "  xrunlab inspect takes/ --json | jq '.[] | select(.playable | not)'\n");
  return inspect;
}

ExitCode run_inspect(const InspectOptions& options) {
  const bool json_in_file = names_file(options.json);
  check_json_option(options.json);
  const Signals signals;
  InspectRequest request;
  if (options.ignore_length) request.lengths = LengthRule::take_what_is_there;
  request.parts = {options.scan, options.verbose};
  request.stop = [&signals] { return signals.caught() != 0; };
  const std::vector<std::filesystem::path> inputs(options.inputs.begin(), options.inputs.end());
  const auto files = inspect_inputs(inputs, request);
  if (json_in_file) check_json_output(options.json, files);

  print_out(options.json == "-" ? to_json(files, request.parts) : inspection_table(files, request.parts));
  flush_out();
  print_troubles(files, options.strict ? "" : "warning: ");
  if (json_in_file) write_json_file(to_json(files, request.parts), options.json);
  const bool interrupted = signals.caught() != 0;
  if (interrupted) fmt::print(stderr, "xrunlab: interrupted; not all files were looked at\n");
  return exit_code_after_output(interrupted ? static_cast<ExitCode>(signals.exit_code())
                                            : inspect_exit_code(files, options.strict));
}

}  // namespace xrunlab
