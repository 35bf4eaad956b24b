#include "xrunlab/model/cards.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace xrunlab {
namespace {

TEST(Cards, TheDocumentHasEveryKeyAndUnitsInThem) {
  CardsData cards{.version = "1.2.3", .kernel_has_sound = false, .card_count = 1};
  cards.pcms.push_back({.name = "hw:PCH,0", .kind = "card", .description = "HDA, \xe9", .plugin = "hw"});
  cards.pcms.back().accepts =
      PcmLimits{{"S16_LE", "S32_LE"}, {44100, 192000}, {44100}, {2, 8}, {32, 4096}, {64, 8192}};
  cards.pcms.push_back(
      {.name = "pulse", .kind = "server", .server = "PulseAudio", .problem = "no", .remedy = "run it"});
  const auto json = nlohmann::json::parse(to_json(cards));
  EXPECT_EQ(json.at("schema"), "xrunlab/cards/1");
  EXPECT_EQ(json.at("version"), "1.2.3");
  EXPECT_EQ(json.at("kernel_has_sound"), false);
  EXPECT_EQ(json.at("card_count"), 1);
  const auto& accepts = json.at("pcms").at(0).at("accepts");
  EXPECT_EQ(accepts.at("formats").size(), 2u);
  EXPECT_EQ(accepts.at("rate_least_hz"), 44100);
  EXPECT_EQ(accepts.at("rate_most_hz"), 192000);
  EXPECT_EQ(accepts.at("usual_rates_hz").at(0), 44100);
  EXPECT_EQ(accepts.at("channels_most"), 8);
  EXPECT_EQ(accepts.at("period_least_frames"), 32);
  EXPECT_EQ(accepts.at("buffer_most_frames"), 8192);
  const auto& pulse = json.at("pcms").at(1);
  EXPECT_TRUE(pulse.at("accepts").is_null());
  EXPECT_EQ(pulse.at("problem"), "no");
  EXPECT_EQ(pulse.at("remedy"), "run it");
  EXPECT_EQ(pulse.at("server"), "PulseAudio");
}

}  // namespace
}  // namespace xrunlab
