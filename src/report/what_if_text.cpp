#include "xrunlab/report/what_if_text.hpp"

#include <fmt/format.h>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

std::string spoken_frames(const WhatIfTable& table, Frames frames) {
  const SampleRate rate{static_cast<std::uint32_t>(table.rate_hz)};
  return spoken_duration(frames_to_duration(frames, rate).count());
}

std::string spoken_or_dash(const WhatIfTable& table, const std::optional<Frames>& frames) {
  return frames ? spoken_frames(table, *frames) : "-";
}

std::string trial_line(const WhatIfTable& table, const WhatIfTrial& trial) {
  const auto& sizes = trial.granted;
  const bool as_recorded = sizes == table.recorded;
  return fmt::format("{:>9} {:>8} {:>7} {:>7} {:>7} {:>9} {:>9} {:>9} {:>6} {:>9}{}\n", sizes.ring,
                     spoken_frames(table, sizes.ring), sizes.period, sizes.buffer, trial.starvations,
                     trial.starvations > 0 ? spoken_duration(trial.longest_ns) : "-",
                     spoken_or_dash(table, trial.ring_low_water), spoken_or_dash(table, trial.ring_needed),
                     trial.xruns, spoken_or_dash(table, trial.slack_low_water),
                     as_recorded ? "  as recorded" : "");
}

std::string safe_line(const WhatIfTable& table, const SafeRing& safe) {
  const std::string card = fmt::format("period {}, card buffer {}", safe.period, safe.buffer);
  if (!safe.smallest) return fmt::format("no ring up to the largest would have been enough, {}\n", card);
  // Of which no ring is the cure.
  const std::int64_t xruns = safe.smallest->xruns;
  const std::string left =
      xruns == 0 ? "" : fmt::format("; {} remain{}", counted(xruns, "xrun"), xruns == 1 ? "s" : "");
  return fmt::format("smallest ring that does not starve: {} frames, {}{}, {}{}\n",
                     safe.smallest->granted.ring, spoken_frames(table, safe.smallest->granted.ring),
                     safe.least_tried ? " (the smallest tried)" : "", card, left);
}

}  // namespace

std::string what_if_text(const WhatIfTable& table) {
  std::string text = fmt::format("what if {} had other sizes\n\n", table.record);
  text += fmt::format("{:>9} {:>8} {:>7} {:>7} {:>7} {:>9} {:>9} {:>9} {:>6} {:>9}\n", "ring", "= time",
                      "period", "buffer", "starved", "longest", "low water", "needed", "xruns", "slack");
  for (const auto& trial : table.trials) text += trial_line(table, trial);
  text += "\n";
  for (const auto& safe : table.safe) text += safe_line(table, safe);
  text += fmt::format("assuming that {}\n", assumption_of(table));
  return text;
}

}  // namespace xrunlab
