#include "xrunlab/model/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/model/dropout_rate.hpp"
#include "xrunlab/model/jack_verdict.hpp"
#include "xrunlab/model/latency_verdict.hpp"

namespace xrunlab {
namespace {

using Reasons = std::vector<std::string>;

constexpr double kLeastDeviceShare = 0.9;
constexpr double kLeastHeadroom = 1.1;

std::int64_t audio_ns(const RunData& run, std::int64_t frames) {
  const auto hz = run.device.rate_hz;
  return hz <= 0 ? 0 : static_cast<std::int64_t>(static_cast<Int128>(frames) * kNsPerSecond / hz);
}

std::string percent(double share) {
  return fixed(share * 100, 1) + " %";
}

std::string injected_text(const RunData& run) {
  std::string text = "a fault was injected";
  constexpr std::size_t kMostNamed = 2;
  for (std::size_t index = 0; index < std::min(run.faults.size(), kMostNamed); ++index)
    text += (index == 0 ? " (" : ", ") + run.faults[index].spec;
  if (run.faults.size() > kMostNamed) text += ", ...";
  return run.faults.empty() ? text : text + ")";
}

bool stopped_by_xrun(const RunData& run) {
  return run.ended_by == "xrun" && run.counters.device_xruns > run.limits.max_xruns;
}

/// Findings that make the run's own figures doubtful.
Reasons find_doubts(const RunData& run) {
  Reasons doubts;
  // Stopping at the first xrun was asked for, and the xrun is the finding.
  if (!run.complete && !stopped_by_xrun(run)) {
    std::string text = "incomplete: ended after " + spoken_duration(run.window.exposure_ns);
    if (!run.ended_by.empty()) text += " by " + run.ended_by;
    if (!run.error.empty()) text += " (" + run.error + ")";
    doubts.push_back(text);
  }
  if (run.device.paced) {
    for (const auto& check : run.self_checks) {
      if (!check.passed) doubts.push_back("self-check " + check.name + " failed: " + check.detail);
    }
  }
  if (run.fault_injected) doubts.push_back(injected_text(run));
  if (!run.replay_of.empty()) doubts.push_back("a replay of " + run.replay_of + " is no measurement");
  if (!run.load_error.empty()) doubts.push_back("the load '" + run.load + "' was dead: " + run.load_error);
  return doubts;
}

std::int64_t shortest_window_ns(const RunData& run) {
  if (!run.ring.used) return kShortestWindowNs;
  const Int128 rings_ns = Int128{kShortestWindowRings} * audio_ns(run, run.ring.frames);
  return static_cast<std::int64_t>(std::clamp(rings_ns, Int128{kShortestWindowNs}, Int128{INT64_MAX}));
}

bool window_long_enough(const RunData& run) {
  return run.window.length_ns >= shortest_window_ns(run);
}

Reasons find_cache_use(const RunData& run) {
  if (run.io.cache != "evict" || run.throughput.bytes_read <= 0) return {};
  const auto& device_bytes = run.throughput.device_read_bytes;
  if (!device_bytes) return {"how much of the data came from the device is not known"};
  const double share = static_cast<double>(*device_bytes) / static_cast<double>(run.throughput.bytes_read);
  if (share >= kLeastDeviceShare) return {};
  return {"only " + percent(share) + " of the data came from the device (at least 90 % needed)"};
}

/// Findings that make a good result worthless, but not a bad one.
Reasons find_ease(const RunData& run) {
  Reasons ease = find_cache_use(run);
  if (run.window.primed_whole) ease.emplace_back("all data was in the ring before the card started");
  if (!window_long_enough(run)) {
    ease.push_back("the window of " + spoken_duration(run.window.length_ns) + " is too short: at least " +
                   spoken_duration(shortest_window_ns(run)) +
                   (shortest_window_ns(run) > kShortestWindowNs ? ", three times the ring" : ""));
  }
  return ease;
}

/// When the ring was empty as it was seen; before that has happened, when it would be at this rate.
std::string empty_text(const RunData& run) {
  if (!run.starvations.empty()) {
    const auto at_ns = std::max<std::int64_t>(0, run.starvations.front().at_ns);
    return "; the ring was empty after " + spoken_duration(at_ns);
  }
  const auto& headroom = run.throughput.headroom;
  if (!headroom || *headroom >= 1) return {};
  const double empty_after = static_cast<double>(audio_ns(run, run.ring.frames)) / (1 - *headroom);
  // Beyond 10^17 ns (three years) the share is 1 but for rounding.
  if (empty_after >= 1e17) return {};
  return "; the ring would be empty after about " + spoken_duration(std::llround(empty_after));
}

std::string unsustained_text(const RunData& run) {
  const auto& headroom = run.throughput.headroom;
  std::string text = "not sustained: ";
  if (headroom && *headroom < 1) {
    text += "disk gives " + percent(*headroom) + " of the need";
  } else {
    text += "the rings were never all full in the last third of the window";
    if (headroom) text += ", though the disk gives " + percent(*headroom) + " of the need";
  }
  return text + empty_text(run);
}

Reasons find_failures(const RunData& run) {
  Reasons failures;
  if (run.counters.device_xruns > run.limits.max_xruns) {
    failures.push_back(counted(run.counters.device_xruns, "xrun") + ", " +
                       std::to_string(run.limits.max_xruns) + " allowed");
  }
  if (run.counters.starvation_episodes > run.limits.max_starved) {
    failures.push_back(counted(run.counters.starvation_episodes, "starvation episode") + ", " +
                       std::to_string(run.limits.max_starved) + " allowed (longest " +
                       spoken_duration(run.counters.starvation_longest_ns) + ")");
  }
  for (const auto& load : run.loads) {
    if (load.overruns > 0) {
      failures.push_back("the load '" + load.spec + "' lost " + counted(load.overruns, "fragment"));
    }
  }
  const bool told = run.ring.used && !run.window.primed_whole && window_long_enough(run);
  if (told && run.throughput.sustained == false) failures.push_back(unsustained_text(run));
  return failures;
}

Reasons find_margins(const RunData& run) {
  Reasons margins;
  const auto& needed = run.ring.ring_needed_frames;
  if (run.ring.used && needed && Int128{*needed} * 5 > Int128{run.ring.frames} * 4) {
    const std::string ring = spoken_duration(audio_ns(run, run.ring.frames));
    margins.push_back(*needed > run.ring.frames
                          ? "the ring of " + ring + " was too small by " +
                                spoken_duration(audio_ns(run, *needed - run.ring.frames))
                          : "the ring needed " + spoken_duration(audio_ns(run, *needed)) + " of its " + ring +
                                " (over 80 %)");
  }
  const auto& headroom = run.throughput.headroom;
  if (headroom && *headroom < kLeastHeadroom) {
    margins.push_back("the disk gives only " + percent(*headroom) + " of the need (under 110 %)");
  }
  const auto& slack = run.slack_low_water_frames;
  const std::int64_t most = run.device.buffer_frames - run.device.fragment_frames;
  if (slack && most > 0 && Int128{*slack} * 5 < most) {
    margins.push_back("the card was down to " + spoken_duration(audio_ns(run, *slack)) + " of " +
                      spoken_duration(audio_ns(run, most)) + " slack (under 20 %)");
  }
  return margins;
}

std::string card_text(const RunData& run) {
  if (run.device.simulated) return "simulated card";
  if (server_driven(run)) return run.device.name + " (client of " + run.device.server + ")";
  if (!run.device.server.empty()) return run.device.name + " (" + run.device.server + "'s buffer)";
  return run.device.name;
}

std::string dropouts_text(const RunData& run) {
  const std::int64_t dropouts = run.counters.dropouts;
  std::string text = counted(dropouts, "dropout");
  if (run.window.exposure_ns <= 0 || run.verdict == Verdict::no_verdict) return text;
  return text + " (" + rate_text(dropouts, run.window.exposure_ns) + ")";
}

std::string ring_text(const RunData& run) {
  if (!run.ring.used) return "no ring";
  const auto seconds = [&run](std::int64_t frames) {
    const auto ns = static_cast<std::int64_t>(audio_ns(run, frames));
    return ns < kNsPerSecond && run.ring.frames < run.device.rate_hz
               ? spoken_duration(ns)
               : fixed(static_cast<double>(ns) * 1e-9, 1) + " s";
  };
  const std::string ring = seconds(run.ring.frames);
  const auto& needed = run.ring.ring_needed_frames;
  if (!needed) return ring + " ring";
  if (*needed > run.ring.frames) return "needs " + seconds(*needed) + " of ring, has " + ring;
  return "used " + seconds(*needed) + " of " + ring + " ring";
}

/// With --cache keep that is no fault, but it must be seen: such a run says nothing of a disk.
bool from_page_cache(const RunData& run) {
  const auto& device_bytes = run.throughput.device_read_bytes;
  return run.io.cache == "keep" && device_bytes && run.throughput.bytes_read > 0 &&
         static_cast<double>(*device_bytes) <
             kLeastDeviceShare * static_cast<double>(run.throughput.bytes_read);
}

std::string line_for(const RunData& run, const Reasons& of_verdict) {
  std::string line(to_string(run.verdict));
  line += " ";
  line += counted(static_cast<std::int64_t>(run.inputs.size()), "track") + " " +
          spoken_duration(run.verdict == Verdict::throughput ? run.throughput.time_ns : run.window.length_ns);
  if (run.verdict == Verdict::throughput) {
    line += ", " + three_digits(run.throughput.realtime_factor) + " x real time, " +
            three_digits(run.throughput.bytes_per_s / 1e6) + " MB/s read, unpaced card";
  } else {
    line += ", " + dropouts_text(run) + ", " + card_text(run);
  }
  if (run.device.paced && from_page_cache(run)) line += ", files from the page cache";
  line += run.load == "none" || run.load.empty() ? ", no load" : ", load " + run.load;
  if (run.verdict != Verdict::throughput) line += ", " + ring_text(run);
  for (std::size_t index = 0; index < of_verdict.size(); ++index) {
    line += index == 0 ? ": " : "; ";
    line += of_verdict[index];
  }
  return line;
}

}  // namespace

void judge(RunData& run) {
  if (run.kind == kLatencyKind) return judge_latency(run);
  if (run.kind == "jack" && run.jack) return judge_jack(run);
  const Reasons doubts = find_doubts(run);
  const Reasons ease = run.device.paced ? find_ease(run) : find_cache_use(run);
  const Reasons failures = run.device.paced ? find_failures(run) : Reasons{};
  const Reasons margins = run.device.paced ? find_margins(run) : Reasons{};

  std::vector<const Reasons*> order;  // those of the verdict first
  if (!doubts.empty()) {
    run.verdict = Verdict::no_verdict;
    order = {&doubts, &failures, &ease, &margins};
  } else if (!run.device.paced) {
    run.verdict = Verdict::throughput;
    order = {&ease};
  } else if (!failures.empty()) {
    run.verdict = Verdict::fail;
    order = {&failures, &ease, &margins};
  } else if (!ease.empty()) {
    run.verdict = Verdict::no_verdict;
    order = {&ease, &margins};
  } else if (!margins.empty()) {
    run.verdict = Verdict::marginal;
    order = {&margins};
  } else {
    run.verdict = Verdict::pass;
  }

  run.reasons.clear();
  for (const auto* found : order) run.reasons.insert(run.reasons.end(), found->begin(), found->end());
  run.verdict_line = line_for(run, order.empty() ? Reasons{} : *order.front());
}

std::vector<std::string> why_no_pass(const RunData& run) {
  if (run.kind != "play" || run.imported || !run.device.paced) return {};
  return stopped_by_xrun(run) ? find_cache_use(run) : find_ease(run);
}

ExitCode exit_code_for(const RunData& run) noexcept {
  switch (run.verdict) {
    case Verdict::pass:
    case Verdict::throughput:
    case Verdict::measured:
      return ExitCode::ok;
    case Verdict::marginal:
      return run.limits.fail_marginal ? ExitCode::limit_broken : ExitCode::ok;
    case Verdict::fail:
    case Verdict::no_verdict:
      break;
  }
  return ExitCode::limit_broken;
}

std::string_view to_string(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::pass:
      return "PASS";
    case Verdict::marginal:
      return "MARGINAL";
    case Verdict::fail:
      return "FAIL";
    case Verdict::throughput:
      return "THROUGHPUT";
    case Verdict::measured:
      return "MEASURED";
    case Verdict::no_verdict:
      break;
  }
  return "NO VERDICT";
}

}  // namespace xrunlab
