#include "xrunlab/cli/play_results.hpp"

#include "xrunlab/cli/play_plan.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/engine/run_record.hpp"
#include "xrunlab/model/redact.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/classic.hpp"
#include "xrunlab/report/console.hpp"
#include "xrunlab/report/histogram_text.hpp"

namespace xrunlab {

void print_results(const PlayOptions& options, const RunData& run) {
  RunText text;
  if (options.verbose) text.summary = inputs_text(run) + "\n";
  text.summary += console_summary(run, stdout_style());
  if (options.classic && !options.quiet) text.listing = classic_listing(run);
  if (options.hist) text.histograms = histograms_text(run);
  print_run(options, text, run);
}

std::function<void(const RunData&)> keep_run_file(const PlayOptions& options,
                                                  const std::vector<std::string>& cmdline) {
  if (!names_file(options.json)) return {};
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
