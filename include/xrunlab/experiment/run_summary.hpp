// What `compare` keeps of a run file: what the run can be grouped by, its figures, and why it may not count.
// Made of each run's data as it is read, so that a thousand runs fit into memory. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/experiment/comparison_rule.hpp"
#include "xrunlab/model/comparison.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// How the figures of a group's runs become one.
enum class Pooling {
  median,
  largest,
  sum,
  mean,
  rate,           ///< of dropouts
  weighted_mean,  ///< each run by its length: of rates all events over all of the time
  rounds,         ///< the median over all rounds of all runs
};

/// A figure that can be taken from a run.
struct RunFigure {
  FigureInfo info;
  Better better = Better::lower;
  Pooling pooling = Pooling::median;
  bool may_decide = true;  ///< --metric may name it
};

/// In the order of the tables. Durations are nanoseconds, shares 0 … 1.
const std::vector<RunFigure>& run_figures();

/// Index into run_figures(), of the name or of the name with its unit ("ring_needed_ns"); nothing when
/// unknown.
std::optional<std::size_t> find_run_figure(const std::string& name);

struct RunSummary {
  std::string file;
  std::string kind;
  std::string start;
  std::string host;
  std::string boot;
  bool complete = false;
  bool fault_injected = false;
  bool paced = true;
  bool uses_ring = true;
  Verdict verdict = Verdict::no_verdict;
  std::string reason;                       ///< of no verdict
  std::string too_easy;                     ///< why it could not have passed; empty: it could
  bool imported = false;                    ///< made of a listing
  bool judged = true;                       ///< the verdict says whether it passed
  std::int64_t exposure_ns = 0;             ///< in which there could have been dropouts; 0: not known
  std::optional<std::int64_t> dropouts;     ///< absent: not counted
  std::vector<double> round_maxima_ns;      ///< of kind latency, of the rounds that have one
  std::vector<double> round_lengths_ns;     ///< of the same rounds; 0: not known
  std::vector<std::string> partial_rounds;  ///< a text for each: "round 13 of 13 has 9573 of 10000 wake-ups"
  KeyValues facts;                          ///< every key of fact_keys()
  std::optional<ExperimentInfo> experiment;
  std::vector<std::optional<double>> figures;  ///< in the order of run_figures()
};

/// `file` as named; `directory` as given on the command line, or the file's own.
RunSummary summarise_run(const RunData& run, const std::string& file, const std::string& directory);

}  // namespace xrunlab
