#include "console_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

std::string buffer_row(const RunData& run, const char* name, std::int64_t frames, const std::string& bytes) {
  return fmt::format("  {:<18}{:>20}{:>10}   {}\n", name, frames, short_duration(card_time_ns(run, frames)),
                     bytes);
}

std::string card_bytes(const RunData& run, std::int64_t frames) {
  const auto format = sample_format_from(run.device.format);
  if (!format) return {};
  const auto bytes = Int128{frames} * run.device.channels * bytes_per_sample(*format);
  return binary_bytes(static_cast<std::int64_t>(std::min(bytes, Int128{INT64_MAX})));
}

std::string percentile_text(const HistogramData& histogram, std::int64_t ppm) {
  const auto percentile = histogram.percentile(ppm);
  if (!percentile) return "-";
  return fmt::format("{}{}", percentile->few_above ? "~" : "", short_duration(percentile->value_ns));
}

std::string share_of_bound(std::int64_t max_ns, std::int64_t bound_ns) {
  if (bound_ns <= 0) return "-";
  const double percent = static_cast<double>(max_ns) * 100 / static_cast<double>(bound_ns);
  if (percent > 0 && percent < 1) return "<1%";
  return percent > 99'999 ? ">99999%" : fixed(percent, 0) + "%";
}

struct TimerRow {
  const char* name;
  const HistogramData& histogram;
  std::optional<std::int64_t> over;
  std::int64_t bound_ns;  ///< 0: none
};

std::string timer_row(const TimerRow& row) {
  const auto& histogram = row.histogram;
  const std::string over = row.over ? compact_count(*row.over, 5) : "-";
  if (histogram.count == 0) {
    return fmt::format("{:<10}{:>8}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n", row.name, 0, over, "-", "-",
                       "-", "-", "-", "-", "-");
  }
  return fmt::format("{:<10}{:>8}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n", row.name,
                     compact_count(histogram.count, 7), over, short_duration(histogram.min_ns),
                     short_duration(static_cast<std::int64_t>(histogram.mean_ns())),
                     percentile_text(histogram, 500'000), percentile_text(histogram, 990'000),
                     percentile_text(histogram, 999'000), short_duration(histogram.max_ns),
                     share_of_bound(histogram.max_ns, row.bound_ns));
}

std::string cpu_share(std::int64_t cpu_ns, std::int64_t of_ns) {
  if (of_ns <= 0) return "-";
  const double percent = static_cast<double>(cpu_ns) * 100 / static_cast<double>(of_ns);
  return percent > 9999 ? ">9999" : fixed(percent, 1);
}

}  // namespace

std::int64_t card_time_ns(const RunData& run, std::int64_t frames) {
  if (run.device.rate_hz <= 0) return 0;
  const Int128 ns = Int128{frames} * kNsPerSecond / run.device.rate_hz;
  return static_cast<std::int64_t>(std::clamp(ns, Int128{INT64_MIN}, Int128{INT64_MAX}));
}

std::string buffers_table(const RunData& run) {
  std::string text = fmt::format("{:<20}{:>20}{:>10}   {}\n", "buffers", "frames", "time", "bytes");
  const auto& ring = run.ring;
  if (ring.used) {
    if (ring.blocks > 0) {
      text += buffer_row(run, "one read", ring.frames / ring.blocks, binary_bytes(run.io.io_size_bytes));
    }
    text += buffer_row(run, "ring, each track", ring.frames, binary_bytes(ring.bytes) + " for all");
  } else {
    text += "  no ring: the playback thread reads the disk itself\n";
  }
  const auto& device = run.device;
  text += buffer_row(run, "fragment", device.fragment_frames, card_bytes(run, device.fragment_frames));
  if (server_driven(run)) return text;  // the fragment is the server's period; its card's buffer is not known
  text += buffer_row(run, "card period", device.period_frames, card_bytes(run, device.period_frames));
  text += buffer_row(run, "card buffer", device.buffer_frames, card_bytes(run, device.buffer_frames));
  return text;
}

std::string timers_table(const RunData& run) {
  const std::int64_t lateness_bound_ns =
      card_time_ns(run, run.device.buffer_frames - run.device.fragment_frames);
  std::string text = fmt::format("{:<10}{:>8}{:>6}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n", "timers", "count",
                                 "over", "min", "mean", "p50", "p99", "p99.9", "max", "of bnd");
  const auto& timers = run.timers;
  text += timer_row({"T1 read", timers.ring_read.histogram, timers.ring_read.over, run.bound_ns});
  if (timers.cycle) {
    text += timer_row({"cycle", timers.cycle->histogram, timers.cycle->over, run.bound_ns});
    text += timer_row({"delay", run.wake_lateness.histogram, run.wake_lateness.over, run.bound_ns});
    text += timer_row({"disk read", run.io_latency, std::nullopt, 0});
    text += fmt::format("  bound {}, the period; ~ fewer than ten above, - too few\n",
                        short_duration(run.bound_ns));
    return text +
           fmt::format("  T2 write, T3 outside, lateness: not applicable, {} calls us\n", run.device.server);
  }
  text += timer_row({"T2 write*", timers.pcm_write.histogram, timers.pcm_write.over, run.bound_ns});
  text += timer_row({"T3 outside", timers.outside.histogram, timers.outside.over, run.bound_ns});
  if (run.device.paced) {
    text += timer_row({"lateness", run.lateness.histogram, run.lateness.over, lateness_bound_ns});
    text += timer_row({"wake late", run.wake_lateness.histogram, run.wake_lateness.over, lateness_bound_ns});
  }
  text += timer_row({"disk read", run.io_latency, std::nullopt, 0});
  text += fmt::format("  bound {}", short_duration(run.bound_ns));
  if (run.device.paced) text += fmt::format(", of lateness {}", short_duration(lateness_bound_ns));
  text += "; ~ fewer than ten above, - too few\n";
  text += "  * T2 waits for the card by design: over the bound alone is no fault there\n";
  return text;
}

std::string threads_table(const RunData& run) {
  if (run.threads.empty()) return {};
  std::string text = fmt::format("{:<12}{:>7}{:>8}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "threads", "CPU %",
                                 "user", "system", "majflt", "minflt", "sleeps", "preempt", "queued");
  for (const auto& thread : run.threads) {
    text += fmt::format("  {:<10.10}{:>7}{:>8}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}\n", printable(thread.name),
                        cpu_share(thread.user_ns + thread.system_ns, thread.wall_ns),
                        short_duration(thread.user_ns), short_duration(thread.system_ns),
                        compact_count(thread.major_faults, 8), compact_count(thread.minor_faults, 8),
                        compact_count(thread.voluntary_switches, 8),
                        compact_count(thread.involuntary_switches, 8),
                        thread.run_delay_ns ? short_duration(*thread.run_delay_ns) : "-");
  }
  return text + "\n";
}

}  // namespace xrunlab
