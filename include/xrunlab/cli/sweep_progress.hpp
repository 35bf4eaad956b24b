// Says on stderr which run of a sweep goes on, what came of it, and how long the rest will take. Used by
// `sweep` on the main thread.
#pragma once

#include <set>
#include <string>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/experiment/sweep.hpp"
#include "xrunlab/report/redrawn_line.hpp"

namespace xrunlab {

class SweepReport {
 public:
  /// `quiet`: only warnings.
  explicit SweepReport(bool quiet);
  void begin(const SweepRun& run, const SweepProgress& progress, std::string combination);
  /// Redraws the line of a run that goes on, on a terminal, with the time that is left now.
  void look();
  void end(const std::string& verdict_line);
  /// Each line only once in a sweep: most warnings would come with every run.
  void warn(const std::string& line);
  void clear() { line_.clear(); }

 private:
  std::string head() const;

  SystemClock clock_;
  bool quiet_;
  RedrawnLine line_;
  SweepRun run_;
  SweepProgress progress_;
  std::string combination_;
  Nanoseconds begin_{};
  Nanoseconds last_look_{};
  std::set<std::string> warned_;
};

}  // namespace xrunlab
