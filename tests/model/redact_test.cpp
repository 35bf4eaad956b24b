#include "xrunlab/model/redact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/sample_run.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

TEST(Redact, TextKeepsBaseNamesFractionsAndSystemPaths) {
  EXPECT_EQ(without_directories("cannot read '/home/kai/a.wav': EIO, 3 MB/s, < 180/hour"),
            "cannot read 'a.wav': EIO, 3 MB/s, < 180/hour");
  EXPECT_EQ(without_directories("sim:capture=/home/kai/out.wav,ppm=50"), "sim:capture=out.wav,ppm=50");
  EXPECT_EQ(without_directories("see /etc/security/limits.d and ~/notes/x"),
            "see /etc/security/limits.d and x");
  EXPECT_EQ(without_directories("/dev/disk/by-id/ata-S3Z8NB0K123 is slow"), "redacted is slow");
  EXPECT_EQ(without_directories("/ and /home/kai/"), "/ and kai");
}

TEST(Redact, NothingOfTheOwnerIsLeftInARunFile) {
  auto run = sample_run();
  run.cmdline = {"/opt/kai/bin/xrunlab",   "play", "private/set one/a.wav", "--set", "48k/24/1",
                 "--json=/home/kai/r.json"};
  run.inputs[0].path = "/home/kai/My Private Songs/a.wav";
  run.warnings.emplace_back("/home/kai/My Private Songs/a.wav on studio: slow");
  run.device.name = "sim:capture=/home/kai/out.wav";
  const auto hidden = redacted(run);
  const auto text = to_json(hidden);
  for (const char* secret : {"kai", "Private", "private", "studio", "f1f5c9c2", "1b9e5a3c", "set one"}) {
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(secret)));
  }
  EXPECT_EQ(hidden.inputs[0].path, "a.wav");
  EXPECT_THAT(hidden.cmdline,
              testing::ElementsAre("xrunlab", "play", "a.wav", "--set", "48k/24/1", "--json=r.json"));
  EXPECT_EQ(hidden.warnings.back(), "a.wav on redacted: slow");
}

TEST(Redact, DirectoriesOfLoadsAreHiddenRelativeOnesToo) {
  auto run = sample_run();
  run.cmdline = {
      "xrunlab", "play", "a.wav", "--load", "record:private/new takes,tracks=2", "--load=fio:secret/a.fio"};
  run.loads = {{.kind = "record", .spec = "record:private/new takes,tracks=2,set=48000/24/1"},
               {.kind = "fio", .spec = "fio:secret/a.fio", .output = "job file /home/kai/secret/a.fio\n"},
               {.kind = "cpu", .spec = "cpu:2"}};
  run.load = "record:private/new takes,tracks=2,set=48000/24/1 + fio:secret/a.fio + cpu:2";
  run.verdict_line = "PASS 1 track, load " + run.load;
  const auto hidden = redacted(run);
  EXPECT_EQ(hidden.load, "record:new takes,tracks=2,set=48000/24/1 + fio:a.fio + cpu:2");
  EXPECT_EQ(hidden.verdict_line, "PASS 1 track, load " + hidden.load);
  EXPECT_EQ(hidden.loads[0].spec, "record:new takes,tracks=2,set=48000/24/1");
  EXPECT_EQ(hidden.loads[1].output, "job file a.fio\n");
  EXPECT_THAT(hidden.cmdline, testing::ElementsAre("xrunlab", "play", "a.wav", "--load",
                                                   "record:new takes,tracks=2", "--load=fio:a.fio"));
}

TEST(Redact, RunsOfOneBootStillBelongTogether) {
  auto run = sample_run();
  const auto first = redacted(run).system.boot_id;
  EXPECT_EQ(redacted(run).system.boot_id, first);
  run.system.boot_id.back() = '1';
  EXPECT_NE(redacted(run).system.boot_id, first);
  EXPECT_EQ(redacted(RunData{}).system.boot_id, "");
}

}  // namespace
}  // namespace xrunlab
