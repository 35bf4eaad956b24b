#include "xrunlab/cli/play_results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "xrunlab/cli/play_plan.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/run_record.hpp"
#include "xrunlab/model/redact.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/model/run_json.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/classic.hpp"
#include "xrunlab/report/histogram_text.hpp"

namespace xrunlab {
namespace {

constexpr const char* kCompiler =
#if defined(__clang__)
    "clang " __clang_version__;
#else
    "gcc " __VERSION__;
#endif

}  // namespace

ConsoleStyle stdout_style() {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  const bool colour = isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0') &&
                      (term == nullptr || std::string(term) != "dumb");
  return colour ? ConsoleStyle::colour : ConsoleStyle::plain;
}

ToolInfo this_program() {
  return {"xrunlab", XRUNLAB_VERSION, kCompiler};
}

void print_results(const PlayOptions& options, const RunData& run) {
  const RunData shown = options.redact ? redacted(run) : run;
  const bool json_on_stdout = options.json == "-";
  if (json_on_stdout) {
    print_out(to_json(shown));
    if (!options.quiet) fmt::print(stderr, "xrunlab: {}\n", run.verdict_line);
  } else if (options.quiet) {
    print_out(run.verdict_line + "\n");
  } else if (options.classic) {
    print_out(classic_listing(run));
    fmt::print(stderr, "xrunlab: {}\n", run.verdict_line);
  } else {
    if (options.verbose) print_out(inputs_text(run) + "\n");
    print_out(console_summary(run, stdout_style()));
  }
  if (options.hist && !json_on_stdout) print_out("\n" + histograms_text(run));
  // Quiet, nobody heard of them while it ran.
  if (options.quiet) {
    for (const auto& warning : run.warnings) fmt::print(stderr, "xrunlab: warning: {}\n", warning);
  }
  if (!run.error.empty()) fmt::print(stderr, "xrunlab: {}\n", run.error);
  if (!run.load_error.empty())
    fmt::print(stderr, "xrunlab: the load '{}' was dead: {}\n", run.load, run.load_error);
  flush_out();
  // Last: when it fails, what was measured has been seen.
  if (!json_on_stdout && !options.json.empty()) write_run_file(shown, options.json);
}

std::function<void(const RunData&)> keep_run_file(const PlayOptions& options,
                                                  const std::vector<std::string>& cmdline) {
  if (options.json.empty() || options.json == "-") return {};
  return [&options, cmdline, started = utc_text(std::chrono::system_clock::now())](const RunData& so_far) {
    RunData run = so_far;
    run.start = started;
    run.cmdline = cmdline;
    run.tool = this_program();
    for (const auto& load : options.loads) run.load = run.load == "none" ? load : run.load + " + " + load;
    try {
      write_run_file(options.redact ? redacted(run) : run, options.json);
    } catch (const Error&) {  // a disk that is full now may not be at the end
    }
  };
}

ExitCode exit_code_of(const StreamOutcome& outcome, const Signals& signals) {
  const RunData& run = outcome.run;
  if (run.ended_by == "input") return ExitCode::input_file;
  if (run.ended_by == "device") return ExitCode::audio_device;
  if (run.ended_by == "reader") return ExitCode::system;
  if (!run.complete && signals.caught() != 0) return static_cast<ExitCode>(signals.exit_code());
  if (!run.load_error.empty() || outcome.trace_is_cut) return ExitCode::system;
  return exit_code_for(run);
}

}  // namespace xrunlab
