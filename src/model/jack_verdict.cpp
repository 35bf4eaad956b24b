#include "xrunlab/model/jack_verdict.hpp"

#include <string>
#include <vector>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/dropout_rate.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using Findings = std::vector<std::string>;

std::int64_t xruns_that_count(const RunData& run) {
  const JackFigures& figures = run.jack->figures;
  const std::int64_t late = run.device.simulated ? 0 : figures.driver_late.count.value_or(0);
  return figures.xruns.count.value_or(0) + late;
}

Findings graph_doubts(const RunData& run) {
  Findings doubts;
  if (!run.complete) {
    std::string text = "incomplete: ended after " + spoken_duration(run.jack->measured_ns);
    if (!run.ended_by.empty()) text += " by " + run.ended_by;
    if (!run.error.empty()) text += " (" + run.error + ")";
    doubts.push_back(text);
  }
  for (const auto& check : run.self_checks) {
    if (!check.passed) doubts.push_back("self-check " + check.name + " failed: " + check.detail);
  }
  if (!run.load_error.empty()) doubts.push_back("the load '" + run.load + "' was dead: " + run.load_error);
  return doubts;
}

Findings graph_failures(const RunData& run) {
  Findings failures;
  const std::int64_t xruns = xruns_that_count(run);
  if (run.jack->ramp.empty() && xruns > run.limits.max_xruns) {
    failures.push_back(counted(xruns, "xrun") + ", " + std::to_string(run.limits.max_xruns) + " allowed");
  }
  if (!run.jack->ramp.empty() && run.jack->clients_that_fit.value_or(0) == 0) {
    failures.emplace_back("not even one client fits");
  }
  if (const std::int64_t failed = failed_clients(*run.jack); failed > 0) {
    const JackFailure& first = run.jack->failures.front();
    failures.push_back(counted(failed, "client") + " failed: " + first.client + ": " + first.detail +
                       (failed > 1 ? ", ..." : ""));
  }
  return failures;
}

Findings graph_margins(const RunData& run) {
  Findings margins;
  const JackData& jack = *run.jack;
  if (jack.spare_least_ns && Int128{*jack.spare_least_ns} * 5 < run.bound_ns && jack.ramp.empty()) {
    const std::string left =
        *jack.spare_least_ns > 0 ? "only " + short_duration(*jack.spare_least_ns) : "nothing";
    margins.push_back(left + " of the period of " + short_duration(run.bound_ns) + " was left (under 20 %)");
  }
  const std::int64_t late = jack.figures.driver_late.count.value_or(0);
  if (run.device.simulated && late > 0) {
    margins.push_back("the driver itself was late " + (late == 1 ? "once" : std::to_string(late) + " times") +
                      ": the machine, not the clients");
  }
  return margins;
}

std::string ramp_text(const RunData& run) {
  const JackData& jack = *run.jack;
  const std::int64_t fit = jack.clients_that_fit.value_or(0);
  std::string text = counted(fit, "client") + " of " + std::to_string(jack.ramp.back().clients) + " fit";
  const JackStep& last = jack.ramp.back();
  if (last.clients <= fit) return text;
  text += "; first xrun with " + std::to_string(last.clients);
  return last.dsp_load_share ? text + " at DSP load " + fixed(*last.dsp_load_share * 100, 1) + " %" : text;
}

std::string graph_line(const RunData& run, const Findings& of_verdict) {
  const JackData& jack = *run.jack;
  const bool ramp = !jack.ramp.empty();
  const std::int64_t xruns = xruns_that_count(run);
  std::string line = std::string(to_string(run.verdict)) + " ";
  line += ramp ? ramp_text(run) : counted(jack.clients, "client");
  line += ", " + counted(jack.ports, "port") + " each way, " + jack.topology + ", " +
          std::to_string(run.device.period_frames) + " frames at " + std::to_string(run.device.rate_hz) +
          " Hz, " + spoken_duration(jack.measured_ns);
  if (!ramp) {
    line += ", " + counted(xruns, "xrun");
    if (jack.measured_ns > 0 && run.verdict != Verdict::no_verdict) {
      line += " (" + rate_text(xruns, jack.measured_ns) + ")";
    }
  }
  if (jack.figures.cycle_max_ns) {
    line += ", longest cycle " + short_duration(*jack.figures.cycle_max_ns) + " of " +
            short_duration(run.bound_ns);
  }
  line += run.device.simulated ? ", dummy driver" : ", " + run.device.name;
  if (run.device.name == "running") line += " server";
  line += run.load == "none" || run.load.empty() ? ", no load" : ", load " + run.load;
  for (std::size_t index = 0; index < of_verdict.size(); ++index) {
    line += (index == 0 ? ": " : "; ") + of_verdict[index];
  }
  return line;
}

}  // namespace

void judge_jack(RunData& run) {
  const Findings doubts = graph_doubts(run);
  const Findings failures = graph_failures(run);
  const Findings margins = graph_margins(run);
  Findings ease;
  if (run.jack->measured_ns < kShortestWindowNs && run.jack->ramp.empty()) {
    ease.push_back("the measured " + spoken_duration(run.jack->measured_ns) + " are too short: at least " +
                   spoken_duration(kShortestWindowNs));
  }
  std::vector<const Findings*> order;  // those of the verdict first
  if (!doubts.empty()) {
    run.verdict = Verdict::no_verdict;
    order = {&doubts, &failures, &ease, &margins};
  } else if (!failures.empty()) {
    run.verdict = Verdict::fail;
    order = {&failures, &ease, &margins};
  } else if (!ease.empty()) {
    run.verdict = Verdict::no_verdict;
    order = {&ease, &margins};
  } else {
    run.verdict = margins.empty() ? Verdict::pass : Verdict::marginal;
    order = {&margins};
  }
  run.reasons.clear();
  for (const auto* found : order) run.reasons.insert(run.reasons.end(), found->begin(), found->end());
  run.verdict_line = graph_line(run, *order.front());
}

}  // namespace xrunlab
