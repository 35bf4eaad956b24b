#include "xrunlab/core/spec_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SpecText, IsKindSubjectAndItems) {
  const auto spec = cut_spec("read:/tmp,rate=5MB,x");
  EXPECT_EQ(spec.kind, "read");
  EXPECT_EQ(spec.subject, "/tmp");
  EXPECT_EQ(spec.rest, "/tmp,rate=5MB,x");
  EXPECT_THAT(spec.items, ElementsAre(SpecItem{"rate", "5MB"}, SpecItem{"x", std::nullopt}));
}

TEST(SpecText, SubjectAndItemsMayBeMissing) {
  EXPECT_EQ(cut_spec("exec").kind, "exec");
  EXPECT_EQ(cut_spec("exec").subject, "");
  EXPECT_THAT(cut_spec("exec").items, IsEmpty());
  EXPECT_EQ(cut_spec("exec:size=1").subject, "");
  EXPECT_THAT(cut_spec("exec:size=1").items, ElementsAre(SpecItem{"size", "1"}));
  EXPECT_THAT(cut_spec("cpu:2,,share=").items,
              ElementsAre(SpecItem{"", std::nullopt}, SpecItem{"share", ""}));
  EXPECT_EQ(cut_spec("").kind, "");
}

TEST(SpecText, WordsAreCutAtBlanksOutsideQuotes) {
  EXPECT_THAT(*cut_words("  --cpu 2 '--x=a b' \"\""), ElementsAre("--cpu", "2", "--x=a b", ""));
  EXPECT_THAT(*cut_words(" \t"), IsEmpty());
  EXPECT_FALSE(cut_words("--cpu '2"));
}

TEST(SpecText, AnyBytesHavePartsWithinThem) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 12, '\0');
    for (auto& letter : text) letter = ":,= '\"a\xff"[random() % 8];
    const auto within = [&text](std::string_view part) {
      return part.empty() ||
             (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
    };
    const auto spec = cut_spec(text);
    std::size_t letters = spec.kind.size();
    EXPECT_TRUE(within(spec.kind) && within(spec.subject) && within(spec.rest));
    for (const auto& item : spec.items) {
      EXPECT_TRUE(within(item.key));
      letters += item.key.size() + (item.value ? item.value->size() : 0);
    }
    EXPECT_LE(letters + spec.subject.size(), text.size());
    if (const auto words = cut_words(text)) {
      for (const auto word : *words) EXPECT_TRUE(within(word));
    }
  }
}

}  // namespace
}  // namespace xrunlab
