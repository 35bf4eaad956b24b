#include "xrunlab/cli/latency_options.hpp"

#include <CLI/CLI.hpp>

#include "xrunlab/cli/run_options.hpp"

namespace xrunlab {
namespace {

constexpr auto kLatencyFooter =
    "TIME: a plain number is seconds, of -i microseconds as in cyclictest; else with us,\n"
    "ms, s, m or h. US: whole microseconds, or a time with its unit.\n"
    "\n"
    "Every planned wake-up counts with its own lateness, also those missed while the\n"
    "thread was late for an earlier one, which cyclictest skips: both figures are given.\n"
    "docs/latency.md tells more.\n"
    "\n"
    "Exit codes: 0 measured, none later than --stop-over; 1 one was, or no verdict;\n"
    "2 usage; 3 system; 5 the card; 77 there is no rtc; 128+n ended by signal n.\n"
    "\n"
    "Examples:\n"
    "  xrunlab latency -t all --load cpu:2           every CPU, and work beside\n"
    "  xrunlab latency --rounds 13 --json=run.json   what loops around cyclictest did\n"
    "  xrunlab latency --cyclictest -i 1000 -l 60000 -q\n";

constexpr std::int64_t kMostLoops = 1'000'000'000'000;

void add_wait(CLI::App& latency, LatencyOptions& options) {
  constexpr auto kGroup = "What is waited for";
  latency
      .add_option("--clock", options.clock,
                  "nanosleep: clock_nanosleep to an absolute time; timerfd; rtc[:DEVICE]: interrupts of "
                  "/dev/rtc0; sim or any ALSA PCM: poll on a card")
      ->type_name("CLOCK")
      ->capture_default_str()
      ->group(kGroup);
  latency
      .add_option("-i,--interval", options.interval,
                  "Between two planned wake-ups (default: 10ms); a plain number is microseconds")
      ->type_name("TIME")
      ->group(kGroup);
  latency.add_option("-l,--loops", options.loops, "Planned wake-ups of each thread in each round")
      ->type_name("N")
      ->check(between(1, kMostLoops))
      ->capture_default_str()
      ->group(kGroup);
  latency.add_option("-d,--duration", options.duration, "Length of a round, instead of -l")
      ->type_name("TIME")
      ->group(kGroup);
  latency.add_option("--ticks", options.ticks, "rtc: interrupts that each wake-up waits for")
      ->type_name("N")
      ->check(between(1, 8192))
      ->capture_default_str()
      ->group(kGroup);
  latency
      .add_option("--rtc-rate", options.rtc_rate, "rtc: interrupts a second, a power of two from 2 to 8192")
      ->type_name("HZ")
      ->check(between(2, 8192))
      ->capture_default_str()
      ->group(kGroup);
  latency
      .add_option("--period-size", options.period_size, "A card: its period in frames, which is the interval")
      ->type_name("FRAMES")
      ->check(between(1, 1 << 24))
      ->capture_default_str()
      ->group(kGroup);
  latency.add_option("-r,--rate", options.rate, "A card: its rate")
      ->type_name("HZ")
      ->capture_default_str()
      ->group(kGroup);
  latency.add_option("--burn", options.burn, "Compute before each wait, for this share of the interval: 50%")
      ->type_name("SHARE")
      ->group(kGroup);
}

void add_measuring(CLI::App& latency, LatencyOptions& options) {
  constexpr auto kGroup = "Threads";
  latency.add_option("-t,--threads", options.threads, "So many, or all: one on each CPU, bound to it")
      ->type_name("N|all")
      ->capture_default_str()
      ->group(kGroup);
  latency.add_option("-P,--priority", options.priority, "f:N SCHED_FIFO, r:N SCHED_RR, o SCHED_OTHER")
      ->type_name("POLICY")
      ->capture_default_str()
      ->group(kGroup);
  latency
      .add_option("--affinity", options.affinity, "CPUs as in 0,2-3: the threads are bound to them in turn")
      ->type_name("CPUS")
      ->group(kGroup);
  add_hold_options(latency, options.no_mlock, options.dma_latency);
}

void add_rounds(CLI::App& latency, LatencyOptions& options) {
  constexpr auto kGroup = "Rounds and limit";
  latency.add_option("--rounds", options.rounds, "Measure so many times")
      ->type_name("N")
      ->check(between(1, 1'000'000))
      ->capture_default_str()
      ->group(kGroup);
  latency.add_option("--pause", options.pause, "Between two rounds")
      ->type_name("TIME")
      ->capture_default_str()
      ->group(kGroup);
  latency
      .add_option("--stop-over", options.stop_over,
                  "End at the first wake-up that is later than this, with a line in the kernel's trace")
      ->type_name("US")
      ->group(kGroup);
}

void add_latency_output(CLI::App& latency, LatencyOptions& options) {
  constexpr auto kGroup = "Output";
  add_output_options(latency, options);
  latency.add_flag("--cyclictest", options.cyclictest, "On stdout only the lines that cyclictest -q prints")
      ->group(kGroup);
  latency.add_flag("--hist", options.hist, "Print the histogram too")->group(kGroup);
  latency.add_option("--record", options.record, "Write each planned wake-up to a file, as CSV")
      ->type_name("FILE")
      ->group(kGroup);
  latency
      .add_flag("--strict", options.strict,
                "Anything granted otherwise than asked is an error, not a warning")
      ->group(kGroup);
}

}  // namespace

CLI::App* add_latency(CLI::App& app, LatencyOptions& options) {
  auto* const latency = app.add_subcommand("latency", "Measure how late this kernel wakes real-time threads");
  add_wait(*latency, options);
  add_measuring(*latency, options);
  add_rounds(*latency, options);
  add_latency_output(*latency, options);
  add_load_options(*latency, options.loads, options.load_seed);
  add_repeat_options(*latency, options.repeat);
  latency->footer(kLatencyFooter);
  latency->parse_complete_callback([latency, &options] {
    options.loops_typed = latency->count("-l") > 0;
    options.interval_typed = latency->count("-i") > 0;
    const auto one_of = [latency](const char* first, const char* second) {
      return std::string(latency->count(first) > 0 ? first : latency->count(second) > 0 ? second : "");
    };
    options.of_rtc = one_of("--ticks", "--rtc-rate");
    options.of_card = one_of("--period-size", "-r");
  });
  return latency;
}

}  // namespace xrunlab
