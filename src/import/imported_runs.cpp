#include "imported_runs.hpp"

#include <array>
#include <charconv>

#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/spec_text.hpp"
#include "xrunlab/model/byte_text.hpp"

namespace xrunlab {
namespace {

constexpr std::int64_t kMostFrames = std::int64_t{1} << 48;  // more is a slip of the pen

[[noreturn]] void refuse_fact(const std::string& source, std::string_view name, const std::string& value,
                              const std::string& wanted) {
  throw Error(ExitCode::input_file,
              source + ": " + std::string(name) + ": " + shown_bytes(value) + " is no " + wanted);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// Puts a number that a fact gives to its place in the run.
class FactNumbers {
 public:
  FactNumbers(RunData& run, const ListingFacts& facts, const std::string& source)
      : run_(run), facts_(facts), source_(source) {}

  void put(const char* fact, const char* path, auto& member) {
    const auto value = fact_number(facts_, fact, source_);
    if (!value) return;
    if (*value < 1 || *value > kMostFrames)
      refuse_fact(source_, fact, fact_text(facts_, fact), "such number");
    member = static_cast<std::remove_reference_t<decltype(member)>>(*value);
    run_.imported->stated.emplace(path);
  }

 private:
  RunData& run_;
  const ListingFacts& facts_;
  const std::string& source_;
};

void take_ring(RunData& run, const ListingFacts& facts, const std::string& source) {
  const auto text = fact_text(facts, "ring");
  if (text.empty()) return;
  run.imported->stated.emplace("ring.used");
  run.ring.used = text != "none";
  if (run.ring.used) FactNumbers(run, facts, source).put("ring", "ring.frames", run.ring.frames);
}

void take_words(RunData& run, const ListingFacts& facts) {
  run.tool = {.name = fact_text(facts, "program"), .version = fact_text(facts, "version"), .compiler = {}};
  run.start = fact_text(facts, "start");
  run.end = fact_text(facts, "end");
  run.load = fact_text(facts, "load");
  run.system.host = fact_text(facts, "host");
  run.system.kernel = fact_text(facts, "kernel");
  run.system.preempt = fact_text(facts, "preempt");
  run.system.cpu_model = fact_text(facts, "cpu");
  run.device.name = fact_text(facts, "card");
  run.rt.policy = fact_text(facts, "policy");
  run.latency.probe.clock = fact_text(facts, "clock");
  const auto cmdline = fact_text(facts, "cmdline");
  if (const auto words = cut_words(cmdline)) run.cmdline.assign(words->begin(), words->end());
}

}  // namespace

std::string fact_text(const ListingFacts& facts, std::string_view name) {
  const auto found = facts.find(name);
  return found == facts.end() ? std::string() : found->second;
}

std::optional<std::int64_t> fact_number(const ListingFacts& facts, std::string_view name,
                                        const std::string& source) {
  const auto text = fact_text(facts, name);
  if (text.empty()) return std::nullopt;
  TextCursor cursor(text);
  const auto value = cursor.take_whole();
  if (!value || !cursor.rest().empty()) refuse_fact(source, name, text, "whole number");
  return value;
}

std::optional<std::int64_t> fact_duration_ns(const ListingFacts& facts, std::string_view name,
                                             const std::string& source) {
  struct Unit {
    std::string_view name;
    double ns;
  };
  static constexpr std::array<Unit, 4> kUnits{{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  const auto text = fact_text(facts, name);
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto unit = trimmed_line({rest, static_cast<std::size_t>(text.data() + text.size() - rest)});
  for (const auto& [unit_name, ns] : kUnits) {
    if (error == std::errc{} && unit == unit_name && value >= 0 && value * ns < 1e18)
      return static_cast<std::int64_t>(value * ns + 0.5);
  }
  refuse_fact(source, name, text, "time with a unit, as 10ms");
}

RunData run_of_facts(const std::string& kind, const std::string& format, const ListingFacts& facts,
                     const std::string& source) {
  RunData run;
  run.kind = kind;
  run.complete = true;
  run.imported = ImportInfo{.format = format,
                            .title = fact_text(facts, "title"),
                            .origin = fact_text(facts, "origin"),
                            .date = fact_text(facts, "date"),
                            .machine = fact_text(facts, "machine"),
                            .notes = lines_of(fact_text(facts, "note")),
                            .listing = {},
                            .stated = {"complete"}};
  take_words(run, facts);
  FactNumbers numbers(run, facts, source);
  numbers.put("rate", "device.rate_hz", run.device.rate_hz);
  numbers.put("channels", "device.channels", run.device.channels);
  numbers.put("fragment", "device.fragment_frames", run.device.fragment_frames);
  numbers.put("period", "device.period_frames", run.device.period_frames);
  if (const auto priority = fact_number(facts, "priority", source)) {
    if (*priority < 0 || *priority > 99)
      refuse_fact(source, "priority", fact_text(facts, "priority"), "priority");
    run.rt.priority = static_cast<int>(*priority);
  }
  take_ring(run, facts, source);
  return run;
}

RunData run_of_peak(const ListingFacts& facts, const std::string& source) {
  RunData run = run_of_facts(kLatencyKind, "figures", facts, source);
  run.latency.all.max_ns = fact_duration_ns(facts, "peak", source);
  run.latency.probe.interval_ns = fact_duration_ns(facts, "interval", source);
  run.imported->listing.push_back("peak " + fact_text(facts, "peak"));
  return run;
}

}  // namespace xrunlab
