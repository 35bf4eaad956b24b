// Checks JSON against one of the schemas in data/, where no validator is installed: as much of JSON Schema
// draft 7 as they use. Used by the tests of what is written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace xrunlab::test {

using Json = nlohmann::json;

/// A file of the sources.
inline std::string content(const std::string& path) {
  std::ifstream file(std::string(XRUNLAB_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Every object must be closed to keys that the schema does not name; an unknown keyword is itself a finding.
class Validator {
 public:
  explicit Validator(Json schema) : schema_(std::move(schema)) {}

  /// The first thing that is wrong, or "".
  std::string check(const Json& value) const { return check(value, schema_, ""); }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return type == "null" && value.is_null();
  }

  static bool has_one_of(const Json& value, const Json& types) {
    if (types.is_string()) return has_type(value, types);
    return std::any_of(types.begin(), types.end(), [&](const Json& type) { return has_type(value, type); });
  }

  std::string check_object(const Json& value, const Json& schema, const std::string& where) const {
    for (const auto& key : schema.value("required", Json::array())) {
      if (!value.contains(key)) return where + ": without " + key.get<std::string>();
    }
    const auto& others = schema.at("additionalProperties");
    if (others == true) return where + ": the schema is not strict";
    for (const auto& [key, member] : value.items()) {
      const bool known = schema["properties"].contains(key);
      if (!known && others == false) return where + ": unknown key " + key;
      const auto finding = check(member, known ? schema["properties"][key] : others, where + "/" + key);
      if (!finding.empty()) return finding;
    }
    return "";
  }

  std::string check(const Json& value, const Json& schema, const std::string& where) const {
    static const std::set<std::string> kKnown{"$schema",
                                              "$id",
                                              "title",
                                              "description",
                                              "type",
                                              "properties",
                                              "required",
                                              "items",
                                              "enum",
                                              "const",
                                              "minItems",
                                              "maxItems",
                                              "minimum",
                                              "maximum",
                                              "$ref",
                                              "definitions",
                                              "additionalProperties"};
    for (const auto& [keyword, unused] : schema.items()) {
      if (!kKnown.contains(keyword)) return where + ": keyword " + keyword + " is not understood";
    }
    if (schema.contains("$ref")) {
      return check(value, schema_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))), where);
    }
    if (schema.contains("type") && !has_one_of(value, schema["type"])) return where + ": wrong type";
    if (schema.contains("const") && value != schema["const"]) return where + ": wrong constant";
    if (schema.contains("enum")) {
      const auto& all = schema["enum"];
      if (std::find(all.begin(), all.end(), value) == all.end()) return where + ": not in the enum";
    }
    if (value.is_number() && schema.contains("minimum") && value < schema["minimum"])
      return where + ": too small";
    if (value.is_number() && schema.contains("maximum") && value > schema["maximum"])
      return where + ": too large";
    if (value.is_object()) return check_object(value, schema, where);
    if (!value.is_array()) return "";
    if (value.size() < schema.value("minItems", std::size_t{0})) return where + ": too few items";
    if (value.size() > schema.value("maxItems", SIZE_MAX)) return where + ": too many items";
    for (const auto& item : value) {
      const auto finding = check(item, schema.at("items"), where + "/*");
      if (!finding.empty()) return finding;
    }
    return "";
  }

  Json schema_;
};

/// Every name of a property in a schema and its definitions.
inline void collect_keys(const Json& schema, std::set<std::string>& keys) {
  const auto collect = [&keys](const Json& object) {
    const auto properties = object.value("properties", Json::object());
    for (const auto& [key, unused] : properties.items()) keys.insert(key);
  };
  collect(schema);
  for (const auto& definition : schema.value("definitions", Json::object())) collect(definition);
}

}  // namespace xrunlab::test
