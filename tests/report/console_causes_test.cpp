#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/sample_run.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/report/console.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The summary with its line breaks and indents taken out.
std::string flat_summary_of(RunData run) {
  judge(run);
  std::string flat;
  for (const char letter : console_summary(run, ConsoleStyle::plain)) {
    if (letter != '\n' && letter != ' ') {
      flat += letter;
    } else if (!flat.ends_with(' ')) {
      flat += ' ';
    }
  }
  return flat;
}

TEST(ConsoleCauses, ARunWithoutEpisodesSaysNothing) {
  EXPECT_THAT(flat_summary_of(sample_run()), Not(HasSubstr("causes")));
}

TEST(ConsoleCauses, AreGroupedTheWorstFirstWithTheDetailOfTheWorstEpisode) {
  auto run = sample_run();
  run.episodes = sample_episodes();
  const auto text = flat_summary_of(run);
  EXPECT_THAT(
      text,
      HasSubstr(
          "causes disk: 1 starvation, 1 xrun (1 in a starvation), 400ms in all; the worst at 900 ms for "
          "400ms, confidence 95 %: track-2.wav: the read at byte 1310720 was outstanding for 900ms, 3 "
          "others in flight unknown: 1 xrun at 2.0 s for 0ns: nothing that was seen"));
}

TEST(ConsoleCauses, WhatEndedTheRunComesFirstAndManyCausesAreCutShort) {
  auto run = sample_run();
  for (const auto* cause : {"disk", "reader", "card", "scheduler", "unknown"}) {
    run.episodes.push_back({.kind = "xrun", .duration_ns = 1'000'000, .cause = cause, .evidence = {}});
  }
  EpisodeData end{.kind = "end", .cause = "input", .confidence = 1, .evidence = {}};
  end.evidence.detail = "a.wav: the file ended at byte 7, before the end that its header gave";
  run.episodes.push_back(end);
  const auto text = flat_summary_of(run);
  EXPECT_THAT(text,
              HasSubstr("causes input: 1 end of the run, confidence 100 %: a.wav: the file ended at byte 7"));
  EXPECT_THAT(text, HasSubstr("and 2 causes more, in the run file"));
}

}  // namespace
}  // namespace xrunlab
