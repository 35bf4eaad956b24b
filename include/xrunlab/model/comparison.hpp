// What a comparison of runs yields: groups with their figures, and which of them is better or worse than the
// baseline. Plain data: experiment fills it, report prints it. Figures of durations are nanoseconds, of
// shares 0 … 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xrunlab {

enum class FigureUnit { duration, bytes_per_second, per_second, per_hour, share, ratio, count };

/// One figure that every group has; its name is what --metric and --fail-if call it.
struct FigureInfo {
  std::string name;   ///< "ring_needed", "outside_p99.9"
  std::string key;    ///< with its unit, as JSON and CSV have it: "ring_needed_ns"
  std::string label;  ///< "ring needed", "T3 p99.9"
  FigureUnit unit = FigureUnit::count;
  std::string kinds;  ///< of runs that have it, with blanks between: "play latency"; empty: all
};

/// Whether runs of `kind` can have it; a replay has what a play has.
inline bool is_figure_of(const FigureInfo& figure, const std::string& kind) {
  const std::string wanted = " " + (kind == "replay" ? "play" : kind) + " ";
  return figure.kinds.empty() || (" " + figure.kinds + " ").find(wanted) != std::string::npos;
}

/// Events over time, with a 95 % interval.
struct RateFigure {
  std::int64_t events = 0;
  std::int64_t time_ns = 0;
  double per_hour = 0;
  double low_per_hour = 0;
  double high_per_hour = 0;
  bool clustered = false;  ///< the runs differ by more than chance: the interval is a bootstrap over runs
};

/// Some of the runs, with a 95 % interval, 0 … 1.
struct ShareFigure {
  std::int64_t hits = 0;
  std::int64_t runs = 0;
  double low = 0;
  double high = 0;
};

using KeyValues = std::vector<std::pair<std::string, std::string>>;

struct ComparedGroup {
  std::string label;  ///< the values of `keys`, or one word for the baseline's
  KeyValues keys;     ///< what the runs were grouped by
  std::int64_t runs = 0;
  std::int64_t boots = 0;
  std::int64_t exploratory = 0;    ///< of the runs, those beyond the planned number
  std::int64_t time_ns = 0;        ///< in which there could have been dropouts
  std::optional<double> round_ns;  ///< of kind latency, the usual length of a round; 0: not known
  ShareFigure pass;
  std::optional<RateFigure> dropouts;
  std::vector<std::optional<double>> figures;  ///< in the order of Comparison::figures
};

enum class Finding {
  baseline,
  better,
  worse,
  no_difference,
  too_few,         ///< runs or boots: no result could be significant
  one_boot,        ///< under four boots a side: not separable from boot to boot
  confounded,      ///< something else differs too
  nothing_to_see,  ///< no figures of the metric
};

/// A group against the baseline.
struct Judgement {
  Finding finding = Finding::baseline;
  std::string text;             ///< a line that stands alone, without the group's name
  std::string test;             ///< "signed-rank", "rank-sum"; empty: none
  std::optional<double> ratio;  ///< group ÷ baseline, Hodges–Lehmann
  std::optional<double> low;    ///< of its 95 % interval; absent: so few have none
  std::optional<double> high;
  std::optional<double> p;           ///< two-sided
  std::optional<double> adjusted_p;  ///< Holm's, over all groups but the baseline
  std::int64_t has = 0;              ///< runs, blocks or boots of the smaller side
  std::int64_t needs = 0;            ///< of these, for any result to be significant
};

/// A run that counts for nothing, and why.
struct LeftOutRun {
  std::string file;
  std::string reason;
};

/// Something in which the runs differ, beside what they are grouped by, and its values.
struct RunDifference {
  std::string what;
  std::vector<std::string> values;  ///< with their numbers of runs
};

/// Of runs of one kind.
struct Comparison {
  std::string kind;  ///< "play", "latency", "jack" …; empty: no run counts
  std::vector<std::string> by;
  std::string metric;  ///< name of the figure that decides
  double min_effect = 0.05;
  std::size_t baseline = 0;  ///< index into groups
  std::vector<FigureInfo> figures;
  std::vector<ComparedGroup> groups;
  bool unequal_lengths = false;  ///< of the groups, by more than a tenth: so their maxima are not alike
  bool unequal_rounds = false;   ///< of their rounds in the same way: so the medians of their maxima are not
  std::vector<Judgement> judgements;  ///< by group
  std::vector<LeftOutRun> left_out;
  std::vector<RunDifference> differences;
  std::vector<std::string> notes;  ///< a line each
};

}  // namespace xrunlab
