#include "xrunlab/cli/load.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>

#include "xrunlab/cli/load_progress.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/platform/signals.hpp"
#include "xrunlab/report/load_text.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kLook = std::chrono::milliseconds{200};
constexpr std::size_t kIndent = 7;

constexpr auto kFooter =
    "SPEC is one of\n"
    "  read:DIR[,rate=B][,bs=B][,jobs=N][,size=B]    reads at random of a file\n"
    "  write:DIR[,fsync][,rate=B][,bs=B][,jobs=N][,size=B]   writes it front to end\n"
    "  cpu:N[,share=0.5]              computes on N CPUs\n"
    "  fault:N[,size=B]               N threads take memory page by page, give it back\n"
    "  exec[:DIR][,size=B]            starts a big cold program again and again\n"
    "  record:DIR,tracks=N[,set=48k/24/1][,size=B]   records N tracks in real time\n"
    "  jack:[clients=N][,ports=N][,period=N][,topology=NAME][,burn=SHARE]  a JACK graph\n"
    "  fio:JOBFILE                    fio, as it is given\n"
    "  stress-ng:'ARGS'               stress-ng, as it is given\n"
    "Sizes B are bytes: 64KiB, 20MB. Files have no name, take 1GiB at the most and\n"
    "leave a tenth of the disk free. docs/load.md tells more.\n"
    "\n"
    "It ends after -d or with Ctrl-C; no load outlives it, whatever ends it.\n"
    "Exit codes: 0 all were at work to the end; 1 record lost something; 2 usage;\n"
    "3 a load could not be started, or died; 128+n ended by another signal n.\n"
    "\n"
    "Example:\n"
    "  xrunlab load read:/mnt,rate=20MB cpu:1 -d 1m\n";

std::vector<LoadSpec> parse_specs(const LoadOptions& options) {
  std::vector<LoadSpec> specs;
  for (const auto& text : options.specs) {
    specs.push_back(with_track(parse_load_spec("load", text), SampleRate{48'000}, SampleFormat::s24_3le, 1));
  }
  return specs;
}

/// Waits until the time is up, a signal comes or a load dies.
void wait_for_end(LoadSet& loads, const Signals& signals, std::optional<Nanoseconds> duration) {
  SystemClock clock;
  const Nanoseconds start = clock.now();
  while (loads.dead().empty()) {
    Nanoseconds left = kLook;
    if (duration) left = std::min(left, start + *duration - clock.now());
    if (left.count() <= 0 || signals.wait_for(left)) return;
  }
}

}  // namespace

CLI::App* add_load(CLI::App& app, LoadOptions& options) {
  auto* const load = app.add_subcommand("load", "Put the machine under load, as play --load does");
  load->add_option("SPEC", options.specs, "What to do; see below")->required();
  load->add_option("-d,--duration", options.duration, "End after this time (default: with Ctrl-C)")
      ->type_name("TIME");
  load->add_option("--seed", options.seed, "Same loads and seed, same work")
      ->type_name("N")
      ->capture_default_str();
  load->add_flag("-q,--quiet", options.quiet, "Print errors and warnings only");
  load->footer(kFooter);
  return load;
}

ExitCode run_load(const LoadOptions& options) {
  std::optional<Nanoseconds> duration;
  if (!options.duration.empty()) duration = parse_duration("-d", options.duration);
  LoadProgress progress(options.quiet);
  const LoadSettings settings = progress.settings(parse_integer("--seed", options.seed, 0, INT64_MAX));
  auto specs = parse_specs(options);
  GuardProcess guard;
  const Signals signals;
  LoadSet loads(guard, std::move(specs), settings);
  const bool started = loads.start([&](Nanoseconds time) { return signals.wait_for(time); });
  progress.clear();
  if (!started) return static_cast<ExitCode>(signals.exit_code());
  if (!options.quiet) fmt::print(stderr, "xrunlab: at work: {}\n", loads.name());
  wait_for_end(loads, signals, duration);
  for (const auto& line : loads.shortfalls()) fmt::print(stderr, "xrunlab: warning: {}\n", line);
  ExitCode code = ExitCode::ok;
  for (const auto& load : loads.finish()) {
    if (!options.quiet) print_out(load_lines(load, kIndent) + load.output);
    if (!load.alive) {
      fmt::print(stderr, "xrunlab: the load '{}' was dead: {}\n", load.spec, load.error);
      code = ExitCode::system;
    } else if (load.overruns > 0 && code == ExitCode::ok) {
      code = ExitCode::limit_broken;
    }
  }
  const bool signalled = signals.caught() != 0 && signals.caught() != SIGINT;
  if (signalled && code == ExitCode::ok) code = static_cast<ExitCode>(signals.exit_code());
  return exit_code_after_output(code);
}

}  // namespace xrunlab
