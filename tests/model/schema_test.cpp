// The run file against data/run-1.schema.json: by a small validator of our own, which is always there, and by
// python3-jsonschema where that is installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "tests/model/sample_jack.hpp"
#include "tests/model/sample_latency.hpp"
#include "tests/model/sample_run.hpp"
#include "tests/model/schema_validator.hpp"
#include "xrunlab/model/run_json.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using test::content;
using test::Json;
using test::Validator;

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
  for (const char* path : {"data/run-1.schema.json", "data/latency-run-1.schema.json"})
    test::collect_keys(Json::parse(content(path)), keys);
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
