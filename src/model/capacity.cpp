#include "xrunlab/model/capacity.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/model/byte_text.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* kCapacitySchema = "xrunlab/capacity/1";

/// The key of what is searched for: frames carry their unit, tracks are a count.
std::string capacity_key(CapacityBy by) {
  return by == CapacityBy::tracks ? "tracks" : std::string(to_string(by)) + "_frames";
}

OrderedJson step_value(const std::optional<CapacityStep>& step) {
  return step ? OrderedJson(step->value) : OrderedJson(nullptr);
}

OrderedJson finite_or_null(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

OrderedJson capacity_object(const CapacityTrial& trial, CapacityBy by) {
  return {{capacity_key(by), trial.value},
          {"verdict", to_string(trial.verdict)},
          {"verdict_line", escape_bytes(trial.verdict_line)},
          {"headroom", trial.headroom ? finite_or_null(*trial.headroom) : OrderedJson(nullptr)},
          {"ring_needed_frames",
           trial.ring_needed_frames ? OrderedJson(*trial.ring_needed_frames) : OrderedJson(nullptr)},
          {"dropouts", trial.dropouts},
          {"run_file",
           trial.run_file.empty() ? OrderedJson(nullptr) : OrderedJson(escape_bytes(trial.run_file))}};
}

OrderedJson capacity_object(const UnpacedReading& unpaced) {
  return {{"tracks", unpaced.tracks},
          {"bytes_per_s", finite_or_null(unpaced.bytes_per_s)},
          {"worth_tracks", finite_or_null(unpaced.worth_tracks)},
          {"run_file",
           unpaced.run_file.empty() ? OrderedJson(nullptr) : OrderedJson(escape_bytes(unpaced.run_file))}};
}

OrderedJson capacity_object(const SystemInfo& system) {
  return {{"host", system.host},
          {"kernel", system.kernel},
          {"preempt", system.preempt},
          {"cpu_model", system.cpu_model},
          {"cpus", system.cpus ? OrderedJson(*system.cpus) : OrderedJson(nullptr)},
          {"governor", system.governor},
          {"memory_bytes", system.memory_bytes ? OrderedJson(*system.memory_bytes) : OrderedJson(nullptr)},
          {"virt", system.virt}};
}

/// What was found; the keys of the answer are named after what was searched for.
OrderedJson capacity_found(const CapacityData& capacity) {
  const std::string key = capacity_key(capacity.by);
  OrderedJson json;
  json["by"] = to_string(capacity.by);
  json["complete"] = capacity.complete;
  json["set"] = capacity.set;
  json["rate_hz"] = capacity.rate_hz;
  if (capacity.by != CapacityBy::tracks) json["tracks"] = capacity.tracks;
  if (capacity.by != CapacityBy::ring) json["ring_frames"] = capacity.ring_frames;
  if (capacity.by != CapacityBy::fragment) json["fragment_frames"] = capacity.fragment_frames;
  json["trial_ns"] = capacity.trial_ns;
  json[key] = step_value(capacity.answer);
  json[key + "_comfortable"] = step_value(capacity.comfortable);
  json["first_failing"] = step_value(capacity.first_failing);
  json["passes"] = capacity.answer ? capacity.answer->passes : 0;
  json["confirmations"] = capacity.answer ? capacity.answer->trials : 0;
  json["pass_rate_low"] =
      capacity.pass_rate_low ? OrderedJson(*capacity.pass_rate_low) : OrderedJson(nullptr);
  json["limit"] = {{"resource", capacity.limit.resource},
                   {"evidence", escape_bytes(capacity.limit.evidence)}};
  json["unpaced"] = capacity.unpaced ? capacity_object(*capacity.unpaced) : OrderedJson(nullptr);
  json["line"] = escape_bytes(capacity_line(capacity));
  json["trials"] = OrderedJson::array();
  for (const auto& trial : capacity.trials) json["trials"].push_back(capacity_object(trial, capacity.by));
  json["took_ns"] = capacity.took_ns;
  json["written_bytes"] = capacity.written_bytes;
  json["warnings"] = OrderedJson::array();
  for (const auto& warning : capacity.warnings) json["warnings"].push_back(escape_bytes(warning));
  return json;
}

OrderedJson capacity_head(const CapacityData& capacity) {
  OrderedJson json;
  json["schema"] = kCapacitySchema;
  json["kind"] = "capacity";
  json["tool"] = {
      {"name", capacity.tool.name}, {"version", capacity.tool.version}, {"compiler", capacity.tool.compiler}};
  json["cmdline"] = OrderedJson::array();
  for (const auto& word : capacity.cmdline) json["cmdline"].push_back(escape_bytes(word));
  json["start"] = capacity.start;
  json["directory"] = escape_bytes(capacity.directory);
  json["system"] = capacity_object(capacity.system);
  return json;
}

std::string capacity_step_text(const CapacityData& capacity, std::int64_t value) {
  switch (capacity.by) {
    case CapacityBy::tracks:
      return std::to_string(value);
    case CapacityBy::fragment:
      return std::to_string(value) + " frames";
    case CapacityBy::ring:
      break;
  }
  if (capacity.rate_hz <= 0) return std::to_string(value) + " frames";
  const SampleRate rate{static_cast<std::uint32_t>(capacity.rate_hz)};
  return spoken_duration(frames_to_duration(value, rate).count());
}

std::string why_no_step_fails(const CapacityData& capacity) {
  const bool by_tracks = capacity.by == CapacityBy::tracks;
  if (capacity.limit.resource == kSystemLimit)
    return by_tracks ? "more cannot be played" : "a smaller one cannot be played";
  return by_tracks ? "no more than that was tried" : "no smaller one was tried";
}

}  // namespace

