#include "xrunlab/experiment/run_keys.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

using StringSet = std::set<std::string, std::less<>>;

/// A fact that is no obstacle: it says where or when, not how.
enum class FactRole { confounder, description };

struct FactRow {
  const char* key;
  FactRole role;
  std::string (*of)(const RunData&);
};

/// Each value once, in order.
std::string distinct_text(const RunData& run, std::string (*of)(const InputInfo&)) {
  StringSet values;
  for (const auto& input : run.inputs) values.insert(of(input));
  values.erase("");
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : " + ") + value;
  return text;
}

std::string set_text(const RunData& run) {
  if (run.inputs.empty()) return {};
  const auto one = [](const InputInfo& input) {
    return input.container + " " + input.format + " " + std::to_string(input.channels) + " ch " +
           std::to_string(input.rate_hz) + " Hz " + std::to_string(input.frames) + " frames";
  };
  return counted(static_cast<std::int64_t>(run.inputs.size()), "file") + ", " + distinct_text(run, one);
}

std::string rt_text(const RunData& run) {
  if (run.rt.policy.empty()) return {};
  const int priority = run.rt.priority.value_or(0);
  return priority > 0 ? run.rt.policy + " " + std::to_string(priority) : run.rt.policy;
}

std::string memory_text(const RunData& run) {
  return run.system.memory_bytes ? binary_bytes(*run.system.memory_bytes) : std::string();
}

std::string frames_text(std::int64_t frames) {
  return frames > 0 ? std::to_string(frames) : std::string();
}

std::string direct_text(const RunData& run) {
  if (run.io.engine.empty()) return {};
  return run.io.direct ? "yes" : "no";
}

std::string interval_text(const RunData& run) {
  const auto& interval = run.latency.probe.interval_ns;
  return interval ? short_duration(*interval) : std::string();
}

/// As typed, or that each thread has a CPU of its own (-t all).
std::string affinity_text(const RunData& run) {
  const auto& latency = run.latency;
  if (!latency.probe.affinity.empty() || latency.rounds.empty()) return latency.probe.affinity;
  const auto& threads = latency.rounds.front().threads;
  const bool bound = !threads.empty() && std::all_of(threads.begin(), threads.end(), [](const auto& thread) {
    return thread.cpu.has_value();
  });
  return bound ? "one CPU each" : "";
}

/// Of the interval of a latency run, of the period of a JACK run.
std::string burn_text(const RunData& run) {
  double share = run.latency.probe.burn_share.value_or(0);
  if (run.jack) share = run.jack->burn_share;
  return share > 0 ? three_digits(share * 100) + "%" : std::string();
}

std::string dma_text(const RunData& run) {
  return run.rt.dma_latency_us ? std::to_string(*run.rt.dma_latency_us) + " us" : std::string();
}

constexpr auto kConfounder = FactRole::confounder;
constexpr auto kDescription = FactRole::description;
using FactRun = const RunData&;

std::vector<FactRow> system_facts() {
  return {
      {"kernel", kConfounder, [](FactRun run) { return run.system.kernel; }},
      {"preempt", kConfounder, [](FactRun run) { return run.system.preempt; }},
      {"cmdline", kConfounder, [](FactRun run) { return run.system.cmdline; }},
      {"mitigations", kConfounder, [](FactRun run) { return run.system.mitigations; }},
      {"clocksource", kConfounder, [](FactRun run) { return run.system.clocksource; }},
      {"machine", kConfounder, [](FactRun run) { return run.system.host; }},
      {"cpu", kDescription, [](FactRun run) { return run.system.cpu_model; }},
      {"cpus", kConfounder, [](FactRun run) { return run.system.cpus_allowed; }},
      {"memory", kDescription, [](FactRun run) { return memory_text(run); }},
      {"virt", kDescription, [](FactRun run) { return run.system.virt; }},
      {"governor", kConfounder, [](FactRun run) { return run.system.governor; }},
      {"boot", kDescription, [](FactRun run) { return run.system.boot_id; }},
  };
}

std::vector<FactRow> stream_facts() {
  return {
      {"set", kConfounder, set_text},
      {"tracks", kDescription,
       [](FactRun run) { return frames_text(static_cast<std::int64_t>(run.inputs.size())); }},
      {"filesystem", kConfounder,
       [](FactRun run) {
         return distinct_text(run, [](const InputInfo& input) { return input.filesystem; });
       }},
      {"block-device", kConfounder,
       [](FactRun run) {
         return distinct_text(run, [](const InputInfo& input) { return input.block_device; });
       }},
      {"scheduler", kConfounder,
       [](FactRun run) {
         return distinct_text(run, [](const InputInfo& input) { return input.io_scheduler; });
       }},
      {"device", kConfounder, [](FactRun run) { return run.device.name; }},
      {"format", kConfounder, [](FactRun run) { return run.device.format; }},
      {"rate", kConfounder, [](FactRun run) { return frames_text(run.device.rate_hz); }},
      {"channels", kConfounder, [](FactRun run) { return frames_text(run.device.channels); }},
      {"period-size", kConfounder, [](FactRun run) { return frames_text(run.device.period_frames); }},
      {"buffer-size", kConfounder, [](FactRun run) { return frames_text(run.device.buffer_frames); }},
      {"fragment", kConfounder, [](FactRun run) { return frames_text(run.device.fragment_frames); }},
      {"engine", kConfounder, [](FactRun run) { return run.io.engine; }},
      {"direct", kConfounder, direct_text},
      {"io-size", kConfounder, [](FactRun run) { return frames_text(run.io.io_size_bytes); }},
      {"queue-depth", kConfounder, [](FactRun run) { return frames_text(run.io.queue_depth); }},
      {"cache", kConfounder, [](FactRun run) { return run.io.cache; }},
      {"io-priority", kConfounder, [](FactRun run) { return run.io.io_priority; }},
      {"ring", kConfounder,
       [](FactRun run) { return run.ring.used ? frames_text(run.ring.frames) : std::string("none"); }},
      {"rt", kConfounder, rt_text},
      {"mlock", kConfounder, [](FactRun run) { return run.rt.mlock; }},
      {"dma-latency", kConfounder, dma_text},
  };
}

