// What a run of kind "jack" yields beside the parts that every run has: a server with many clients, their
// cycles and xruns. Filled by the JACK workload on main, read by verdict, reports, plots and compare, on any
// thread. The figures of 2004 are optional, so that a table of then, which has rates but no counts, fits too.
// Times are nanoseconds, shares 0 … 1, "start" and "at" relative to the beginning of the measured stretch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/timing/histogram.hpp"

namespace xrunlab {

/// How often something happened in the measured stretch, and what that says: all rates an hour.
struct JackCount {
  std::optional<std::int64_t> count;
  std::optional<double> per_hour;
  std::optional<double> per_hour_low;  ///< exact 95 % interval of a Poisson rate
  std::optional<double> per_hour_high;
  friend bool operator==(const JackCount&, const JackCount&) = default;
};

/// With rate and interval; those are absent where `measured_ns` is not above 0.
JackCount jack_count(std::int64_t count, std::int64_t measured_ns);

/// The table of jack_test3 (2004), and what it lacked.
struct JackFigures {
  JackCount timeouts;     ///< clients that hung, in a call or without a cycle
  JackCount xruns;        ///< client-not-finished: a client had not ended its cycle when the next one began
  JackCount driver_late;  ///< xruns of the driver itself: it, or the card, was not served in time
  JackCount over_spare;   ///< delays longer than the time to spare
  JackCount over_bound;   ///< delays longer than delay_bound_ns
  std::int64_t delay_bound_ns = 1'000'000;
  std::optional<std::int64_t> delay_max_ns;
  std::optional<std::int64_t> cycle_max_ns;
  std::optional<double> dsp_load_share;  ///< mean of what the server itself says
  std::optional<double> cpu_system_share;
  std::optional<double> cpu_user_share;  ///< of all CPUs, as the others
  std::optional<double> cpu_nice_share;
  std::optional<double> cpu_iowait_share;
  std::optional<double> cpu_irq_share;
  std::optional<double> cpu_softirq_share;
  std::optional<double> cpu_steal_share;
  std::optional<double> interrupts_per_s;
  std::optional<double> context_switches_per_s;
  friend bool operator==(const JackFigures&, const JackFigures&) = default;
};

/// One second of the measured stretch (the last one shorter). A maximum is absent where no cycle fell into
/// it.
struct JackSecond {
  std::int64_t start_ns = 0;
  std::int64_t length_ns = 0;
  std::int64_t cycles = 0;
  std::optional<std::int64_t> delay_max_ns;
  std::optional<std::int64_t> cycle_max_ns;
  std::optional<double> dsp_load_share;
  std::int64_t xruns = 0;        ///< client-not-finished
  std::int64_t driver_late = 0;  ///< of the driver itself
  friend bool operator==(const JackSecond&, const JackSecond&) = default;
};

/// A client that did not start, hung or died. It is out of the graph from then on.
struct JackFailure {
  std::string client;  ///< "client 7", "meter"
  std::string cause;   ///< "timeout", "failed", "died"
  std::string detail;  ///< the call or signal, a sentence's end: "jack_activate did not return within 5 s"
  std::optional<std::int64_t> at_ns;  ///< absent: before the measured stretch
  friend bool operator==(const JackFailure&, const JackFailure&) = default;
};

/// With --ramp: what was measured while so many clients were there.
struct JackStep {
  std::int64_t clients = 0;
  std::int64_t length_ns = 0;
  std::int64_t cycles = 0;
  std::optional<double> dsp_load_share;
  std::optional<std::int64_t> delay_max_ns;
  std::optional<std::int64_t> cycle_max_ns;
  std::int64_t xruns = 0;
  std::int64_t driver_late = 0;
  friend bool operator==(const JackStep&, const JackStep&) = default;
};

struct JackData {
  std::string server;        ///< "dummy", "alsa:hw:0", "running"
  std::string server_name;   ///< as clients give it
  std::int64_t clients = 0;  ///< asked for; the meter, which measures, is one more
  std::int64_t ports = 0;    ///< inputs of each client, and as many outputs
  std::string topology;      ///< "silent", "chain", "star"
  double burn_share = 0;     ///< of the period, that each client works for
  std::int64_t warmup_ns = 0;
  std::int64_t measured_ns = 0;   ///< what all counts are over
  std::int64_t cycles = 0;        ///< of the meter
  std::int64_t early_cycles = 0;  ///< entered before the server's filtered clock had them begin: a delay of 0
  /// In which that clock was off in the mean by more than a sixteenth of the period, as it is after an xrun.
  std::int64_t unsettled_cycles = 0;
  std::int64_t lost_cycles =
      0;  ///< not taken into account: what they wrote was overwritten before it was read
  JackFigures figures;
  std::optional<HistogramData> delay;  ///< of every cycle, from current_usecs
  std::optional<HistogramData>
      interval_excess;                      ///< by which an entry followed the one before later than a period
  std::optional<HistogramData> cycle;       ///< cycle use of every cycle in which a client ended
  std::optional<HistogramData> wake_delay;  ///< delay from the driver's own wake-up, without its lateness
  std::optional<HistogramData> wake_cycle;  ///< cycle use from there
  std::optional<std::int64_t> spare_least_ns;  ///< period less the largest cycle use, which may be longer
  std::vector<JackFailure> failures;
  std::vector<JackSecond> seconds;
  std::vector<JackStep> ramp;                    ///< empty without --ramp
  std::optional<std::int64_t> clients_that_fit;  ///< with --ramp: the most without an xrun
  std::string
      xruns_from;  ///< "server": it printed them; "callbacks": it is not ours, or had too much to print
  std::optional<std::int64_t>
      xrun_callbacks;  ///< of both kinds, as the meter was told: counted independently
  friend bool operator==(const JackData&, const JackData&) = default;
};

/// Clients that failed, each once.
std::int64_t failed_clients(const JackData& jack);

/// A line of the table, "XRUN Rate", "/hour", 2.2.
struct JackRow {
  std::string label;
  std::string unit;  ///< "/hour", "usecs", "%", "/sec"
  std::optional<double> value;
  friend bool operator==(const JackRow&, const JackRow&) = default;
};

/// The rows of 2004, in their order, under their labels and in their units.
std::vector<JackRow> jack_rows(const JackFigures& figures);

}  // namespace xrunlab