std::string_view to_string(CapacityBy by) noexcept {
  switch (by) {
    case CapacityBy::tracks:
      return "tracks";
    case CapacityBy::ring:
      return "ring";
    case CapacityBy::fragment:
      break;
  }
  return "fragment";
}

std::string to_json(const CapacityData& capacity) {
  OrderedJson json = capacity_head(capacity);
  json.update(capacity_found(capacity));
  return json.dump(1) + "\n";
}

std::string to_json(const std::vector<CapacityData>& table, std::size_t searches) {
  OrderedJson json = table.empty() ? OrderedJson::object() : capacity_head(table.front());
  json["complete"] = table.size() == searches &&
                     std::all_of(table.begin(), table.end(), [](const auto& cell) { return cell.complete; });
  json["searches"] = searches;
  json["table"] = OrderedJson::array();
  for (const auto& cell : table) json["table"].push_back(capacity_found(cell));
  return json.dump(1) + "\n";
}

std::string capacity_line(const CapacityData& capacity) {
  std::string line = capacity.by == CapacityBy::tracks ? "N" : std::string(to_string(capacity.by));
  const std::string undecided = "not decided: " + capacity.limit.evidence;
  if (!capacity.answer && !capacity.complete) return line + " " + undecided;
  if (const auto& answer = capacity.answer) {
    line += " = " + capacity_step_text(capacity, answer->value) + ": " + std::to_string(answer->passes) +
            " of " + std::to_string(answer->trials) + " × " + spoken_duration(capacity.trial_ns);
    if (capacity.pass_rate_low)
      line += " (pass rate ≥ " + fixed(*capacity.pass_rate_low * 100, 0) + " %, 95 %)";
    line += "; ";
  } else {
    line += " = none: ";
  }
  if (!capacity.complete) return line + undecided;
  if (const auto& failing = capacity.first_failing) {
    return line + capacity_step_text(capacity, failing->value) + " fails: " + capacity.limit.evidence;
  }
  return line + why_no_step_fails(capacity) + ": " + capacity.limit.evidence;
}

}  // namespace xrunlab
