#include "console_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "console_causes.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/load_text.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kMostWarnings = 8;

std::string summary_line(std::string_view label, std::string_view text) {
  return labelled(label, kSummaryIndent, text);
}

const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
    case Verdict::throughput:
    case Verdict::measured:
      return "\x1b[32m";
    case Verdict::marginal:
    case Verdict::no_verdict:
      return "\x1b[33m";
    case Verdict::fail:
      break;
  }
  return "\x1b[31m";
}

}  // namespace

std::string heading_line(const RunData& run) {
  // The release alone: what the version says beside it of preemption stands behind it, in words.
  const std::string release = run.system.kernel.substr(0, run.system.kernel.find(' '));
  const std::string kernel = release.empty() ? "" : ", Linux " + release;
  const std::string preempt = run.system.preempt.empty() ? "" : ", preemption " + run.system.preempt;
  return labelled(
      "", 0, run.tool.name + " " + run.tool.version + " " + run.kind + ", " + run.start + kernel + preempt);
}

std::string loads_lines(const RunData& run) {
  std::string lines;
  for (const auto& load : run.loads) lines += load_lines(load, kSummaryIndent);
  return lines.empty() ? lines : lines + "\n";
}

std::string check_lines(const RunData& run) {
  std::string passed;
  std::string failed;
  for (const auto& check : run.self_checks) {
    if (!check.passed) {
      failed += summary_line("", check.name + " FAILED: " + check.detail);
    } else {
      passed += (passed.empty() ? "" : ", ") + check.name + " ok";
    }
  }
  if (passed.empty()) passed = failed.empty() ? "none: they need a card that keeps time" : "none passed";
  return summary_line("self-checks", passed) + failed;
}

std::string warning_lines(const RunData& run) {
  std::string lines;
  const std::size_t shown = std::min(run.warnings.size(), kMostWarnings);
  for (std::size_t index = 0; index < shown; ++index) lines += summary_line("warning", run.warnings[index]);
  if (run.warnings.size() > shown) {
    lines +=
        summary_line("", fmt::format("and {} more warnings, in the run file", run.warnings.size() - shown));
  }
  return lines;
}

std::string verdict_lines(const RunData& run, ConsoleStyle style) {
  std::string text = labelled("", 0, run.verdict_line);
  const auto word = to_string(run.verdict);
  if (style == ConsoleStyle::colour && text.starts_with(word)) {
    text.replace(0, word.size(), colour_of(run.verdict) + std::string(word) + "\x1b[0m");
  }
  return text;
}

std::string incomplete_line(const RunData& run) {
  if (run.complete) return {};
  std::string text = "this run did not come to its end";
  if (!run.ended_by.empty()) text += ": ended by " + run.ended_by;
  text += " after " + spoken_duration(run.window.exposure_ns);
  if (!run.error.empty()) text += " (" + run.error + ")";
  return summary_line("INCOMPLETE", text);
}

}  // namespace xrunlab
