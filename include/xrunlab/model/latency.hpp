// What `xrunlab latency` measures, and what is imported from tools like it: how late a thread was woken, for
// each round and for all together. Hangs on RunData where the run's kind is "latency". What nobody counted or
// a source does not say is absent, never 0. Plain data, and pure functions on it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/timing/histogram.hpp"

namespace xrunlab {

inline constexpr const char* kLatencyKind = "latency";

/// Of some wake-ups: of a thread in a round, of a round, of all. Lateness is the time from the instant that a
/// wake-up was planned for to the moment when the thread ran.
struct LatencyFigures {
  std::optional<std::int64_t> count;   ///< planned wake-ups that came due, those missed included
  std::optional<std::int64_t> missed;  ///< of these, came due while the thread was late for an earlier one
  std::optional<std::int64_t> over;    ///< later than LatencyProbe::limit_ns; absent without one
  std::optional<std::int64_t> min_ns;
  std::optional<double> mean_ns;
  std::optional<std::int64_t> max_ns;
  std::map<std::string, std::int64_t> percentiles_ns;     ///< "p50" … "p99.99", those that may be told
  std::optional<std::vector<HistogramBucket>> histogram;  ///< ascending, none empty
  std::optional<std::int64_t> overflow;                   ///< samples that stand in no bucket
  friend bool operator==(const LatencyFigures&, const LatencyFigures&) = default;
};

/// A thread in a round. Its figures have no histogram and no percentiles.
struct LatencyThread {
  std::optional<int> cpu;  ///< the only one that it may run on
  std::optional<std::int64_t> id;
  std::optional<int> priority;
  std::optional<std::int64_t> interval_ns;
  std::optional<std::int64_t> last_ns;  ///< lateness of its last wake-up: cyclictest's Act
  LatencyFigures figures;
  std::optional<LatencyFigures> as_cyclictest;  ///< as in LatencyRound
  friend bool operator==(const LatencyThread&, const LatencyThread&) = default;
};

struct LatencyRound {
  std::string start;                            ///< UTC, RFC 3339; empty: not known
  std::optional<std::int64_t> planned;          ///< wake-ups that there were to be, of all threads
  LatencyFigures figures;                       ///< over all threads
  std::optional<LatencyFigures> as_cyclictest;  ///< a wake-up that was missed is no sample; absent in imports
  std::vector<LatencyThread> threads;
  friend bool operator==(const LatencyRound&, const LatencyRound&) = default;
};

/// How it was measured.
struct LatencyProbe {
  std::string clock;   ///< "nanosleep", "timerfd", "rtc", "pcm"; empty: not known
  std::string device;  ///< the PCM or the rtc; empty: none
  std::optional<std::int64_t> interval_ns;
  std::optional<std::int64_t> loops;        ///< planned wake-ups of each thread in each round
  std::optional<std::int64_t> duration_ns;  ///< of a round, where that was asked for
  std::optional<std::int64_t> threads;
  std::string affinity;  ///< as typed; empty: none
  std::optional<std::int64_t> rounds;
  std::optional<std::int64_t> pause_ns;       ///< between two rounds
  std::optional<double> burn_share;           ///< of the interval, spent computing before each wait
  std::optional<std::int64_t> limit_ns;       ///< --stop-over
  std::optional<std::int64_t> clock_read_ns;  ///< what one reading of the clock costs
  std::optional<std::int64_t> origin_ns;      ///< planned instants may be up to this much too early
  friend bool operator==(const LatencyProbe&, const LatencyProbe&) = default;
};

struct LatencyData {
  LatencyProbe probe;
  LatencyFigures all;                           ///< over all rounds and threads
  std::optional<LatencyFigures> as_cyclictest;  ///< as in LatencyRound
  std::vector<LatencyRound> rounds;             ///< in order
  friend bool operator==(const LatencyData&, const LatencyData&) = default;
};

/// Everything that `histogram` tells; `missed` and `over` are left absent.
LatencyFigures figures_of(const HistogramData& histogram);

/// Back again, for percentiles and for text; absent where count, min, max or histogram is. The sum is that of
/// the mean, or 0.
std::optional<HistogramData> histogram_of(const LatencyFigures& figures);

/// Over several rounds or threads. A figure that one of them lacks is absent, a weighted mean is needed for
/// mean_ns; percentiles are those of the added histograms.
LatencyFigures together(const std::vector<LatencyFigures>& parts);

/// Whether it has all the wake-ups that were planned; nothing when that is not known.
std::optional<bool> is_whole(const LatencyRound& round) noexcept;

/// Nothing without rounds, or when the maximum of one is absent; of an even number the mean of the middle
/// two.
std::optional<double> median_of_maxima_ns(const LatencyData& latency);

/// Whether no measurement can have yielded them: negative counts, a bucket with more than all, min > max.
bool contradict_each_other(const LatencyFigures& figures) noexcept;

}  // namespace xrunlab
