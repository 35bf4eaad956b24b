// What `doctor --json` prints, against data/doctor-1.schema.json.
#include "xrunlab/model/doctor_finding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/model/schema_validator.hpp"
#include "xrunlab/model/doctor_checks.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;

/// The findings of a machine that tells only a little.
DoctorData some_findings() {
  DoctorFacts facts;
  facts.rights.rtprio = ResourceLimit{0, 0};
  facts.system.governor = "powersave";
  facts.system.clocksource = "tsc";
  return {.version = "1", .kernel = "6.1", .directory = "/music\xff", .findings = check_machine(facts)};
}

test::Json doctor_schema() {
  return test::Json::parse(test::content("data/doctor-1.schema.json"));
}

TEST(DoctorSchema, AcceptsWhatIsWrittenAndNothingElse) {
  const test::Validator validator(doctor_schema());
  auto json = test::Json::parse(to_json(some_findings()));
  EXPECT_EQ(validator.check(json), "");
  EXPECT_EQ(json["fail"], 1);
  EXPECT_EQ(json["warn"], 1);
  EXPECT_EQ(json["ok"], 1);
  EXPECT_EQ(json["not_applicable"], json["findings"].size() - 3);
  json["findings"][0]["grade"] = "GOOD";
  EXPECT_EQ(validator.check(json), "/findings/*/grade: not in the enum");
}

TEST(DoctorSchema, EveryKeyAndEveryCheckIsExplainedInTheManual) {
  const auto manual = test::content("docs/doctor.md");
  std::set<std::string> words;
  test::collect_keys(doctor_schema(), words);
  std::set<std::string> checks;
  const auto document = doctor_schema();
  for (const auto& name : document["definitions"]["finding"]["properties"]["check"]["enum"])
    checks.insert(name.get<std::string>());
  words.insert(checks.begin(), checks.end());
  for (const auto& word : words) EXPECT_THAT(manual, HasSubstr("`" + word + "`"));
  for (const auto& finding : some_findings().findings) checks.erase(finding.check);
  EXPECT_EQ(checks, std::set<std::string>{}) << "in the schema, but no check is named so";
}

}  // namespace
}  // namespace xrunlab
