#include "xrunlab/model/run_json.hpp"

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "experiment_fields.hpp"
#include "jack_fields.hpp"
#include "load_fields.hpp"
#include "run_fields.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/model/byte_text.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr std::array kVerdicts{Verdict::pass,       Verdict::marginal,   Verdict::fail,
                               Verdict::no_verdict, Verdict::throughput, Verdict::measured};

/// Turns described parts into JSON objects.
class Writer {
 public:
  void field(const char* key, const auto& value) { object_[key] = written(value); }
  void field_or_null(const char* key, const auto& value, bool applies) {
    object_[key] = applies ? written(value) : OrderedJson(nullptr);
  }
  void derived(const char* key, const auto& compute) { object_[key] = written(compute()); }
  OrderedJson take() { return std::move(object_); }

 private:
  static OrderedJson written(bool value) { return value; }
  static OrderedJson written(const std::integral auto& value) { return value; }
  static OrderedJson written(double value) { return std::isfinite(value) ? value : 0.0; }
  static OrderedJson written(const std::string& value) { return escape_bytes(value); }
  static OrderedJson written(Verdict value) { return std::string(to_string(value)); }
  static OrderedJson written(const HistogramBucket& bucket) {
    return OrderedJson::array({bucket.low_ns, bucket.high_ns, bucket.count});
  }
  static OrderedJson written(const std::map<std::string, std::int64_t>& values) {
    return OrderedJson(values);
  }
  template <class T>
  static OrderedJson written(const std::optional<T>& value) {
    return value ? written(*value) : OrderedJson(nullptr);
  }
  template <class T>
  static OrderedJson written(const std::vector<T>& values) {
    auto list = OrderedJson::array();
    for (const auto& value : values) list.push_back(written(value));
    return list;
  }
  static OrderedJson written(const auto& part) {
    Writer writer;
    describe(writer, part);
    return writer.take();
  }

  OrderedJson object_ = OrderedJson::object();
};

/// Numbers of which no histogram consists: percentiles could not be computed from them.
bool contradicts_itself(const HistogramData& histogram) {
  std::int64_t left = histogram.count;
  for (const auto& bucket : histogram.buckets) {
    if (bucket.count < 0 || bucket.count > left || bucket.low_ns > bucket.high_ns) return true;
    left -= bucket.count;
  }
  return left < 0 || histogram.overflow < 0 || histogram.min_ns > histogram.max_ns;
}
bool contradicts_itself(const SectionData& section) {
  return contradicts_itself(section.histogram) || section.over < 0 || section.over > section.histogram.count;
}
bool contradicts_itself(const LatencyFigures& figures) {
  return contradict_each_other(figures);
}
bool contradicts_itself(const LatencyThread& thread) {
  return contradict_each_other(thread.figures);
}
bool contradicts_itself(const LatencyRound& round) {
  return contradict_each_other(round.figures);
}
bool contradicts_itself(const LatencyData& latency) {
  return contradict_each_other(latency.all);
}
bool contradicts_itself(const auto&) {
  return false;
}

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

/// Fills described parts from a JSON object; `where` is the dotted path of that object, for messages.
class Reader {
 public:
  Reader(const Json& object, const std::string& source, std::string where)
      : object_(object), source_(source), where_(std::move(where)) {
    if (!object.is_object()) refuse(where_, "expected an object");
  }

  template <class T>
  void field(const char* key, T& value) {
    const std::string path = where_.empty() ? key : where_ + "." + key;
    const auto found = object_.find(key);
    if (found != object_.end()) {
      read(*found, path, value);
    } else if constexpr (!kIsOptional<T>) {
      refuse(path, "is missing");
    }
  }
  template <class T>
  void field_or_null(const char* key, T& value, bool) {
    const auto found = object_.find(key);
    value = T{};
    if (found == object_.end() || !found->is_null()) field(key, value);
  }
  void derived(const char*, const auto&) {}

 private:
  [[noreturn]] void refuse(const std::string& path, const std::string& expected) const {
    throw Error(ExitCode::input_file, source_ + ": " + (path.empty() ? "the file" : path) + ": " + expected,
                "is it a run file of xrunlab (" + std::string(kRunSchema) + ")?");
  }

