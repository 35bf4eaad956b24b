#include "xrunlab/model/byte_text.hpp"

#include <gtest/gtest.h>

#include <random>

namespace xrunlab {
namespace {

TEST(ByteText, Utf8StaysAsItIs) {
  const std::string text = "Glockenspiel 100 % \xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x8e\xb5";
  EXPECT_EQ(escape_bytes(text), text);
  EXPECT_EQ(unescape_bytes(text), text);
}

TEST(ByteText, OtherBytesAreMarkedAndComeBack) {
  EXPECT_EQ(escape_bytes("caf\xe9"),
            "caf\xef\xbf\xbd"
            "E9");
  EXPECT_EQ(unescape_bytes("caf\xef\xbf\xbd"
                           "E9"),
            "caf\xe9");
  EXPECT_EQ(escape_bytes("\xed\xa0\x80"),
            "\xef\xbf\xbd"
            "ED\xef\xbf\xbd"
            "A0\xef\xbf\xbd"
            "80");  // a surrogate
  EXPECT_EQ(escape_bytes("\xc0\xaf"),
            "\xef\xbf\xbd"
            "C0\xef\xbf\xbd"
            "AF");  // overlong
}

TEST(ByteText, ANameThatLooksEscapedIsNotMistaken) {
  const std::string name =
      "\xef\xbf\xbd"
      "E9.wav";
  EXPECT_NE(escape_bytes(name), name);
  EXPECT_EQ(unescape_bytes(escape_bytes(name)), name);
}

TEST(ByteText, AnyBytesComeBack) {
  std::mt19937 random(3);
  // Few distinct bytes, so that sequences and broken sequences are both frequent.
  const std::string letters = "a9F\xef\xbf\xbd\xf0\xc3\x80\xed";
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (int count = 0; count < 12; ++count) bytes += letters[random() % letters.size()];
    const auto text = escape_bytes(bytes);
    ASSERT_EQ(unescape_bytes(text), bytes);
  }
}

TEST(ByteText, WhatIsShownIsOneLineOfPlainText) {
  EXPECT_EQ(shown_bytes("track-001.wav"), "'track-001.wav'");
  EXPECT_EQ(shown_bytes("a\nb\x1b[2J"), "'a\\nb\\u001b[2J'");
  EXPECT_EQ(shown_bytes("caf\xe9"), "'caf\\ufffdE9'");
  EXPECT_EQ(shown_bytes(""), "''");
}

}  // namespace
}  // namespace xrunlab
