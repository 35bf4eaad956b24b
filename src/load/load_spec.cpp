#include "xrunlab/load/load_spec.hpp"

#include <algorithm>
#include <array>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/spec_text.hpp"

namespace xrunlab {
namespace {

constexpr Bytes kMiB = Bytes{1} << 20;
constexpr Bytes kFileBytes = 1024 * kMiB;
constexpr Bytes kBinaryBytes = 64 * kMiB;
constexpr Bytes kMemoryBytes = 64 * kMiB;
constexpr Bytes kBlockBytes = kMiB / 4;
constexpr Bytes kMostBlockBytes = 16 * kMiB;
constexpr Bytes kMostBytes = Bytes{1} << 44;
constexpr std::int64_t kMostJobs = 1024;
constexpr std::int64_t kMostTracks = 10'000;
constexpr std::int64_t kMostPeriod = 8192;  // of jackd, frames
constexpr double kMostBurn = 100;           // periods, as of xrunlab jack
// Of a slow load: else its rate would come in bursts that are seconds apart.
constexpr std::int64_t kBlocksPerSecond = 10;

struct Kind {
  std::string_view name;
  LoadKind kind;
  std::string_view subject;  ///< what stands behind the colon; in brackets: it may be left out
  std::vector<std::string_view> keys;
  std::string_view example;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> table{
      {"read", LoadKind::read, "DIR", {"rate", "bs", "jobs", "size"}, "read:/mnt,rate=20MB"},
      {"write", LoadKind::write, "DIR", {"fsync", "rate", "bs", "jobs", "size"}, "write:/mnt,fsync"},
      {"cpu", LoadKind::cpu, "N", {"share"}, "cpu:2,share=0.5"},
      {"fault", LoadKind::fault, "N", {"size"}, "fault:2,size=256MiB"},
      {"exec", LoadKind::exec, "[DIR]", {"size"}, "exec:/mnt"},
      {"record", LoadKind::record, "DIR", {"tracks", "set", "size"}, "record:/mnt,tracks=8"},
      {"jack",
       LoadKind::jack,
       "",
       {"clients", "ports", "period", "topology", "burn", "server"},
       "jack:clients=20,ports=4"},
      {"fio", LoadKind::fio, "JOBFILE", {}, "fio:job.fio"},
      {"stress-ng", LoadKind::stress_ng, "'ARGS'", {}, "stress-ng:'--vm 2'"},
  };
  return table;
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

[[noreturn]] void refuse(std::string_view option, const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::usage, std::string(option) + " " + what, remedy);
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (index > 0) text += index + 1 == names.size() ? " and " : ", ";
    text += names[index];
  }
  return text;
}

const Kind& kind_named(std::string_view option, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& kind : kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  refuse(option, quoted(name) + ": there is no such load",
         "the kinds are " + listed(names) + ", as in read:/mnt");
}

Bytes parse_size(const std::string& key, std::string_view value, Bytes least, Bytes most) {
  const Bytes bytes = parse_bytes(key, value);
  if (bytes < least || bytes > most) {
    throw Error(ExitCode::usage, key + ": " + quoted(value) + " is not from " + std::to_string(least) +
                                     " to " + std::to_string(most) + " bytes");
  }
  return bytes;
}

SetSpec parse_track(const std::string& key, std::string_view value) {
  try {
    return parse_set(value);
  } catch (const Error& error) {
    const std::string what = error.what();
    throw Error(ExitCode::usage, key + what.substr(what.find(':')), error.remedy());
  }
}

/// "20MB/s" is 20MB.
std::string_view without_per_second(std::string_view value) {
  if (value.ends_with("/s")) value.remove_suffix(2);
  return value;
}

void set_graph_value(GraphRequest& graph, const std::string& key, std::string_view name,
                     std::string_view value) {
  if (name == "clients") {
    graph.clients = static_cast<int>(parse_integer(key, value, 1, kMostJobs));
  } else if (name == "ports") {
    graph.ports = static_cast<int>(parse_integer(key, value, 0, kMostJobs));
  } else if (name == "period") {
    graph.period = parse_integer(key, value, 1, kMostPeriod);
  } else if (name == "topology") {
    graph.topology = parse_jack_topology(key, value);
  } else if (name == "burn") {
    graph.burn_share = parse_share(key, value, kMostBurn);
  } else if (name == "server") {
    graph.server = parse_jack_server(key, value);
  }
}

void set_value(LoadSpec& spec, const std::string& key, std::string_view name, std::string_view value) {
  if (spec.kind == LoadKind::jack) return set_graph_value(spec.graph, key, name, value);
  if (name == "rate") {
    spec.rate = parse_size(key, without_per_second(value), 1, kMostBytes);
  } else if (name == "bs") {
    spec.block = parse_size(key, value, kPageBytes, kMostBlockBytes);
    if (spec.block % kPageBytes != 0) {
      throw Error(ExitCode::usage, key + ": " + quoted(value) + " is no multiple of 4KiB");
    }
  } else if (name == "jobs") {
    spec.jobs = static_cast<int>(parse_integer(key, value, 1, kMostJobs));
  } else if (name == "size") {
    spec.size = parse_size(key, value, kMiB, kMostBytes);
  } else if (name == "share") {
    spec.share = parse_share(key, value);
    if (spec.share == 0) {
      throw Error(ExitCode::usage, key + ": '0' is no share of a CPU", "write 0.5 or 50%");
    }
    spec.share_asked = true;
  } else if (name == "tracks") {
    spec.tracks = static_cast<int>(parse_integer(key, value, 1, kMostTracks));
  } else if (name == "set") {
    spec.track = parse_track(key, value);
  }
}

void set_item(std::string_view option, const Kind& kind, const SpecItem& item, LoadSpec& spec) {
  const std::string name(kind.name);
  if (std::find(kind.keys.begin(), kind.keys.end(), item.key) == kind.keys.end()) {
    refuse(option, name + ": it has no key " + quoted(item.key),
           kind.keys.empty() ? "write it as " + std::string(kind.example)
                             : "it takes " + listed(kind.keys) + ", as in " + std::string(kind.example));
  }
  const std::string key = std::string(option) + " " + name + ", " + std::string(item.key);
  if (item.key == "fsync") {
    if (item.value) throw Error(ExitCode::usage, key + ": it takes no value", "write ,fsync or leave it out");
    spec.sync = LoadSync::each_write;
    return;
  }
  if (!item.value || item.value->empty()) {
    throw Error(ExitCode::usage, key + ": it has no value", "write it as in " + std::string(kind.example));
  }
  set_value(spec, key, item.key, *item.value);
}

Bytes default_block(const LoadSpec& spec) {
  if (!spec.rate) return kBlockBytes;
  return std::clamp(round_down(*spec.rate / kBlocksPerSecond, kPageBytes), kPageBytes, kBlockBytes);
}

void set_defaults(LoadSpec& spec) {
  const bool has_file =
      spec.kind == LoadKind::read || spec.kind == LoadKind::write || spec.kind == LoadKind::record;
  if (spec.block == 0) spec.block = default_block(spec);
  if (spec.size == 0)
    spec.size = has_file ? kFileBytes : spec.kind == LoadKind::exec ? kBinaryBytes : kMemoryBytes;
}

void set_subject(std::string_view option, const Kind& kind, const SpecText& text, LoadSpec& spec) {
  const std::string name(kind.name);
  if (kind.kind == LoadKind::jack) {
    if (!text.subject.empty()) {
      refuse(option, name + ": " + quoted(text.subject) + " is no key",
             "write it as in " + std::string(kind.example));
    }
    return;
  }
  if (text.subject.empty() && kind.kind != LoadKind::exec) {
    refuse(option, name + ": it has no " + std::string(kind.subject),
           "write it as in " + std::string(kind.example));
  }
  if (kind.kind == LoadKind::cpu || kind.kind == LoadKind::fault) {
    spec.jobs = static_cast<int>(parse_integer(std::string(option) + " " + name, text.subject, 1, kMostJobs));
  } else {
    spec.path = text.subject.empty() ? "." : text.subject;
  }
}

void set_program(std::string_view option, const Kind& kind, const SpecText& text, LoadSpec& spec) {
  const auto words = cut_words(text.rest);
  if (text.rest.empty() || !words || words->empty()) {
    refuse(option,
           std::string(kind.name) + ": " +
               (words ? "it has no " + std::string(kind.subject) : "a quotation mark is not closed"),
           "write it as in " + std::string(kind.example));
  }
  if (kind.kind == LoadKind::fio) {
    spec.path = text.rest;
  } else {
    spec.arguments.assign(words->begin(), words->end());
  }
}

}  // namespace

