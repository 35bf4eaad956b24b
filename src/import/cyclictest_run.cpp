#include <algorithm>
#include <cstdio>

#include "imported_runs.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using OptionalNumber = std::optional<std::int64_t>;

// A year of wake-ups every 30 us; so many may be added up without a thought of overflow.
constexpr std::int64_t kMostCycles = 1'000'000'000'000;

/// Makes latencies of the figures of one listing, in its unit.
class LatencyMaker {
 public:
  LatencyMaker(std::int64_t unit_ns, const std::string& source) : unit_ns_(unit_ns), source_(source) {}

  LatencyThread thread_of(const CyclictestThread& thread) const {
    LatencyThread made;
    if (thread.cycles.value_or(0) < 0 || thread.cycles.value_or(0) > kMostCycles)
      refuse("a thread with " + std::to_string(*thread.cycles) + " cycles");
    if (thread.overflow.value_or(0) < 0 || thread.overflow.value_or(0) > kMostCycles)
      refuse("a histogram with " + std::to_string(*thread.overflow) + " overflows");
    made.id = thread.id;
    if (thread.priority && *thread.priority >= 0 && *thread.priority <= 99)
      made.priority = static_cast<int>(*thread.priority);
    if (thread.interval_us) made.interval_ns = multiplied(*thread.interval_us, 1000);
    made.figures.count = thread.cycles;
    made.figures.overflow = thread.overflow;
    // Before the first cycle the program shows the values that it began with.
    if (thread.cycles == 0) return made;
    made.figures.min_ns = in_ns(thread.min);
    made.figures.max_ns = in_ns(thread.max);
    made.last_ns = in_ns(thread.last);
    if (thread.average) made.figures.mean_ns = *thread.average * static_cast<double>(unit_ns_);
    if (contradict_each_other(made.figures)) refuse("the figures of a thread contradict each other");
    return made;
  }

  LatencyRound round_of(const CyclictestRound& round) const {
    LatencyRound made;
    std::vector<LatencyFigures> parts;
    for (const auto& thread : round.threads) {
      made.threads.push_back(thread_of(thread));
      parts.push_back(made.threads.back().figures);
    }
    made.figures = together(parts);
    if (!round.histogram.empty()) take_histogram(round.histogram, made.figures);
    if (contradict_each_other(made.figures)) refuse("its figures contradict each other");
    return made;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ExitCode::input_file, source_ + ": " + why);
  }

  std::int64_t multiplied(std::int64_t value, std::int64_t by) const {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(value, by, &product)) refuse("a number is too large");
    return product;
  }

  OptionalNumber in_ns(const OptionalNumber& value) const {
    if (!value) return std::nullopt;
    return multiplied(*value, unit_ns_);
  }

  void take_histogram(const std::map<std::int64_t, std::int64_t>& rows, LatencyFigures& figures) const {
    auto& buckets = figures.histogram.emplace();
    for (const auto& [lateness, count] : rows) {
      const auto low = multiplied(lateness, unit_ns_);
      if (low > INT64_MAX - unit_ns_) refuse("a number is too large");
      buckets.push_back({low, low + unit_ns_ - 1, count});
    }
    if (contradict_each_other(figures)) refuse("its histogram contradicts its other figures");
    if (const auto histogram = histogram_of(figures))
      figures.percentiles_ns = figures_of(*histogram).percentiles_ns;
  }

  std::int64_t unit_ns_;
  const std::string& source_;
};

/// The one value that all have; nothing when they differ.
OptionalNumber shared_value(const std::vector<OptionalNumber>& values) {
  if (values.empty()) return std::nullopt;
  const bool alike = std::all_of(values.begin(), values.end(),
                                 [&values](const auto& value) { return value == values.front(); });
  return alike ? values.front() : std::nullopt;
}

/// Where most rounds have as many cycles as the longest, that is what they were asked for.
OptionalNumber usual_cycles(const std::vector<CyclictestRound>& rounds) {
  std::int64_t most = 0;
  std::size_t like_it = 0;
  for (const auto& round : rounds) {
    if (round.threads.size() != 1 || !round.threads.front().cycles) return std::nullopt;
    const auto cycles = *round.threads.front().cycles;
    if (cycles > most) like_it = 0;
    most = std::max(most, cycles);
    if (cycles == most) ++like_it;
  }
  if (like_it < 2 || 2 * like_it <= rounds.size()) return std::nullopt;
  return most;
}

