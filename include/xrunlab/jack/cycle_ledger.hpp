// Makes figures out of the stamps of a workload's clients: cycles by their frame time, delay, cycle use and
// spare time from the server's begin of a cycle (current_usecs), the same from the driver's own wake-up,
// counts, seconds. Pure, fed by main with what it reads from the board; times are µs of the server's clock.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/jack/cycle_board.hpp"
#include "xrunlab/model/jack.hpp"
#include "xrunlab/timing/histogram.hpp"

namespace xrunlab {

struct LedgerSettings {
  Nanoseconds period{};       ///< of the server
  Nanoseconds frame{};        ///< what the driver's wake-up is known to
  Nanoseconds delay_bound{};  ///< of "Delay Rate (>1000 usecs)"
};

/// The server's own counts at one moment, since it was started.
struct GraphCounts {
  std::int64_t xruns = 0;  ///< client-not-finished
  std::int64_t driver_late = 0;
  double dsp_load_share = 0;
};

class CycleLedger {
 public:
  explicit CycleLedger(const LedgerSettings& settings);

  /// From here on is counted: cycles of which the first client was entered at `begin_us` or later. (Their
  /// filtered start may be off by seconds where the server is held up again and again.)
  void begin(std::uint64_t begin_us, const GraphCounts& counts);

  /// Stamps may come in any order, up to kSettle after their cycle's start.
  void add_meter(const CycleStamp& stamp);
  void add_client(const CycleStamp& stamp);

  /// Closes the cycles that started kSettle before `now_us`, and files the counts under the present second.
  void look(std::uint64_t now_us, const GraphCounts& counts);

  /// Closes all; cycles entered at `end_us` or later do not count. Nothing may be added afterwards.
  void end(std::uint64_t end_us, const GraphCounts& counts);

  /// Fills measured_ns, cycles, the histograms, spare, seconds, and of the figures all but timeouts and CPU.
  void report(JackData& jack) const;

  /// As one step of a ramp.
  JackStep step(std::int64_t clients) const;

  static constexpr std::uint64_t kSettleUs = 300'000;

 private:
  struct Cycle {
    std::uint64_t start_us = 0;
    std::uint64_t seen_us = UINT64_MAX;     // the first entry
    std::uint64_t wake_us = 0;              // of the driver, as the meter knows it; 0: it does not
    std::optional<std::uint64_t> entry_us;  // of the meter
    std::uint64_t latest_end_us = 0;        // 0: no client has ended it
  };
  struct Use {
    std::uint64_t seen_us;
    std::int64_t ns;
  };

  Cycle& cycle_of(const CycleStamp& stamp);
  void close_until(std::uint64_t seen_us);
  void close_cycle(const Cycle& cycle);
  void note_filter(const Cycle& cycle);
  void note_delay(const Cycle& cycle);
  void note_use(const Cycle& cycle);
  JackSecond& second_of(std::uint64_t at_us);
  void note_counts(std::uint64_t now_us, const GraphCounts& counts);

  LedgerSettings settings_;
  std::uint64_t begin_us_ = 0;
  std::uint64_t end_us_ = UINT64_MAX;
  GraphCounts first_counts_;
  GraphCounts last_counts_;
  std::map<std::int64_t, Cycle> open_;  // by frame time, carried on past its 32 bits
  std::int64_t last_frame_ = 0;
  bool has_frame_ = false;
  std::optional<std::uint64_t> previous_entry_us_;
  std::deque<Use> uses_;  // of the last second: descending, so that the first is the largest
  Histogram delay_;
  Histogram interval_excess_;
  Histogram use_;
  Histogram wake_delay_;
  Histogram wake_use_;
  std::vector<JackSecond> seconds_;
  std::int64_t cycles_ = 0;
  std::int64_t early_cycles_ = 0;
  std::int64_t unsettled_cycles_ = 0;
  double filter_bias_us_ = 0;  // by how much the filter says a cycle began too early, lately
  std::int64_t over_spare_ = 0;
  std::int64_t over_bound_ = 0;
  double dsp_sum_ = 0;
  std::int64_t dsp_samples_ = 0;
};

}  // namespace xrunlab
