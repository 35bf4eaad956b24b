#include "xrunlab/cli/latency.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "xrunlab/cli/latency_request.hpp"
#include "xrunlab/cli/play_load.hpp"
#include "xrunlab/cli/play_results.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/engine/latency_run.hpp"
#include "xrunlab/model/redact.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/model/run_json.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/latency_text.hpp"
#include "xrunlab/report/live_line.hpp"

namespace xrunlab {
namespace {

/// The line on a terminal that says how far it is.
class LatencyLine {
 public:
  explicit LatencyLine(bool quiet)
      : shown_(!quiet &&
               choose_live_mode(describe_terminal(STDERR_FILENO), std::nullopt) == LiveMode::redraw),
        quiet_(quiet) {}
  ~LatencyLine() { clear(); }
  LatencyLine(const LatencyLine&) = delete;
  LatencyLine& operator=(const LatencyLine&) = delete;

  LatencyListeners listeners() {
    LatencyListeners listeners;
    if (!quiet_) {
      listeners.warn = [this](const std::string& warning) {
        clear();
        fmt::print(stderr, "xrunlab: {}\n", warning);
      };
    }
    if (shown_) listeners.progress = [this](const LatencyProgress& progress) { show(progress); };
    return listeners;
  }

  void clear() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
    drawn_ = false;
  }

 private:
  void show(const LatencyProgress& progress) {
    std::string text = fmt::format("round {} of {}", progress.round, progress.rounds);
    if (progress.pausing) {
      text = "pause before " + text;
    } else {
      text += fmt::format(": {} of {} wake-ups, {} missed, max {}", progress.counted, progress.planned,
                          progress.missed, short_duration(progress.max_ns));
    }
    fmt::print(stderr, "\r{}\033[K", text);
    std::fflush(stderr);
    drawn_ = true;
  }

  bool shown_;
  bool quiet_;
  bool drawn_ = false;
};

void print_latency(const LatencyOptions& options, const RunData& run) {
  const RunData shown = options.redact ? redacted(run) : run;
  const bool json_on_stdout = options.json == "-";
  if (json_on_stdout) {
    print_out(to_json(shown));
  } else if (options.cyclictest) {
    print_out(cyclictest_text(run));
  } else if (options.quiet) {
    print_out(run.verdict_line + "\n");
  } else {
    print_out(latency_summary(run, stdout_style()));
  }
  if ((json_on_stdout || options.cyclictest) && !options.quiet)
    fmt::print(stderr, "xrunlab: {}\n", run.verdict_line);
  if (options.hist && !json_on_stdout) print_out("\n" + latency_histogram_text(run));
  // Quiet, nobody heard of them while it ran.
  if (options.quiet) {
    for (const auto& warning : run.warnings) fmt::print(stderr, "xrunlab: warning: {}\n", warning);
  }
  if (!run.error.empty()) fmt::print(stderr, "xrunlab: {}\n", run.error);
  flush_out();
  // Last: when it fails, what was measured has been seen.
  if (!json_on_stdout && !options.json.empty()) write_run_file(shown, options.json);
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
  if (!options.json.empty() && options.json != "-") check_run_file(options.json);
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
  LatencyLine line(options.quiet);
  LatencyOutcome outcome = run_latency(request, signals, line.listeners());
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