/// Threads of different intervals all end when the first has done its loops.
void take_planned(const OptionalNumber& loops, LatencyRound& round) {
  std::vector<OptionalNumber> intervals;
  for (const auto& thread : round.threads) intervals.push_back(thread.interval_ns);
  if (!loops || *loops < 1 || *loops > kMostCycles) return;
  if (intervals.size() > 1 && !shared_value(intervals)) return;
  round.planned = *loops * static_cast<std::int64_t>(round.threads.size());
}

void note_partial(RunData& run) {
  const auto& rounds = run.latency.rounds;
  for (std::size_t index = 0; index < rounds.size(); ++index) {
    if (is_whole(rounds[index]) != false) continue;
    run.imported->notes.push_back("round " + std::to_string(index + 1) + " of " +
                                  std::to_string(rounds.size()) +
                                  " is partial: " + std::to_string(*rounds[index].figures.count) + " of " +
                                  std::to_string(*rounds[index].planned) + " wake-ups");
  }
}

/// As cyclictest prints it, on one line.
std::string line_of(const CyclictestThread& thread) {
  char line[256];
  std::snprintf(
      line, sizeof(line), "T:%2lld (%5lld) P:%2lld I:%lld C:%7lld Min:%7lld Act:%5lld Avg:%5lld Max:%8lld",
      static_cast<long long>(thread.index), static_cast<long long>(thread.id.value_or(0)),
      static_cast<long long>(thread.priority.value_or(0)),
      static_cast<long long>(thread.interval_us.value_or(0)),
      static_cast<long long>(thread.cycles.value_or(0)), static_cast<long long>(thread.min.value_or(0)),
      static_cast<long long>(thread.last.value_or(0)), static_cast<long long>(thread.average.value_or(0)),
      static_cast<long long>(thread.max.value_or(0)));
  return line;
}

std::vector<std::string> listing_of(const CyclictestListing& listing) {
  std::vector<std::string> lines;
  for (const auto& round : listing.rounds) {
    if (!round.load_average.empty()) lines.push_back("loadavg: " + round.load_average);
    for (const auto& thread : round.threads) {
      // Only a line has a thread's number; the footer of a histogram and JSON have none.
      if (thread.id) lines.push_back(line_of(thread));
    }
  }
  return lines;
}

void take_probe(const CyclictestListing& listing, const ListingFacts& facts, const std::string& source,
                RunData& run) {
  auto& probe = run.latency.probe;
  std::vector<OptionalNumber> intervals;
  std::vector<OptionalNumber> priorities;
  std::vector<OptionalNumber> threads;
  for (const auto& round : run.latency.rounds) {
    threads.emplace_back(static_cast<std::int64_t>(round.threads.size()));
    for (const auto& thread : round.threads) {
      intervals.push_back(thread.interval_ns);
      priorities.push_back(thread.priority ? OptionalNumber(*thread.priority) : std::nullopt);
    }
  }
  probe.threads = shared_value(threads);
  probe.interval_ns = shared_value(intervals);
  if (!probe.interval_ns) probe.interval_ns = fact_duration_ns(facts, "interval", source);
  probe.loops = fact_number(facts, "loops", source);
  if (!probe.loops) probe.loops = usual_cycles(listing.rounds);
  if (const auto priority = shared_value(priorities)) run.rt.priority = static_cast<int>(*priority);
}

}  // namespace

RunData run_of_cyclictest(const CyclictestListing& listing, const ListingFacts& facts,
                          const std::string& source) {
  ListingFacts known = facts;
  known.insert(listing.facts.begin(), listing.facts.end());
  const auto of_command = facts_of_cyclictest(fact_text(known, "cmdline"));
  known.insert(of_command.begin(), of_command.end());
  known.insert({{"program", "cyclictest"}});
  RunData run = run_of_facts(kLatencyKind, "cyclictest", known, source);
  const auto units = fact_text(known, "units");
  if (!units.empty() && units != "us" && units != "ns")
    throw Error(ExitCode::input_file, source + ": units: cyclictest has us or ns");
  const LatencyMaker maker(listing.nanoseconds || units == "ns" ? 1 : 1000, source);
  for (const auto& round : listing.rounds) run.latency.rounds.push_back(maker.round_of(round));
  take_probe(listing, known, source, run);
  std::vector<LatencyFigures> parts;
  for (std::size_t index = 0; index < run.latency.rounds.size(); ++index) {
    auto& round = run.latency.rounds[index];
    take_planned(run.latency.probe.loops, round);
    if (const auto& shown = listing.rounds[index].planned)
      round.planned = std::max(*shown, round.planned.value_or(0));
    parts.push_back(round.figures);
  }
  run.latency.all = together(parts);
  run.imported->listing = listing_of(listing);
  run.warnings = listing.warnings;
  note_partial(run);
  return run;
}

}  // namespace xrunlab
