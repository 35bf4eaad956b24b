#include "xrunlab/report/histogram_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/report/fault_line.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kMostRows = 20;
constexpr std::int64_t kBarColumns = 36;

struct BarRow {
  std::int64_t key;
  std::int64_t low_ns;
  std::int64_t high_ns;
  std::int64_t count;
};

/// Number of the row for `ns` when each octave has 2^fineness rows; ascending with ns.
std::int64_t row_key(std::int64_t ns, int fineness) {
  if (ns <= 0) return 0;
  const int octave = 63 - __builtin_clzll(static_cast<unsigned long long>(ns));
  // Below 2^fineness an octave has fewer values than rows.
  const std::int64_t within = octave >= fineness ? ns >> (octave - fineness) : ns << (fineness - octave);
  return (std::int64_t{octave} << fineness) + (within - (std::int64_t{1} << fineness)) + 1;
}

std::vector<BarRow> rows_of(const HistogramData& histogram, int fineness) {
  std::vector<BarRow> rows;
  for (const auto& bucket : histogram.buckets) {
    const auto key = row_key(bucket.low_ns, fineness);
    if (rows.empty() || rows.back().key != key) rows.push_back({key, bucket.low_ns, bucket.high_ns, 0});
    rows.back().high_ns = bucket.high_ns;
    rows.back().count += bucket.count;
  }
  if (!rows.empty()) {  // a bucket's edges may lie outside what was measured
    rows.front().low_ns = std::max(rows.front().low_ns, histogram.min_ns);
    rows.back().high_ns = std::max(rows.back().low_ns, std::min(rows.back().high_ns, histogram.max_ns));
  }
  return rows;
}

std::vector<BarRow> finest_rows(const HistogramData& histogram) {
  for (int fineness = 3; fineness > 0; --fineness) {
    auto rows = rows_of(histogram, fineness);
    if (rows.size() <= kMostRows) return rows;
  }
  return rows_of(histogram, 0);
}

std::string bar(std::int64_t count, std::int64_t largest) {
  const double share = static_cast<double>(count) / static_cast<double>(largest);
  const auto columns = static_cast<std::int64_t>(share * static_cast<double>(kBarColumns));
  return std::string(static_cast<std::size_t>(std::clamp<std::int64_t>(columns, 1, kBarColumns)), '#');
}

}  // namespace

std::string histogram_text(std::string_view title, const HistogramData& histogram) {
  std::string text = fmt::format("{}: {}\n", title, counted(histogram.count, "sample"));
  const auto rows = finest_rows(histogram);
  std::int64_t largest = histogram.overflow;
  for (const auto& row : rows) largest = std::max(largest, row.count);
  for (const auto& row : rows) {
    text += fmt::format("  {:>7} .. {:<7} {:>19} {}\n", short_duration(row.low_ns),
                        short_duration(row.high_ns), row.count, bar(row.count, largest));
  }
  if (histogram.overflow > 0) {
    text +=
        fmt::format("  {:>7} .. {:<7} {:>19} {}\n", short_duration(Histogram::kLargestNs),
                    short_duration(histogram.max_ns), histogram.overflow, bar(histogram.overflow, largest));
  }
  return text;
}

std::string histograms_text(const RunData& run) {
  const std::string mark = run.fault_injected ? fault_line(run) + "\n" : "";
  if (run.timers.cycle) {
    return mark + histogram_text("T1 ring read", run.timers.ring_read.histogram) + "\n" +
           histogram_text("cycle", run.timers.cycle->histogram) + "\n" +
           histogram_text("delay", run.wake_lateness.histogram) + "\n" +
           histogram_text("io latency", run.io_latency);
  }
  return mark + histogram_text("T1 ring read", run.timers.ring_read.histogram) + "\n" +
         histogram_text("T2 PCM write (waits for the card by design)", run.timers.pcm_write.histogram) +
         "\n" + histogram_text("T3 outside the write", run.timers.outside.histogram) + "\n" +
         histogram_text("lateness", run.lateness.histogram) + "\n" +
         histogram_text("wake lateness", run.wake_lateness.histogram) + "\n" +
         histogram_text("io latency", run.io_latency);
}

}  // namespace xrunlab
