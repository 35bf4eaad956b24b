#include "xrunlab/cli/latency.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "xrunlab/cli/latency_request.hpp"
#include "xrunlab/cli/play_load.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/run_results.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/engine/latency_run.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/latency_text.hpp"
#include "xrunlab/report/redrawn_line.hpp"

namespace xrunlab {
namespace {

std::string latency_progress_text(const LatencyProgress& progress) {
  const std::string round = fmt::format("round {} of {}", progress.round, progress.rounds);
  if (progress.pausing) return "pause before " + round;
  return fmt::format("{}: {} of {} wake-ups, {} missed, max {}", round, progress.counted, progress.planned,
                     progress.missed, short_duration(progress.max_ns));
}

LatencyListeners listeners_of(RedrawnLine& line, bool quiet) {
  LatencyListeners listeners;
  if (!quiet) {
    listeners.warn = [&line](const std::string& warning) {
      line.clear();
      fmt::print(stderr, "xrunlab: {}\n", warning);
    };
  }
  if (line.is_shown())
    listeners.progress = [&line](const LatencyProgress& progress) {
      line.show(latency_progress_text(progress));
    };
  return listeners;
}

void print_latency(const LatencyOptions& options, const RunData& run) {
  RunText text;
  text.summary = latency_summary(run, stdout_style());
  if (options.cyclictest) text.listing = cyclictest_text(run);
  if (options.hist) text.histograms = latency_histogram_text(run);
  print_run(options, text, run);
}

ExitCode latency_exit_code(const LatencyRequest& request, const LatencyOutcome& outcome,
                           const Signals& signals) {
  const RunData& run = outcome.run;
  if (run.ended_by == "device")
    return request.clock == WakeClock::pcm ? ExitCode::audio_device : ExitCode::system;
  if (!run.complete && signals.caught() != 0) return static_cast<ExitCode>(signals.exit_code());
  if (!run.load_error.empty() || outcome.samples_are_cut) return ExitCode::system;
  return exit_code_for(run);
}

int measure_once(const LatencyOptions& options, const std::vector<std::string>& cmdline, const OneRun& one) {
  LatencyRequest request = parse_latency(options);
  check_json_option(options.json);
  // Forked before there is a second thread, and gone after all that it keeps.
  std::optional<GuardProcess> guard;
  if (!options.loads.empty()) guard.emplace();
  PlayLoad load(options.loads, options.load_seed, options.quiet);
  const Signals signals;
  if (!load.start(guard ? &*guard : nullptr, nullptr, request.strict, signals)) {
    fmt::print(stderr, "xrunlab: interrupted while the load was started; nothing was measured\n");
    return signals.exit_code();
  }
  request.accompaniment = load.accompaniment();
  RedrawnLine line(options.quiet);
  LatencyOutcome outcome = run_latency(request, signals, listeners_of(line, options.quiet));
  line.clear();
  load.finish(outcome.run);
  outcome.run.cmdline = cmdline;
  outcome.run.tool = this_program();
  print_latency(options, outcome.run);
  const int code = static_cast<int>(exit_code_after_output(latency_exit_code(request, outcome, signals)));
  if (outcome.thread_hangs) {
    one.give_name();
    std::quick_exit(code);
  }
  return code;
}

}  // namespace

int run_latency_command(const LatencyOptions& options, const std::vector<std::string>& cmdline) {
  RepeatOptions repeat = options.repeat;
  repeat.quiet = options.quiet;
  return repeat_runs(repeat, options.json, options.record, [&](const OneRun& one) {
    LatencyOptions of_this_run = options;
    of_this_run.json = one.json;
    return measure_once(of_this_run, cmdline, one);
  });
}

}  // namespace xrunlab
