#include "xrunlab/report/text_layout.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace xrunlab {
namespace {

TEST(TextLayout, ControlAndBrokenBytesBecomeQuestionMarks) {
  EXPECT_EQ(printable("a\x1b[31m\n\xe9.wav"), "a?[31m??.wav");
  EXPECT_EQ(printable("caf\xc3\xa9 \xe2\x80\xae"), "caf\xc3\xa9 ?");
}

TEST(TextLayout, WideCharactersTakeTwoColumnsAndCombiningOnesNone) {
  EXPECT_EQ(display_columns("abc"), 3u);
  EXPECT_EQ(display_columns("\xe6\xbc\xa2"), 2u);
  EXPECT_EQ(display_columns("e\xcc\x81"), 1u);
}

TEST(TextLayout, WrapsAtBlanksUnderTheText) {
  const std::string word(30, 'x');
  EXPECT_EQ(labelled("set", 5, word + " " + word + " " + word),
            "set  " + word + " " + word + "\n     " + word + "\n");
  EXPECT_EQ(labelled("set", 5, ""), "set\n");
}

TEST(TextLayout, BreaksAWordThatIsTooLong) {
  EXPECT_EQ(labelled("", 2, std::string(100, 'x')),
            "  " + std::string(78, 'x') + "\n  " + std::string(22, 'x') + "\n");
}

TEST(TextLayout, CountsStayExactWhileTheyFit) {
  EXPECT_EQ(compact_count(99'999, 5), "99999");
  EXPECT_EQ(compact_count(100'000, 5), "100k");
  EXPECT_EQ(compact_count(1'250'000, 5), "1.2M");
  EXPECT_EQ(compact_count(INT64_MAX, 5), "9.2E");
  EXPECT_EQ(compact_count(999'999, 5), "1.0M");
}

}  // namespace
}  // namespace xrunlab
