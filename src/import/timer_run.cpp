#include <array>
#include <cstdio>

#include "imported_runs.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {
namespace {

constexpr std::array<const char*, 3> kTimerKeys{"ring_read", "pcm_write", "outside"};

/// "0.023219", as the listings have it: with nine decimals.
std::string in_seconds(std::int64_t ns) {
  char text[40];
  std::snprintf(text, sizeof(text), "%lld.%09lld", static_cast<long long>(ns / kNsPerSecond),
                static_cast<long long>(ns % kNsPerSecond));
  return text;
}

void add_listing(std::size_t timer, const TimerBlock& block, std::vector<std::string>& listing) {
  const auto add = [&listing](const char* name, const std::optional<std::int64_t>& value,
                              const std::string& text) {
    if (value) listing.push_back(std::string(name) + ": " + text);
  };
  const std::string bound = block.bound_ns ? " (" + in_seconds(*block.bound_ns) + " s)" : "";
  listing.push_back("Timer-" + std::to_string(timer + 1));
  add("Number of events", block.count, std::to_string(block.count.value_or(0)));
  add("Events over bound", block.over, std::to_string(block.over.value_or(0)) + bound);
  add("Events under bound", block.under, std::to_string(block.under.value_or(0)) + bound);
  add("Min duration in seconds", block.min_ns, in_seconds(block.min_ns.value_or(0)));
  add("Max duration in seconds", block.max_ns, in_seconds(block.max_ns.value_or(0)));
  add("Average duration in seconds", block.average_ns, in_seconds(block.average_ns.value_or(0)));
}

/// The sum is that of the average as printed, since a run file keeps the sum.
void take_block(const std::string& key, const TimerBlock& block, const std::string& source,
                SectionData& section, std::set<std::string, std::less<>>& stated) {
  const auto take = [&](const char* name, const std::optional<std::int64_t>& value, std::int64_t& member) {
    if (!value) return;
    member = *value;
    stated.insert("timers." + key + "." + name);
  };
  take("count", block.count, section.histogram.count);
  take("over", block.over, section.over);
  take("min_ns", block.min_ns, section.histogram.min_ns);
  take("max_ns", block.max_ns, section.histogram.max_ns);
  if (block.count && block.over) stated.insert("timers." + key + ".under");
  if (!block.count || !block.average_ns) return;
  if (__builtin_mul_overflow(*block.count, *block.average_ns, &section.histogram.sum_ns))
    throw Error(ExitCode::input_file, source + ": " + key + ": a number is too large");
  stated.insert({"timers." + key + ".sum_ns", "timers." + key + ".mean_ns"});
}

}  // namespace

RunData run_of_timers(const TimerListing& listing, const ListingFacts& facts, const std::string& source) {
  RunData run = run_of_facts("play", "three timers", facts, source);
  auto& timers = run.timers;
  const std::array<SectionData*, 3> sections{&timers.ring_read, &timers.pcm_write, &timers.outside};
  for (std::size_t timer = 0; timer < sections.size(); ++timer) {
    const auto& block = listing[timer];
    if (!block) continue;
    take_block(kTimerKeys[timer], *block, source, *sections[timer], run.imported->stated);
    add_listing(timer, *block, run.imported->listing);
    if (!block->bound_ns) continue;
    run.bound_ns = *block->bound_ns;
    run.imported->stated.insert("bound_ns");
  }
  return run;
}

}  // namespace xrunlab