std::vector<FactRow> probe_facts() {
  return {
      {"load", kConfounder, [](FactRun run) { return run.load; }},
      {"version", kConfounder, [](FactRun run) { return run.tool.version; }},
      {"title", kDescription, [](FactRun run) { return run.imported ? run.imported->title : std::string(); }},
      {"clock", kConfounder, [](FactRun run) { return run.latency.probe.clock; }},
      {"interval", kConfounder, [](FactRun run) { return interval_text(run); }},
      {"threads", kConfounder,
       [](FactRun run) { return frames_text(run.latency.probe.threads.value_or(0)); }},
      {"affinity", kConfounder, affinity_text},
      {"clients", kConfounder, [](FactRun run) { return run.jack ? frames_text(run.jack->clients) : ""; }},
      {"ports", kConfounder, [](FactRun run) { return run.jack ? frames_text(run.jack->ports) : ""; }},
      {"topology", kConfounder, [](FactRun run) { return run.jack ? run.jack->topology : std::string(); }},
      {"server", kConfounder, [](FactRun run) { return run.jack ? run.jack->server : std::string(); }},
      {"burn", kConfounder, burn_text},
  };
}

const std::vector<FactRow>& fact_rows() {
  static const std::vector<FactRow> rows = [] {
    auto all = system_facts();
    for (auto* const more : {stream_facts, probe_facts}) {
      for (const auto& row : more()) all.push_back(row);
    }
    return all;
  }();
  return rows;
}

/// No fact of a run file, but of a group.
constexpr const char* kRunLength = "run length";

const StringSet& boot_facts() {
  static const StringSet facts{"kernel", "preempt", "cmdline", "mitigations", "clocksource"};
  return facts;
}

/// What differs as a matter of course, by what was varied.
const std::map<std::string, StringSet, std::less<>>& consequences() {
  static const StringSet sizes{"format", "rate", "channels", "period-size", "buffer-size", "fragment"};
  static const StringSet storage{"filesystem", "block-device", "scheduler"};
  static const std::map<std::string, StringSet, std::less<>> table{
      {"machine",
       {"kernel", "preempt", "cmdline", "mitigations", "clocksource", "cpu", "cpus", "memory", "virt",
        "governor", "boot", "filesystem", "block-device", "scheduler"}},
      {"block-device", storage},
      {"filesystem", storage},
      {"in", storage},
      {"device", sizes},
      {"period-size", {"buffer-size", "fragment"}},
      {"periods", {"buffer-size"}},
      {"tracks", {"set", "ring", "io-size"}},
      {"set",
       {"tracks", "ring", "io-size", "format", "rate", "channels", "period-size", "buffer-size", "fragment"}},
      {"rate", {"set"}},
      {"duration", {kRunLength}},
      {"ring", {"io-size"}},
      {"io-size", {"ring"}},
      {"no-ring", {"ring", "engine", "io-size", "queue-depth", "direct"}},
      {"io", {"engine", "direct", "queue-depth", "io-size"}},
      {"engine", {"direct", "queue-depth", "io-size"}},
      {"direct", {"io-size", "ring"}},
      {"priority", {"rt"}},
      {"no-rt", {"rt"}},
      {"no-mlock", {"mlock"}},
      {"affinity", {"cpus"}},
  };
  return table;
}

/// "--io_size" is "io-size".
std::string normal_key(std::string_view key) {
  const auto start = std::min(key.find_first_not_of('-'), key.size());
  std::string normal(key.substr(start));
  std::replace(normal.begin(), normal.end(), '_', '-');
  return normal;
}

}  // namespace

std::vector<std::string> fact_keys() {
  std::vector<std::string> keys;
  for (const auto& row : fact_rows()) keys.emplace_back(row.key);
  keys.emplace_back("directory");
  keys.emplace_back("file");
  return keys;
}

bool same_key(std::string_view left, std::string_view right) {
  return normal_key(left) == normal_key(right);
}

KeyValues facts_of(const RunData& run, const std::string& file, const std::string& directory) {
  KeyValues facts;
  for (const auto& row : fact_rows()) {
    auto value = row.of(run);
    facts.emplace_back(row.key, value.empty() ? "-" : std::move(value));
  }
  facts.emplace_back("directory", directory);
  facts.emplace_back("file", file);
  return facts;
}

bool follows_from(std::string_view fact, std::string_view setting) {
  const std::string key = normal_key(setting);
  if (fact == key) return true;
  if (boot_facts().contains(key)) return fact == "boot" || boot_facts().contains(fact);
  const auto found = consequences().find(key);
  return found != consequences().end() && found->second.contains(fact);
}

bool confounds(std::string_view fact) {
  const auto& rows = fact_rows();
  return std::any_of(rows.begin(), rows.end(), [fact](const FactRow& row) {
    return row.role == FactRole::confounder && fact == row.key;
  });
}

bool changes_by_boot(std::string_view fact) {
  return boot_facts().contains(fact);
}

}  // namespace xrunlab