  void read(const Json& json, const std::string& path, bool& value) {
    if (!json.is_boolean()) refuse(path, "expected true or false");
    value = json.get<bool>();
  }
  template <std::signed_integral T>
  void read(const Json& json, const std::string& path, T& value) {
    using Limits = std::numeric_limits<T>;
    const bool whole = json.is_number_integer();
    const bool above = json.is_number_unsigned() && json.get<std::uint64_t>() > std::uint64_t{Limits::max()};
    if (!whole || above || json.get<std::int64_t>() < Limits::min()) refuse(path, "expected a whole number");
    value = json.get<T>();
  }
  void read(const Json& json, const std::string& path, double& value) {
    if (!json.is_number()) refuse(path, "expected a number");
    value = json.get<double>();
  }
  void read(const Json& json, const std::string& path, std::string& value) {
    if (!json.is_string()) refuse(path, "expected a string");
    value = unescape_bytes(json.get_ref<const std::string&>());
  }
  void read(const Json& json, const std::string& path, Verdict& value) {
    for (const auto verdict : kVerdicts) {
      if (json == std::string(to_string(verdict))) {
        value = verdict;
        return;
      }
    }
    refuse(path, "expected PASS, MARGINAL, FAIL, NO VERDICT, THROUGHPUT or MEASURED");
  }
  void read(const Json& json, const std::string& path, std::map<std::string, std::int64_t>& values) {
    if (!json.is_object()) refuse(path, "expected an object");
    values.clear();
    for (const auto& [key, value] : json.items()) read(value, path + "." + key, values[key]);
  }
  void read(const Json& json, const std::string& path, HistogramBucket& bucket) {
    if (!json.is_array() || json.size() != 3) refuse(path, "expected [low_ns, high_ns, count]");
    read(json[0], path, bucket.low_ns);
    read(json[1], path, bucket.high_ns);
    read(json[2], path, bucket.count);
  }
  template <class T>
  void read(const Json& json, const std::string& path, std::optional<T>& value) {
    if (json.is_null()) {
      value.reset();
    } else {
      read(json, path, value.emplace());
    }
  }
  template <class T>
  void read(const Json& json, const std::string& path, std::vector<T>& values) {
    if (!json.is_array()) refuse(path, "expected a list");
    values.clear();
    values.reserve(json.size());
    for (std::size_t index = 0; index < json.size(); ++index) {
      read(json[index], path + "[" + std::to_string(index) + "]", values.emplace_back());
    }
  }
  template <class Part>
  void read(const Json& json, const std::string& path, Part& part) {
    Reader reader(json, source_, path);
    describe(reader, part);
    if (contradicts_itself(part)) refuse(path, "its numbers contradict each other");
  }

  const Json& object_;
  const std::string& source_;
  std::string where_;
};

bool is_flat(const OrderedJson& json) {
  for (const auto& value : json) {
    if (value.is_structured()) return false;
  }
  return true;
}

/// nlohmann's own indentation would give each number of a histogram row its own line.
void lay_out(const OrderedJson& json, std::size_t depth, bool inside_list, std::string& text) {
  const bool on_one_line =
      !json.is_structured() || json.empty() || (is_flat(json) && (json.is_array() || inside_list));
  if (on_one_line) {
    text += json.dump();
    return;
  }
  text += json.is_object() ? "{\n" : "[\n";
  std::size_t left = json.size();
  for (const auto& [key, value] : json.items()) {
    text.append(depth + 1, ' ');
    if (json.is_object()) text += OrderedJson(key).dump() + ": ";
    lay_out(value, depth + 1, json.is_array(), text);
    text += --left == 0 ? "\n" : ",\n";
  }
  text.append(depth, ' ');
  text += json.is_object() ? "}" : "]";
}

}  // namespace

std::string to_json(const RunData& run) {
  Writer writer;
  writer.field("schema", std::string(kRunSchema));
  describe(writer, run);
  std::string text;
  lay_out(writer.take(), 0, false, text);
  return text + "\n";
}

RunData run_from_json(const std::string& text, const std::string& source) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    throw Error(ExitCode::input_file, source + ": is not JSON, or cut off",
                "run files are written by xrunlab play --json=FILE");
  }
  RunData run;
  Reader reader(json, source, "");
  std::string schema;
  reader.field("schema", schema);
  if (schema != kRunSchema) {
    throw Error(ExitCode::input_file,
                source + ": schema: expected " + kRunSchema + ", found " + shown_bytes(schema),
                "it was written by another version of xrunlab");
  }
  describe(reader, run);
  return run;
}

}  // namespace xrunlab
