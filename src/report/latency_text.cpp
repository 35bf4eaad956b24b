#include "xrunlab/report/latency_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "console_tables.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/model/latency_verdict.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/histogram_text.hpp"
#include "xrunlab/report/load_text.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kLatencyIndent = 12;
constexpr std::int64_t kNsPerUs = 1000;

std::string latency_field(std::string_view label, std::string_view text) {
  return labelled(label, kLatencyIndent, text);
}

std::string count_cell(const std::optional<std::int64_t>& count, std::size_t columns) {
  return count ? compact_count(*count, columns) : "-";
}

std::string ns_cell(const std::optional<std::int64_t>& ns) {
  return ns ? short_duration(*ns) : "-";
}

/// With a "~" where fewer than ten samples lie above it.
std::string latency_percentile_cell(const LatencyFigures& figures, const char* name, std::int64_t ppm) {
  const auto found = figures.percentiles_ns.find(name);
  if (found == figures.percentiles_ns.end()) return "-";
  const Int128 above = Int128{figures.count.value_or(0)} * (1'000'000 - ppm) / 1'000'000;
  return (above < 10 ? "~" : "") + short_duration(found->second);
}

std::string figures_row(const std::string& name, const LatencyFigures& figures) {
  std::optional<std::int64_t> mean;
  if (figures.mean_ns) mean = static_cast<std::int64_t>(*figures.mean_ns);
  return fmt::format("{:<9}{:>7}{:>7}{:>5}{:>7}{:>7}{:>7}{:>8}{:>8}{:>8}{:>7}\n", name,
                     count_cell(figures.count, 6), count_cell(figures.missed, 6), count_cell(figures.over, 5),
                     ns_cell(figures.min_ns), ns_cell(mean), latency_percentile_cell(figures, "p50", 500'000),
                     latency_percentile_cell(figures, "p99", 990'000),
                     latency_percentile_cell(figures, "p99.9", 999'000),
                     latency_percentile_cell(figures, "p99.99", 999'900), ns_cell(figures.max_ns));
}

std::string wait_line(const LatencyProbe& probe) {
  std::string text = probe.clock.empty() ? "not known" : probe.clock;
  if (!probe.device.empty()) text += " " + probe.device;
  if (probe.clock == "rtc") text += " (since Linux 2.6.39 a timer of the kernel)";
  if (probe.interval_ns) text += ", every " + interval_text(*probe.interval_ns);
  if (probe.loops) text += ", " + counted(*probe.loops, "wake-up");
  if (probe.rounds.value_or(1) > 1) {
    text += fmt::format(" in each of {}", counted(*probe.rounds, "round"));
    if (probe.pause_ns) text += ", " + interval_text(*probe.pause_ns) + " between them";
  }
  if (probe.burn_share) text += fmt::format(", {} % of it computing", fixed(*probe.burn_share * 100, 0));
  if (probe.origin_ns.value_or(0) > 0)
    text += ", planned up to " + spoken_duration(*probe.origin_ns) + " too early";
  return latency_field("wait", text);
}

std::string thread_line(const RunData& run) {
  const auto& probe = run.latency.probe;
  std::string text = probe.threads ? counted(*probe.threads, "thread") : std::string("threads not known");
  if (!run.rt.policy.empty()) text += " at " + run.rt.policy;
  if (run.rt.priority.value_or(0) > 0) text += " " + std::to_string(*run.rt.priority);
  if (!probe.affinity.empty()) text += ", on CPU " + probe.affinity;
  // What a run of play has locked then is its ring and the stacks.
  if (!run.rt.mlock.empty()) text += ", memory locked: " + (run.rt.mlock == "ring" ? "stacks" : run.rt.mlock);
  text += ", load: " + run.load;
  return latency_field("threads", text);
}

/// Of a run of ours: who forgets the idle states measures them.
std::string cpu_line(const RunData& run) {
  if (!run.latency.probe.clock_read_ns) return {};
  std::string text =
      run.rt.dma_latency_us
          ? fmt::format("idle states that take over {} us to leave are forbidden", *run.rt.dma_latency_us)
          : std::string("idle states are allowed (--dma-latency 0 forbids them)");
  if (!run.system.governor.empty()) text += ", governor " + run.system.governor;
  text += fmt::format(", reading the clock takes {}", spoken_duration(*run.latency.probe.clock_read_ns));
  return latency_field("CPUs", text);
}

std::string rounds_table(const LatencyData& latency) {
  std::string text = fmt::format("{:<9}{:>7}{:>7}{:>5}{:>7}{:>7}{:>7}{:>8}{:>8}{:>8}{:>7}\n", "late", "count",
                                 "missed", "over", "min", "mean", "p50", "p99", "p99.9", "p99.99", "max");
  bool any_partial = false;
  for (std::size_t index = 0; index < latency.rounds.size(); ++index) {
    const auto& round = latency.rounds[index];
    const bool partial = is_whole(round) == false;
    any_partial = any_partial || partial;
    text += figures_row(fmt::format("round {}{}", index + 1, partial ? "!" : ""), round.figures);
  }
  if (latency.rounds.size() != 1) text += figures_row("together", latency.all);
  const bool any_missed = latency.all.missed.value_or(0) > 0;
  if (any_missed && latency.as_cyclictest) text += figures_row("woken *", *latency.as_cyclictest);
  text += "  ~ fewer than ten above, - too few or not known\n";
  if (any_partial) text += "  ! a part of a round: its maximum is of fewer wake-ups\n";
  if (any_missed) text += "  * without the wake-ups missed in a stall, as cyclictest counts\n";
  if (latency.rounds.size() > 1) {
    if (const auto median = median_of_maxima_ns(latency)) {
      text += fmt::format("  maximum of a round: median {}, largest {}\n",
                          short_duration(static_cast<std::int64_t>(*median)), ns_cell(latency.all.max_ns));
    }
  }
  return text;
}

/// Each thread over all rounds; nothing where there is one.
std::string each_thread_table(const LatencyData& latency) {
  if (latency.rounds.empty() || latency.rounds.front().threads.size() < 2) return {};
  std::string text;
  for (std::size_t index = 0; index < latency.rounds.front().threads.size(); ++index) {
    std::vector<LatencyFigures> parts;
    for (const auto& round : latency.rounds) {
      if (index < round.threads.size()) parts.push_back(round.threads[index].figures);
    }
    const auto& cpu = latency.rounds.front().threads[index].cpu;
    text += figures_row(cpu ? fmt::format("CPU {}", *cpu) : fmt::format("thread {}", index), together(parts));
  }
  return text;
}

const char* latency_colour(Verdict verdict) {
  if (verdict == Verdict::fail) return "\x1b[31m";
  return verdict == Verdict::no_verdict ? "\x1b[33m" : "\x1b[32m";
}

std::string last_line(const RunData& run, ConsoleStyle style) {
  std::string text = labelled("", 0, run.verdict_line);
  const auto word = to_string(run.verdict);
  if (style == ConsoleStyle::colour && text.starts_with(word))
    text.replace(0, word.size(), latency_colour(run.verdict) + std::string(word) + "\x1b[0m");
  return text;
}

std::int64_t microseconds(const std::optional<std::int64_t>& ns) {
  return ns.value_or(0) / kNsPerUs;
}

}  // namespace

std::string latency_summary(const RunData& run, ConsoleStyle style) {
  std::string text =
      labelled("", 0,
               fmt::format("{} {} latency, {}, Linux {}, preemption {}", run.tool.name, run.tool.version,
                           run.start.empty() ? "date not known" : run.start, run.system.kernel,
                           run.system.preempt.empty() ? "not known" : run.system.preempt));
  text += wait_line(run.latency.probe) + thread_line(run) + cpu_line(run);
  text += "\n" + rounds_table(run.latency) + each_thread_table(run.latency) + "\n";
  text += threads_table(run);
  for (const auto& load : run.loads) text += load_lines(load, kLatencyIndent);
  for (const auto& warning : run.warnings) text += latency_field("warning", warning);
  for (const auto& check : run.self_checks) {
    if (!check.passed) text += latency_field("self-check", check.name + " failed: " + check.detail);
  }
  return text + last_line(run, style);
}

std::string cyclictest_text(const RunData& run) {
  std::string text;
  if (run.rt.dma_latency_us)
    text += fmt::format("# /dev/cpu_dma_latency set to {}us\n", *run.rt.dma_latency_us);
  for (const auto& round : run.latency.rounds) {
    for (std::size_t index = 0; index < round.threads.size(); ++index) {
      const auto& thread = round.threads[index];
      const auto& figures = thread.as_cyclictest ? *thread.as_cyclictest : thread.figures;
      const auto mean_us = static_cast<std::int64_t>(figures.mean_ns.value_or(0)) / kNsPerUs;
      text +=
          fmt::format("T:{:2} ({:5}) P:{:2} I:{} C:{:7} Min:{:7} Act:{:5} Avg:{:5} Max:{:8}\n", index,
                      thread.id.value_or(0), thread.priority.value_or(0), microseconds(thread.interval_ns),
                      figures.count.value_or(0), microseconds(figures.min_ns), microseconds(thread.last_ns),
                      mean_us, microseconds(figures.max_ns));
    }
  }
  return text;
}

std::string latency_histogram_text(const RunData& run) {
  const auto histogram = histogram_of(run.latency.all);
  return histogram ? histogram_text("lateness of wake-ups", *histogram) : std::string();
}

}  // namespace xrunlab
