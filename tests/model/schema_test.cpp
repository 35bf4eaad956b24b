// The run file against data/run-1.schema.json: by a small validator of our own, which is always there, and by
// python3-jsonschema where that is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/model/sample_jack.hpp"
#include "tests/model/sample_latency.hpp"
#include "tests/model/sample_run.hpp"
#include "xrunlab/model/run_json.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using Json = nlohmann::json;

std::string content(const std::string& path) {
  std::ifstream file(std::string(XRUNLAB_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// As much of JSON Schema draft 7 as the schema uses; an unknown keyword is itself a finding.
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
    for (const auto& [key, member] : value.items()) {
      if (!schema["properties"].contains(key)) return where + ": unknown key " + key;
      const auto finding = check(member, schema["properties"][key], where + "/" + key);
      if (!finding.empty()) return finding;
    }
    return schema.at("additionalProperties") == false ? "" : where + ": the schema is not strict";
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

Json file_of(RunData run) {
  judge(run);
  return Json::parse(to_json(run));
}

TEST(RunSchema, AcceptsWhatIsWritten) {
  const Validator validator(Json::parse(content("data/run-1.schema.json")));
  EXPECT_EQ(validator.check(file_of(RunData{})), "");
  EXPECT_EQ(validator.check(file_of(sample_run())), "");
  EXPECT_EQ(validator.check(file_of(troubled_run())), "");
  EXPECT_EQ(validator.check(file_of(sample_jack_run())), "");
}

TEST(RunSchema, AcceptsWhatIsWrittenOfALatencyRun) {
  const Validator validator(Json::parse(content("data/latency-run-1.schema.json")));
  EXPECT_EQ(validator.check(file_of(sample_latency_run())), "");
  EXPECT_EQ(validator.check(file_of(sparse_latency_run())), "");
  EXPECT_NE(validator.check(file_of(sample_run())), "");
  auto file = file_of(sample_latency_run());
  file["rounds"][1]["colour"] = "grey";
  EXPECT_EQ(validator.check(file), "/rounds/*: unknown key colour");
}

TEST(RunSchema, IsNamedByAnAbsoluteUriSoThatItsReferencesResolve) {
  const auto schema = Json::parse(content("data/run-1.schema.json"));
  EXPECT_EQ(schema.at("$id"), "urn:xrunlab:run:1");
}

TEST(RunSchema, RefusesWhatIsWrong) {
  const Validator validator(Json::parse(content("data/run-1.schema.json")));
  auto file = file_of(sample_run());
  file["device"]["colour"] = "grey";
  EXPECT_EQ(validator.check(file), "/device: unknown key colour");
  file = file_of(sample_run());
  file["timers"]["outside"].erase("over");
  EXPECT_EQ(validator.check(file), "/timers/outside: without over");
  file = file_of(sample_run());
  file["threads"][1]["user_ns"] = 1.5;
  EXPECT_EQ(validator.check(file), "/threads/*/user_ns: wrong type");
  file = file_of(sample_run());
  file["verdict"] = "pass";
  EXPECT_EQ(validator.check(file), "/verdict: not in the enum");
  file = file_of(sample_run());
  file["io_latency"]["histogram"][0] = Json::array({1, 2});
  EXPECT_EQ(validator.check(file), "/io_latency/histogram/*: too few items");
}

TEST(RunSchema, EveryKeyIsExplainedInTheManual) {
  const auto manual = content("docs/run-file.md");
  std::set<std::string> keys;
  const auto collect = [&keys](const Json& object) {
    const auto properties = object.value("properties", Json::object());
    for (const auto& [key, unused] : properties.items()) keys.insert(key);
  };
  for (const char* path : {"data/run-1.schema.json", "data/latency-run-1.schema.json"}) {
    const auto schema = Json::parse(content(path));
    collect(schema);
    for (const auto& definition : schema["definitions"]) collect(definition);
  }
  EXPECT_GT(keys.size(), 150u);
  for (const auto& key : keys) EXPECT_THAT(manual, testing::HasSubstr("`" + key + "`"));
}

TEST(RunSchema, AcceptsWhatIsWrittenByAnIndependentValidator) {
  if (std::system("python3 -c 'import jsonschema' 2>/dev/null") != 0) {
    GTEST_SKIP() << "python3-jsonschema is not installed; the validator above has run";
  }
  std::string folder = (std::filesystem::temp_directory_path() / "schema.XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  auto run = troubled_run();
  judge(run);
  write_run_file(run, folder + "/run.json");
  write_run_file(sample_latency_run(), folder + "/latency-run.json");
  const std::string command =
      "python3 -c 'import json, sys, jsonschema\n"
      "for kind in (\"\", \"latency-\"):\n"
      "  schema = json.load(open(sys.argv[1] + kind + \"run-1.schema.json\", encoding=\"utf-8\"))\n"
      "  jsonschema.Draft7Validator.check_schema(schema)\n"
      "  run = json.load(open(sys.argv[2] + kind + \"run.json\", encoding=\"utf-8\"))\n"
      "  jsonschema.Draft7Validator(schema).validate(run)' '" +
      std::string(XRUNLAB_SOURCE_DIR) + "/data/' '" + folder + "/'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace xrunlab
