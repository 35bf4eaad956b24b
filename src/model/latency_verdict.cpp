#include "xrunlab/model/latency_verdict.hpp"

#include <string>
#include <vector>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

/// What makes the figures themselves doubtful.
std::vector<std::string> latency_doubts(const RunData& run) {
  std::vector<std::string> doubts;
  // Stopping at the first that is too late was asked for, and that one is the finding.
  if (!run.complete && run.ended_by != "limit") {
    std::string text = "incomplete";
    if (!run.ended_by.empty()) text += ": ended by " + run.ended_by;
    if (!run.error.empty()) text += " (" + run.error + ")";
    doubts.push_back(text);
  }
  for (const auto& check : run.self_checks) {
    if (!check.passed) doubts.push_back("self-check " + check.name + " failed: " + check.detail);
  }
  if (!run.load_error.empty()) doubts.push_back("the load '" + run.load + "' was dead: " + run.load_error);
  if (run.latency.all.count == 0) doubts.emplace_back("no wake-up was measured");
  return doubts;
}

std::string lateness_text(const LatencyFigures& figures) {
  std::string text;
  for (const char* const name : {"p99.9", "p99", "p50"}) {
    const auto found = figures.percentiles_ns.find(name);
    if (found == figures.percentiles_ns.end()) continue;
    text += std::string(name) + " " + spoken_duration(found->second) + ", ";
    break;
  }
  if (figures.max_ns) text += "max " + spoken_duration(*figures.max_ns);
  if (figures.missed.value_or(0) > 0) text += ", " + std::to_string(*figures.missed) + " missed";
  return text;
}

std::string threads_text(const RunData& run) {
  const auto& threads = run.latency.probe.threads;
  std::string text = threads ? counted(*threads, "thread") : std::string();
  if (run.rt.policy.empty()) return text;
  text += (text.empty() ? "" : " at ") + run.rt.policy;
  if (run.rt.priority.value_or(0) > 0) text += " " + std::to_string(*run.rt.priority);
  return text;
}

std::string latency_line(const RunData& run) {
  const auto& probe = run.latency.probe;
  std::string line(to_string(run.verdict));
  line += " " + wake_ups_text(run);
  if (const auto late = lateness_text(run.latency.all); !late.empty()) line += ", " + late;
  if (const auto threads = threads_text(run); !threads.empty()) line += ", " + threads;
  if (!probe.clock.empty()) {
    line += ", " + probe.clock;
    if (!probe.device.empty() && probe.device != probe.clock) line += " " + probe.device;
  }
  line += run.load == "none" || run.load.empty() ? ", no load" : ", load " + run.load;
  for (std::size_t index = 0; index < run.reasons.size(); ++index)
    line += (index == 0 ? ": " : "; ") + run.reasons[index];
  return line;
}

}  // namespace

std::string wake_ups_text(const RunData& run) {
  const auto& latency = run.latency;
  std::string text = latency.all.count ? counted(*latency.all.count, "wake-up") : std::string("wake-ups");
  if (latency.probe.interval_ns) text += " every " + interval_text(*latency.probe.interval_ns);
  if (latency.rounds.size() > 1)
    text += " in " + counted(static_cast<std::int64_t>(latency.rounds.size()), "round");
  return text;
}

std::string interval_text(std::int64_t ns) {
  constexpr std::int64_t kNsPerUs = 1'000;
  constexpr std::int64_t kNsPerMs = 1'000'000;
  if (ns >= 10 * kNsPerSecond) return spoken_duration(ns);
  const bool seconds = ns >= kNsPerSecond;
  const bool milliseconds = ns >= kNsPerMs;
  const std::int64_t unit = seconds ? kNsPerSecond : milliseconds ? kNsPerMs : kNsPerUs;
  std::string text = fixed(static_cast<double>(ns) / static_cast<double>(unit), 3);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + (seconds ? " s" : milliseconds ? " ms" : " us");
}

void judge_latency(RunData& run) {
  run.reasons = latency_doubts(run);
  const auto& limit = run.latency.probe.limit_ns;
  const std::int64_t over = run.latency.all.over.value_or(0);
  if (!run.reasons.empty()) {
    run.verdict = Verdict::no_verdict;
  } else if (!limit) {
    run.verdict = Verdict::measured;
  } else {
    run.verdict = over > 0 ? Verdict::fail : Verdict::pass;
    run.reasons.push_back((over > 0 ? std::to_string(over) : std::string("none")) + " later than " +
                          interval_text(*limit));
  }
  run.verdict_line = latency_line(run);
}

}  // namespace xrunlab
