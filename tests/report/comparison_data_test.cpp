#include "xrunlab/report/comparison_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/model/schema_validator.hpp"
#include "tests/report/sample_comparison.hpp"

namespace xrunlab {
namespace {

using test::sample_comparison;
using testing::HasSubstr;

TEST(ComparisonData, CsvIsARowAGroup) {
  auto comparison = sample_comparison(2);
  comparison.groups[1].label = "say \"bfq\", please";
  std::istringstream csv(comparison_csv({comparison}));
  std::string head;
  std::string baseline;
  std::string group;
  std::getline(csv, head);
  std::getline(csv, baseline);
  std::getline(csv, group);
  EXPECT_THAT(head, testing::StartsWith("group,scheduler,runs,boots,"));
  EXPECT_THAT(head,
              HasSubstr(",ring_needed_ns,outside_max_ns,headroom,cpu_steal_share,read_rate_bytes_per_s,"));
  EXPECT_THAT(baseline, testing::StartsWith("g0,g0,10,1,0,600000000000,"));
  EXPECT_THAT(baseline,
              HasSubstr(",1000000000,47100000,,0.0123,6900000,ring_needed,baseline,,,,,,,baseline"));
  EXPECT_THAT(group, testing::StartsWith("\"say \"\"bfq\"\", please\",g1,"));
  EXPECT_THAT(group, HasSubstr(",worse,signed-rank,2,1.9,2.1,0.002,0.006,\"worse: ratio"));
  EXPECT_EQ(std::count(head.begin(), head.end(), ','), std::count(baseline.begin(), baseline.end(), ','));
}

TEST(ComparisonData, JsonHasEverything) {
  auto comparison = sample_comparison(2);
  comparison.judgements[1].ratio = INFINITY;
  comparison.left_out[0].file = "caf\xe9.json";
  const auto json = nlohmann::json::parse(comparison_json({comparison}));
  EXPECT_EQ(json["schema"], "xrunlab/comparison/1");
  EXPECT_EQ(json["baseline"], "g0");
  EXPECT_EQ(json["groups"][1]["keys"]["scheduler"], "g1");
  EXPECT_EQ(json["groups"][0]["figures"]["ring_needed_ns"], 1e9);
  EXPECT_TRUE(json["groups"][0]["figures"]["headroom"].is_null());
  EXPECT_EQ(json["groups"][0]["dropouts"]["count"], 3);
  EXPECT_EQ(json["groups"][1]["judgement"]["finding"], "worse");
  EXPECT_TRUE(json["groups"][1]["judgement"]["ratio"].is_null()) << "JSON has no infinity";
  EXPECT_EQ(json["groups"][1]["judgement"]["adjusted_p"], 0.006);
  EXPECT_EQ(json["differences"][0]["what"], "machine");
  EXPECT_EQ(json["left_out"].size(), 3u);
  EXPECT_TRUE(nlohmann::json::parse(comparison_json({Comparison{}}))["baseline"].is_null());
}

/// Of two kinds of run: the other one with a figure that the first cannot have.
std::vector<Comparison> comparisons_of_two_kinds() {
  auto play = sample_comparison(3);
  play.kind = "play";
  auto latency = sample_comparison(2);
  latency.kind = "latency";
  latency.figures[1] = {"latency_max", "latency_max_ns", "latency max", FigureUnit::duration, "latency"};
  latency.groups[0].pass = {};
  latency.groups[0].dropouts.reset();
  latency.groups[0].time_ns = 0;
  latency.judgements[1].finding = Finding::one_boot;
  play.figures[1] = latency.figures[1];
  return {play, latency};
}

TEST(ComparisonData, OtherKindsHangOnTheFirstEachWithItsOwnFigures) {
  const auto json = nlohmann::json::parse(comparison_json(comparisons_of_two_kinds()));
  EXPECT_EQ(json["kind"], "play");
  EXPECT_FALSE(json["groups"][0]["figures"].contains("latency_max_ns"));
  ASSERT_EQ(json["other_kinds"].size(), 1u);
  const auto& latency = json["other_kinds"][0];
  EXPECT_EQ(latency["kind"], "latency");
  EXPECT_EQ(latency["groups"][0]["figures"]["latency_max_ns"], 47'100'000);
  EXPECT_TRUE(latency["groups"][0]["pass"].is_null());
  EXPECT_TRUE(latency["groups"][0]["time_ns"].is_null());
  const auto csv = comparison_csv(comparisons_of_two_kinds());
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
  EXPECT_THAT(csv, HasSubstr(",latency_max_ns,"));
}

TEST(ComparisonData, JsonObeysItsSchema) {
  std::ifstream file(std::string(XRUNLAB_SOURCE_DIR) + "/data/comparison-1.schema.json");
  const auto schema = nlohmann::json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  const test::Validator validator(schema);
  const auto parsed = [](const std::vector<Comparison>& comparisons) {
    return nlohmann::json::parse(comparison_json(comparisons));
  };
  EXPECT_EQ(validator.check(parsed(comparisons_of_two_kinds())), "");
  EXPECT_EQ(validator.check(parsed({Comparison{}})), "");
  for (const auto finding :
       {Finding::better, Finding::too_few, Finding::confounded, Finding::nothing_to_see}) {
    auto comparison = sample_comparison(2);
    comparison.judgements[1].finding = finding;
    EXPECT_EQ(validator.check(parsed({comparison})), "");
  }
  auto wrong = parsed(comparisons_of_two_kinds());
  wrong["other_kinds"][0]["groups"][0]["colour"] = "grey";
  EXPECT_EQ(validator.check(wrong), "/other_kinds/*/groups/*: unknown key colour");
  wrong = parsed(comparisons_of_two_kinds());
  wrong["groups"][0]["figures"]["headroom"] = "much";
  EXPECT_EQ(validator.check(wrong), "/groups/*/figures/headroom: wrong type");
  wrong = parsed(comparisons_of_two_kinds());
  wrong["groups"][1]["judgement"]["finding"] = "good";
  EXPECT_EQ(validator.check(wrong), "/groups/*/judgement/finding: not in the enum");
  EXPECT_EQ(schema.at("$id"), "urn:xrunlab:comparison:1");
}

}  // namespace
}  // namespace xrunlab
