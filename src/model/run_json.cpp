#include "xrunlab/model/run_json.hpp"

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <type_traits>
#include <vector>

#include "contradictions.hpp"
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

/// Paths of the numbers that an imported run has; nothing of a run of our own, which has them all.
using StatedPaths = std::set<std::string, std::less<>>;

std::string path_in(const std::string& where, const char* key) {
  return where.empty() ? key : where + "." + key;
}

/// What cannot say by itself that it is not known, as a text, a list or an optional value can.
template <class T>
constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_same_v<T, Verdict>;

/// Turns described parts into JSON objects; of an imported run what its source says.
class Writer {
 public:
  explicit Writer(const StatedPaths* stated = nullptr, std::string where = {})
      : stated_(stated), where_(std::move(where)) {}

  template <class T>
  void field(const char* key, const T& value) {
    if (stated_ == nullptr) {
      object_[key] = written(value, {});
      return;
    }
    const auto path = path_in(where_, key);
    if (kIsPlain<T> && !stated_->contains(path)) return;
    auto json = written(value, path);
    const bool is_blank =
        json.is_null() || (json.is_string() && json == "") || (json.is_structured() && json.empty());
    // That it is an import must stay, even when nothing is known of it.
    constexpr bool marks_import = std::is_same_v<T, std::optional<ImportInfo>>;
    if (!is_blank || marks_import) object_[key] = std::move(json);
  }
  template <class T>
  void field_or_null(const char* key, const T& value, bool applies) {
    if (applies) {
      field(key, value);
    } else if (stated_ == nullptr) {
      object_[key] = nullptr;
    }
  }
  void derived(const char* key, const auto& compute) { field(key, compute()); }
  OrderedJson take() { return std::move(object_); }

 private:
  using Path = const std::string&;
  static OrderedJson written(bool value, Path) { return value; }
  static OrderedJson written(const std::integral auto& value, Path) { return value; }
  static OrderedJson written(double value, Path) { return std::isfinite(value) ? value : 0.0; }
  static OrderedJson written(const std::string& value, Path) { return escape_bytes(value); }
  static OrderedJson written(Verdict value, Path) { return std::string(to_string(value)); }
  static OrderedJson written(const HistogramBucket& bucket, Path) {
    return OrderedJson::array({bucket.low_ns, bucket.high_ns, bucket.count});
  }
  static OrderedJson written(const std::map<std::string, std::int64_t>& values, Path) {
    return OrderedJson(values);
  }
  template <class T>
  OrderedJson written(const std::optional<T>& value, Path path) const {
    return value ? written(*value, path) : OrderedJson(nullptr);
  }
  template <class T>
  OrderedJson written(const std::vector<T>& values, Path path) const {
    auto list = OrderedJson::array();
    for (const auto& value : values) list.push_back(written(value, path));
    return list;
  }
  OrderedJson written(const auto& part, Path path) const {
    Writer writer(stated_, path);
    describe(writer, part);
    return writer.take();
  }

  const StatedPaths* stated_;
  std::string where_;
  OrderedJson object_ = OrderedJson::object();
};

template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

/// Fills described parts from a JSON object; `where` is the dotted path of that object. Of an imported run no
/// key must be there, and the paths of numbers that are go to `stated`.
class Reader {
 public:
  Reader(const Json& object, const std::string& source, std::string where, StatedPaths* stated)
      : object_(object), source_(source), where_(std::move(where)), stated_(stated) {
    if (!object.is_object()) refuse(where_, "expected an object");
  }

  template <class T>
  void field(const char* key, T& value) {
    const std::string path = path_in(where_, key);
    const auto found = object_.find(key);
    if (found != object_.end()) {
      read(*found, path, value);
      if (kIsPlain<T> && stated_ != nullptr) stated_->insert(path);
    } else if (stated_ != nullptr) {
      forget(path, value);
    } else if (!kIsOptional<T>) {
      refuse(path, "is missing");
    }
  }
  template <class T>
  void field_or_null(const char* key, T& value, bool) {
    value = T{};
    if (const auto found = object_.find(key); found == object_.end() || !found->is_null()) field(key, value);
  }
  template <class Compute>
  void derived(const char* key, const Compute&) {
    if (kIsPlain<std::invoke_result_t<Compute>> && stated_ != nullptr && object_.contains(key))
      stated_->insert(path_in(where_, key));
  }

 private:
  [[noreturn]] void refuse(const std::string& path, const std::string& expected) const {
    throw Error(ExitCode::input_file, source_ + ": " + (path.empty() ? "the file" : path) + ": " + expected,
                "is it a run file of xrunlab (" + std::string(kRunSchema) + ")?");
  }

  /// What an imported run does not say is not what one of ours begins with either.
  template <class T>
  void forget(const std::string& path, T& value) {
    if constexpr (std::is_class_v<T> && requires(T & list) { list.clear(); }) {
      value.clear();
    } else if constexpr (std::is_class_v<T> && !kIsOptional<T>) {
      static const Json nothing = Json::object();
      read(nothing, path, value);
    }
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
    Reader reader(json, source_, path, stated_);
    describe(reader, part);
    if (contradicts_itself(part)) refuse(path, "its numbers contradict each other");
  }

  const Json& object_;
  const std::string& source_;
  std::string where_;
  StatedPaths* stated_;
};

// Of texts in a list; the lines of a listing are no words.
constexpr std::size_t kLongestLine = 120;

bool is_flat(const OrderedJson& json) {
  for (const auto& value : json) {
    if (value.is_structured()) return false;
  }
  return true;
}

/// nlohmann's own indentation would give each number of a histogram row its own line.
void lay_out(const OrderedJson& json, std::size_t depth, bool inside_list, std::string& text) {
  const bool on_one_line =
      !json.is_structured() || json.empty() ||
      (is_flat(json) && (json.is_array() || inside_list) &&
       !(json.front().is_string() && json.is_array() && json.dump().size() > kLongestLine));
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
  Writer writer(run.imported ? &run.imported->stated : nullptr);
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
  const auto imported = json.is_object() ? json.find("imported") : json.end();
  const bool is_imported = imported != json.end() && !imported->is_null();
  StatedPaths stated;
  Reader reader(json, source, "", is_imported ? &stated : nullptr);
  std::string schema;
  reader.field("schema", schema);
  if (schema != kRunSchema) {
    throw Error(ExitCode::input_file,
                source + ": schema: expected " + kRunSchema + ", found " + shown_bytes(schema),
                "it was written by another version of xrunlab");
  }
  describe(reader, run);
  if (run.imported) run.imported->stated = std::move(stated);
  return run;
}

}  // namespace xrunlab