std::string_view to_string(LoadKind kind) noexcept {
  return kinds()[static_cast<std::size_t>(kind)].name;
}

LoadSpec parse_load_spec(std::string_view option, std::string_view text) {
  const SpecText parts = cut_spec(text);
  const Kind& kind = kind_named(option, parts.kind);
  LoadSpec spec;
  spec.kind = kind.kind;
  spec.text = text;
  if (!is_own(spec.kind)) {
    set_program(option, kind, parts, spec);
    return spec;
  }
  set_subject(option, kind, parts, spec);
  for (const auto& item : parts.items) set_item(option, kind, item, spec);
  if (spec.kind == LoadKind::record && spec.tracks == 0) {
    refuse(option, "record: it has no tracks", "write it as in " + std::string(kind.example));
  }
  if (spec.kind == LoadKind::jack) check_graph(spec.graph);
  set_defaults(spec);
  return spec;
}

LoadSpec with_track(LoadSpec spec, SampleRate rate, SampleFormat format, int channels) {
  if (spec.kind != LoadKind::record || spec.track) return spec;
  const int bits = significant_bits(format);
  const std::string width = is_float(format) ? "f"
                                             : std::to_string(bits <= 8    ? 8
                                                              : bits <= 16 ? 16
                                                              : bits <= 24 ? 24
                                                                           : 32);
  const std::string set = std::to_string(rate.hz) + "/" + width + "/" + std::to_string(channels);
  spec.track = parse_set(set);
  spec.text += ",set=" + set;
  return spec;
}

std::optional<double> asked_bytes_per_s(const LoadSpec& spec) {
  if (spec.rate) return static_cast<double>(*spec.rate);
  if (spec.kind != LoadKind::record || !spec.track) return std::nullopt;
  return static_cast<double>(spec.track->rate.hz) * bytes_per_sample(spec.track->format) *
         spec.track->channels * spec.tracks;
}

std::optional<double> asked_cpus(const LoadSpec& spec) {
  if (!spec.share_asked) return std::nullopt;
  return spec.share * spec.jobs;
}

bool is_own(LoadKind kind) noexcept {
  return kind != LoadKind::fio && kind != LoadKind::stress_ng;
}

}  // namespace xrunlab
