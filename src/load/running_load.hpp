// One load at work: its process under the guard, its figures, and what it prints. Used by LoadSet, on main.
#pragma once

#include <string>

#include "xrunlab/load/load_figures.hpp"
#include "xrunlab/load/load_set.hpp"
#include "xrunlab/platform/process_tree.hpp"

namespace xrunlab {

class RunningLoad {
 public:
  /// Starts it. Throws Error{system}.
  RunningLoad(GuardProcess& guard, const LoadSpec& spec, const LoadSettings& settings, int index);
  RunningLoad(const RunningLoad&) = delete;
  RunningLoad& operator=(const RunningLoad&) = delete;

  /// Stops it.
  ~RunningLoad();

  const LoadSpec& spec() const noexcept { return spec_; }

  /// Whether it has prepared; at once for a program that is not ours, which does not tell.
  bool at_work() const noexcept;
  Bytes prepared_bytes() const noexcept;

  /// Whether it has done an operation, where one is to be expected soon.
  bool has_worked() const noexcept;

  /// Why it does not work; empty when it does, as far as can be seen.
  std::string fault();
  std::string remedy() const;

  void begin();
  /// What it has done since begin().
  LoadData data();
  /// Empty when it did what was asked, or nothing was.
  std::string shortfall();

  void stop() noexcept;
  /// What it has printed, the last 64 KiB.
  std::string output() const;

 private:
  struct Counts {
    std::int64_t operations = 0;
    std::int64_t bytes = 0;
    std::int64_t overruns = 0;
    std::int64_t xruns = 0;
    std::int64_t driver_late = 0;
    TreeUsage usage;
    Nanoseconds at{};
  };

  Counts count();
  bool idle(const LoadData& data) const noexcept;

  GuardProcess& guard_;
  LoadSpec spec_;
  std::int64_t seed_;
  SharedFigures figures_;
  UniqueFd output_;
  ProgramId program_{};
  TreeUsage last_usage_;
  Counts from_;
};

}  // namespace xrunlab
