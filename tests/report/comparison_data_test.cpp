#include "xrunlab/report/comparison_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/report/sample_comparison.hpp"

namespace xrunlab {
namespace {

using test::sample_comparison;
using testing::HasSubstr;

TEST(ComparisonData, CsvIsARowAGroup) {
  auto comparison = sample_comparison(2);
  comparison.groups[1].label = "say \"bfq\", please";
  std::istringstream csv(comparison_csv(comparison));
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
  const auto json = nlohmann::json::parse(comparison_json(comparison));
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
  EXPECT_TRUE(nlohmann::json::parse(comparison_json(Comparison{}))["baseline"].is_null());
}

}  // namespace
}  // namespace xrunlab
