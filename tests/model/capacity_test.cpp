#include "xrunlab/model/capacity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/model/schema_validator.hpp"

namespace xrunlab {
namespace {

CapacityData found_212() {
  CapacityData data;
  data.complete = true;
  data.set = "48k/24/1";
  data.rate_hz = 48'000;
  data.trial_ns = 30'000'000'000;
  data.answer = CapacityStep{212, 5, 5};
  data.comfortable = CapacityStep{192, 1, 1};
  data.first_failing = CapacityStep{218, 1, 3};
  data.pass_rate_low = 0.5493;
  data.limit = {"disk bandwidth", "disk 98 % busy"};
  data.trials = {{212, Verdict::pass, "PASS 212 tracks", 1.02, 90'000, 0, "runs/001-212.json"},
                 {218, Verdict::fail, "FAIL 218 tracks", std::nullopt, std::nullopt, 2, ""}};
  return data;
}

TEST(Capacity, TheLineStandsAlone) {
  CapacityData data = found_212();
  EXPECT_EQ(capacity_line(data),
            "N = 212: 5 of 5 × 30 s (pass rate ≥ 55 %, 95 %); 218 fails: disk 98 % busy");
  data.first_failing.reset();
  data.limit = {"--max-tracks", "--max-tracks 212"};
  EXPECT_EQ(capacity_line(data),
            "N = 212: 5 of 5 × 30 s (pass rate ≥ 55 %, 95 %); no more than that was tried: --max-tracks 212");
}

TEST(Capacity, TheLineSaysWhenThereIsNoAnswer) {
  CapacityData data = found_212();
  data.answer.reset();
  data.first_failing = CapacityStep{1, 0, 2};
  EXPECT_EQ(capacity_line(data), "N = none: 1 fails: disk 98 % busy");
  data.complete = false;
  data.limit = {"not decided", "interrupted"};
  EXPECT_EQ(capacity_line(data), "N not decided: interrupted");
  data.answer = CapacityStep{16, 1, 1};
  data.pass_rate_low.reset();
  EXPECT_EQ(capacity_line(data), "N = 16: 1 of 1 × 30 s; not decided: interrupted");
}

TEST(Capacity, RingsAreShownAsTimesAndFragmentsInFrames) {
  CapacityData data = found_212();
  data.by = CapacityBy::ring;
  data.answer->value = 24'000;
  data.first_failing->value = 21'600;
  EXPECT_THAT(capacity_line(data), ::testing::StartsWith("ring = 500 ms: 5 of 5"));
  EXPECT_THAT(capacity_line(data), ::testing::HasSubstr("; 450 ms fails: "));
  data.by = CapacityBy::fragment;
  data.answer->value = 64;
  EXPECT_THAT(capacity_line(data), ::testing::StartsWith("fragment = 64 frames: 5 of 5"));
}

TEST(Capacity, TheLineSaysWhyNothingHarderFails) {
  CapacityData data = found_212();
  data.first_failing.reset();
  data.limit = {"system", "cannot lock 3 GiB"};
  EXPECT_THAT(capacity_line(data), ::testing::EndsWith("; more cannot be played: cannot lock 3 GiB"));
  data.by = CapacityBy::fragment;
  EXPECT_THAT(capacity_line(data),
              ::testing::EndsWith("; a smaller one cannot be played: cannot lock 3 GiB"));
  data.limit = {"fragment size", "16 frames are the smallest fragment that is tried"};
  EXPECT_THAT(capacity_line(data), ::testing::HasSubstr("; no smaller one was tried: 16 frames"));
}

TEST(Capacity, TheJsonNamesTheAnswerAfterWhatWasSearched) {
  CapacityData data = found_212();
  data.unpaced = UnpacedReading{212, 31e6, 215.3, ""};
  auto json = nlohmann::json::parse(to_json(data));
  EXPECT_EQ(json["schema"], "xrunlab/capacity/1");
  EXPECT_EQ(json["kind"], "capacity");
  EXPECT_EQ(json["tracks"], 212);
  EXPECT_EQ(json["tracks_comfortable"], 192);
  EXPECT_EQ(json["first_failing"], 218);
  EXPECT_EQ(json["limit"]["resource"], "disk bandwidth");
  EXPECT_EQ(json["unpaced"]["worth_tracks"], 215.3);
  ASSERT_EQ(json["trials"].size(), 2u);
  EXPECT_EQ(json["trials"][0]["tracks"], 212);
  EXPECT_EQ(json["trials"][0]["verdict"], "PASS");
  EXPECT_EQ(json["trials"][0]["run_file"], "runs/001-212.json");
  EXPECT_TRUE(json["trials"][1]["headroom"].is_null());
  EXPECT_TRUE(json["trials"][1]["run_file"].is_null());

  data.by = CapacityBy::ring;
  data.tracks = 48;
  json = nlohmann::json::parse(to_json(data));
  EXPECT_EQ(json["ring_frames"], 212);
  EXPECT_EQ(json["ring_frames_comfortable"], 192);
  EXPECT_EQ(json["tracks"], 48);
}

TEST(Capacity, TheJsonIsAsItsSchemaSays) {
  const test::Validator validator(test::Json::parse(test::content("data/capacity-1.schema.json")));
  CapacityData data = found_212();
  EXPECT_EQ(validator.check(test::Json::parse(to_json(data))), "");
  data.unpaced = UnpacedReading{212, 31e6, 215.3, ""};
  for (const auto by : {CapacityBy::ring, CapacityBy::fragment}) {
    data.by = by;
    EXPECT_EQ(validator.check(test::Json::parse(to_json(data))), "");
  }
  data = CapacityData{};
  data.rate_hz = 48'000;
  data.trial_ns = 1;
  EXPECT_EQ(validator.check(test::Json::parse(to_json(data))), "");
  auto table = test::Json::parse(to_json(std::vector{found_212(), data}, 24));
  EXPECT_EQ(validator.check(table), "");
  table["table"][1]["colour"] = "grey";
  EXPECT_EQ(validator.check(table), "/table/*: unknown key colour");
}

TEST(Capacity, EveryKeyOfTheJsonIsExplainedInTheManual) {
  std::set<std::string> keys;
  test::collect_keys(test::Json::parse(test::content("data/capacity-1.schema.json")), keys);
  const auto manual = test::content("docs/capacity.md");
  for (const auto& key : keys) EXPECT_THAT(manual, ::testing::HasSubstr("`" + key + "`"));
}

TEST(Capacity, ATableIsAListOfSearches) {
  auto json = nlohmann::json::parse(to_json(std::vector{found_212(), found_212()}, 2));
  EXPECT_EQ(json["complete"], true);
  json = nlohmann::json::parse(to_json(std::vector{found_212(), found_212()}, 24));
  EXPECT_EQ(json["kind"], "capacity");
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["searches"], 24);
  ASSERT_EQ(json["table"].size(), 2u);
  EXPECT_EQ(json["table"][1]["tracks"], 212);
}

}  // namespace
}  // namespace xrunlab
