#include "xrunlab/experiment/sweep_plan.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

/// splitmix64 (Steele, Lea, Flood 2014): the order must be the same wherever the sweep goes on, and no
/// standard distribution is.
class BlockOrder {
 public:
  /// Streams of neighbouring blocks and seeds lie far apart: the first outputs are mixed once more.
  BlockOrder(std::uint64_t seed, std::uint64_t block) : state_(seed) { state_ = next() ^ (block * kGolden); }

  /// A whole number below `limit`, every one equally likely.
  std::uint64_t below(std::uint64_t limit) {
    const std::uint64_t uneven = -limit % limit;
    for (;;) {
      const std::uint64_t drawn = next();
      if (drawn >= uneven) return drawn % limit;
    }
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;

  std::uint64_t next() {
    state_ += kGolden;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  std::uint64_t state_;
};

[[noreturn]] void refuse_plan(const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::usage, what, remedy);
}

void check_axes(const std::vector<SweepAxis>& axes) {
  std::set<std::string> keys;
  for (const auto& axis : axes) {
    if (!keys.insert(axis.key).second) {
      refuse_plan("--vary: " + axis.key + " is there twice", "give all its values in one --vary");
    }
    if (axis.values.empty()) refuse_plan("--vary: " + axis.key + " has no value", "write KEY=A,B,C");
    std::set<std::string> values;
    for (const auto& value : axis.values) {
      if (values.insert(value).second) continue;
      refuse_plan("--vary: " + axis.key + " has the value " + value + " twice",
                  "name it once; -n says how often it is run");
    }
  }
}

std::size_t count_combinations(const SweepManifest& sweep) {
  std::size_t count = 1;
  for (const auto& axis : sweep.axes)
    count = std::min<std::size_t>(count * axis.values.size(), kMostSweepRuns);
  const auto blocks = static_cast<std::size_t>(sweep.runs) + static_cast<std::size_t>(sweep.exploratory) +
                      static_cast<std::size_t>(sweep.warm_ups);
  if (count * blocks > kMostSweepRuns) {
    refuse_plan("these are more than " + std::to_string(kMostSweepRuns) + " runs",
                "vary fewer values, or make several sweeps");
  }
  return count;
}

std::vector<std::string> combination_at(const SweepManifest& sweep, std::size_t index) {
  std::vector<std::string> values(sweep.axes.size());
  for (std::size_t axis = sweep.axes.size(); axis-- > 0;) {
    const auto& choices = sweep.axes[axis].values;
    values[axis] = choices[index % choices.size()];
    index /= choices.size();
  }
  return values;
}

void add_block(SweepPlan& plan, std::int64_t seed, SweepPhase phase, int block) {
  std::vector<std::size_t> order(plan.combinations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Warm-ups are blocks from −1 downwards: another -n or --warmup leaves the order of all others as it is.
  const std::int64_t stream = phase == SweepPhase::warm_up ? -block : block;
  BlockOrder random(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(stream));
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(random.below(left))]);
  }
  for (const auto combination : order) {
    plan.runs.push_back({static_cast<int>(plan.runs.size()) + 1, phase, block, combination});
  }
}

}  // namespace

SweepPlan plan_sweep(const SweepManifest& sweep) {
  check_axes(sweep.axes);
  SweepPlan plan;
  const std::size_t combinations = count_combinations(sweep);
  for (std::size_t index = 0; index < combinations; ++index) {
    plan.combinations.push_back(combination_at(sweep, index));
  }
  for (int block = 1; block <= sweep.warm_ups; ++block) {
    add_block(plan, sweep.seed, SweepPhase::warm_up, block);
  }
  for (int block = 1; block <= sweep.runs + sweep.exploratory; ++block) {
    const bool planned = block <= sweep.runs;
    add_block(plan, sweep.seed, planned ? SweepPhase::measured : SweepPhase::exploratory, block);
  }
  return plan;
}

std::string combination_text(const SweepManifest& sweep, const std::vector<std::string>& values) {
  if (sweep.axes.empty()) return "as it is";
  std::string text;
  for (std::size_t index = 0; index < sweep.axes.size(); ++index) {
    text += (index == 0 ? "" : ", ") + sweep.axes[index].key + "=" + values[index];
  }
  return text;
}

std::string sweep_file_name(const SweepPlan& plan, const SweepRun& run) {
  constexpr std::size_t kLeastDigits = 3;
  // Without those that were added later: names must not change with them.
  const auto planned = std::count_if(plan.runs.begin(), plan.runs.end(), [](const SweepRun& any) {
    return any.phase != SweepPhase::exploratory;
  });
  const std::size_t digits = std::max(kLeastDigits, std::to_string(planned).size());
  const std::string number = std::to_string(run.number);
  const std::string kind = run.phase == SweepPhase::warm_up ? "warm-up-" : "run-";
  return kind + std::string(digits - std::min(digits, number.size()), '0') + number + ".json";
}

Nanoseconds planned_duration(std::size_t runs, Nanoseconds run_length, Nanoseconds cool_down) {
  if (runs == 0) return Nanoseconds{0};
  const auto count = static_cast<std::int64_t>(runs);
  return run_length * count + cool_down * (count - 1);
}

}  // namespace xrunlab
