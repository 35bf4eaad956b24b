#include "xrunlab/report/cards_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/report/widest_line.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using testing::Not;

CardsData one_card() {
  CardsData cards{.card_count = 1};
  cards.pcms.push_back(
      {.name = "hw:PCH,0", .kind = "card", .description = "HDA Intel PCH, ALC257", .plugin = "hw"});
  cards.pcms.back().accepts =
      PcmLimits{{"S16_LE", "S32_LE"}, {44100, 192000}, {44100, 48000}, {2, 2}, {32, 4096}, {64, 8192}};
  return cards;
}

TEST(CardsText, ALineOfLimitsAndBelowWhatItIs) {
  const std::string text = cards_text(one_card());
  EXPECT_THAT(
      text, HasSubstr("hw:PCH,0                     2    44100-192000          32-4096          64-8192\n"));
  EXPECT_THAT(text, HasSubstr("    HDA Intel PCH, ALC257\n"));
  EXPECT_THAT(text, HasSubstr("    formats S16_LE S32_LE\n"));
  EXPECT_THAT(text, HasSubstr("    usual rates 44100 48000\n"));
  EXPECT_THAT(text, Not(HasSubstr("no sound card")));
}

TEST(CardsText, FitsEightyColumnsWhateverIsFound) {
  CardsData cards = one_card();
  cards.card_count = 0;
  cards.pcms.front().name = std::string(60, 'n');
  cards.pcms.front().description = "bad \x1b[31m\xff " + std::string(200, 'd');
  cards.pcms.front().accepts->channels = {1, 1073741823};
  cards.pcms.front().accepts->rate_hz = {4000, 4294967295};
  cards.pcms.front().accepts->period_frames = {1, 4294967295};
  cards.pcms.front().accepts->buffer_frames = {1, 4294967295};
  cards.pcms.push_back({.name = std::string(90, 'x'), .problem = std::string(300, 'p'), .remedy = "r"});
  EXPECT_LE(widest_line(cards_text(cards)), 80u);
  EXPECT_THAT(cards_text(cards), Not(HasSubstr("\x1b")));
}

TEST(CardsText, WithoutACardItSaysHowToDoWithoutAndHowToGetOne) {
  CardsData cards;
  for (const bool sound : {false, true}) {
    cards.kernel_has_sound = sound;
    std::string text = cards_text(cards);
    std::replace(text.begin(), text.end(), '\n', ' ');
    EXPECT_THAT(text, HasSubstr("-D sim"));
    EXPECT_THAT(text, HasSubstr("snd-aloop"));
    EXPECT_THAT(text, HasSubstr("snd-dummy"));
  }
}

TEST(CardsText, WhatCannotBeHadIsThereWithTheReason) {
  CardsData cards = one_card();
  cards.pcms.push_back(
      {.name = "hw:USB,0", .kind = "card", .problem = "pipewire (process 12) holds it", .remedy = "stop it"});
  EXPECT_THAT(cards_text(cards), HasSubstr("hw:USB,0\n    pipewire (process 12) holds it\n    stop it\n"));
}

}  // namespace
}  // namespace xrunlab
