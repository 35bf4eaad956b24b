#include "xrunlab/import/listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::vector<std::string> texts(const ListingPart& part) {
  std::vector<std::string> result;
  for (const auto& line : part.lines) {
    if (!line.text.empty()) result.emplace_back(line.text);
  }
  return result;
}

std::string refusal_of(std::string_view text) {
  try {
    cut_listing(text, {}, "mail.txt");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    return error.what() + std::string(" ") + error.remedy();
  }
  return "accepted";
}

TEST(Listing, QuoteMarksAndTerminalSequencesAreNoPartOfALine) {
  const auto parts = cut_listing("> > T: 0 ( 1)\r\n\033[3AT: 1\n>Max: 3\n  plain  ", {}, "mail.txt");
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_THAT(texts(parts[0]), ElementsAre("T: 0 ( 1)", "T: 1", "Max: 3", "plain"));
  EXPECT_EQ(parts[0].lines[2].number, 3);
}

TEST(Listing, FactsHoldForTheFileOrForTheirRun) {
  const auto parts = cut_listing(
      "## origin: a list\n## note: one\n## run: first\n## kernel: 2.6.33\nT: 0\n## run: second\n## note: "
      "two\n",
      {{"machine", "given"}, {"origin", "given"}}, "mail.txt");
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_THAT(parts[1].facts,
              ElementsAre(Pair("kernel", "2.6.33"), Pair("machine", "given"), Pair("note", "one"),
                          Pair("origin", "a list"), Pair("title", "first")));
  EXPECT_THAT(parts[2].facts, ElementsAre(Pair("machine", "given"), Pair("note", "one\ntwo"),
                                          Pair("origin", "a list"), Pair("title", "second")));
  EXPECT_THAT(texts(parts[1]), ElementsAre("T: 0"));
}

TEST(Listing, WhatUnamePrintsNamesTheKernel) {
  const auto parts = cut_listing(
      "Linux studio 6.1.0-13-rt-amd64 #1 SMP PREEMPT_RT Debian 6.1.55-1 (2023-09-29) x86_64 GNU/Linux\nT: 0\n"
      "> Linux studio 2.6.39.1 #1 SMP Mon Jun 6 i686 i686 i386 GNU/Linux\nT: 1\n",
      {}, "mail.txt");
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].facts.at("kernel"), "6.1.0-13-rt-amd64 #1 SMP PREEMPT_RT Debian 6.1.55-1 (2023-09-29)");
  EXPECT_EQ(parts[1].facts.at("preempt"), "rt");
  EXPECT_EQ(parts[1].facts.at("host"), "studio");
  EXPECT_EQ(parts[2].facts.at("kernel"), "2.6.39.1 #1 SMP Mon Jun 6");
  EXPECT_EQ(parts[2].facts.at("preempt"), "none or voluntary");
  EXPECT_THAT(texts(parts[2]), ElementsAre("T: 1"));
}

TEST(Listing, AFactThatIsNoneIsRefusedWithItsLine) {
  EXPECT_THAT(
      refusal_of("T: 0\n## kernle: 2.6\n"),
      AllOf(HasSubstr("mail.txt: line 2: 'kernle: 2.6' is no fact"), HasSubstr("one of: run origin")));
  EXPECT_THAT(refusal_of("## kernel:\n"), HasSubstr("line 1"));
  EXPECT_THAT(refusal_of("## kernel: " + std::string(501, 'x')), HasSubstr("501 bytes"));
  std::string many;
  for (int run = 0; run < 300; ++run) many += "## run: x\n";
  EXPECT_THAT(refusal_of(many), HasSubstr("more than 200 runs"));
  ListingFacts facts;
  EXPECT_THROW(add_fact(facts, "kernel"), Error);
  EXPECT_THROW(add_fact(facts, "colour=red"), Error);
  add_fact(facts, "kernel=6.1.0 #1");
  EXPECT_EQ(facts.at("kernel"), "6.1.0 #1");
}

}  // namespace
}  // namespace xrunlab
