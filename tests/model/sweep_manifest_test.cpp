#include "xrunlab/model/sweep_manifest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

SweepManifest full_manifest() {
  SweepManifest sweep;
  sweep.id = "0123456789abcdef";
  sweep.axes = {{"scheduler", {"none", "mq-deadline"}}, {"input", {"/a,b", "/\xff odd"}}};
  sweep.fixed = {{"read_ahead_kb", "128"}};
  sweep.runs = 7;
  sweep.exploratory = 2;
  sweep.warm_ups = 0;
  sweep.cool_down = std::chrono::milliseconds{300};
  sweep.seed = 9'223'372'036'854'775'807;
  sweep.prepare = "sync; echo \"done\"";
  sweep.force_inert = true;
  sweep.play = {"-d", "30s", "--load", "read:."};
  return sweep;
}

std::string reading_refusal(const std::string& text) {
  try {
    sweep_manifest_from_json(text, "d/sweep.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    return error.what();
  }
  return {};
}

TEST(SweepManifest, IsReadAsItWasWritten) {
  const SweepManifest sweep = full_manifest();
  EXPECT_EQ(sweep_manifest_from_json(to_json(sweep), "d/sweep.json"), sweep);
  EXPECT_EQ(sweep_manifest_from_json(to_json(SweepManifest{}), "d/sweep.json"), SweepManifest{});
}

TEST(SweepManifest, OtherTextIsRefused) {
  const std::string good = to_json(full_manifest());
  EXPECT_THAT(reading_refusal("{"), testing::HasSubstr("d/sweep.json is no description of a sweep"));
  EXPECT_THAT(reading_refusal("{"), testing::HasSubstr("it is not JSON, or cut off"));
  EXPECT_THAT(reading_refusal("[]"), testing::HasSubstr("no description"));
  EXPECT_THAT(reading_refusal(R"({"schema": "xrunlab/run/1"})"), testing::HasSubstr("schema"));
  const auto replaced = [&good](const std::string& what, const std::string& by) {
    std::string text = good;
    text.replace(text.find(what), what.size(), by);
    return text;
  };
  EXPECT_THAT(reading_refusal(replaced("\"runs\": 7", "\"runs\": 0")), testing::HasSubstr("no sense"));
  EXPECT_THAT(reading_refusal(replaced("\"runs\": 7", "\"runs\": 99999999999")),
              testing::HasSubstr("no sense"));
  EXPECT_THAT(reading_refusal(replaced("\"runs\": 7", "\"runs\": \"7\"")), testing::HasSubstr("type"));
  EXPECT_THAT(reading_refusal(replaced("\"seed\"", "\"sed\"")), testing::HasSubstr("seed"));
}

}  // namespace
}  // namespace xrunlab
