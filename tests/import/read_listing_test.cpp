#include "xrunlab/import/read_listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/model/schema_validator.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

using test::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string thread_line(int id, int cycles, int max) {
  return "T: 0 ( " + std::to_string(id) + ") P:80 I:10000 C: " + std::to_string(cycles) +
         " Min: 3 Act: 75 Avg: 54 Max: " + std::to_string(max) + "\n";
}

std::string file_content(const std::string& path) {
  std::ifstream file(std::string(XRUNLAB_SOURCE_DIR) + "/" + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ReadListing, RoundsOfCyclictestAreOneRun) {
  const auto runs = read_listing("## kernel: 2.6.33-rt\n" + thread_line(1, 10'000, 121) +
                                     thread_line(2, 10'000, 126) + thread_line(3, 9573, 146),
                                 {{"origin", "a list"}}, "log");
  ASSERT_EQ(runs.size(), 1u);
  const auto& run = runs[0];
  EXPECT_EQ(run.kind, "latency");
  EXPECT_EQ(run.tool.name, "cyclictest");
  EXPECT_EQ(run.system.kernel, "2.6.33-rt");
  EXPECT_EQ(run.rt.priority, 80);
  EXPECT_EQ(run.imported->origin, "a list");
  const auto& latency = run.latency;
  ASSERT_EQ(latency.rounds.size(), 3u);
  EXPECT_EQ(latency.rounds[0].figures.max_ns, 121'000);
  EXPECT_EQ(latency.rounds[0].threads.at(0).last_ns, 75'000);
  EXPECT_EQ(latency.rounds[0].threads[0].interval_ns, 10'000'000);
  EXPECT_EQ(latency.probe.loops, 10'000) << "what most rounds have";
  EXPECT_EQ(is_whole(latency.rounds[0]), true);
  EXPECT_EQ(is_whole(latency.rounds[2]), false);
  EXPECT_THAT(run.imported->notes, ElementsAre("round 3 of 3 is partial: 9573 of 10000 wake-ups"));
  EXPECT_EQ(latency.all.count, 29'573);
  EXPECT_EQ(latency.all.min_ns, 3000);
  EXPECT_EQ(latency.all.max_ns, 146'000);
  EXPECT_DOUBLE_EQ(latency.all.mean_ns.value(), 54'000);
  EXPECT_EQ(median_of_maxima_ns(latency), 126'000);
  EXPECT_FALSE(latency.all.missed) << "cyclictest counts none";
  EXPECT_FALSE(latency.all.histogram);
  EXPECT_THAT(latency.all.percentiles_ns, IsEmpty());
}

TEST(ReadListing, AHistogramGivesPercentilesAndNanosecondsAreNotTakenForMicroseconds) {
  const std::string histogram =
      "# Histogram\n000001 000900\n000002 000099\n# Min Latencies: 00001\n# Avg Latencies: 00001\n"
      "# Max Latencies: 00123\n# Histogram Overflows: 00001\n";
  const auto run = read_listing("cyclictest -l 1000 -i 200 -h 50\n" + histogram, {}, "log").at(0);
  EXPECT_EQ(run.latency.all.count, 1000);
  EXPECT_EQ(run.latency.all.overflow, 1);
  EXPECT_EQ(run.latency.all.percentiles_ns.at("p50"), 1999) << "the upper edge of its bucket";
  EXPECT_EQ(run.latency.all.percentiles_ns.at("p99"), 2999);
  EXPECT_EQ(run.latency.probe.loops, 1000);
  EXPECT_EQ(run.latency.probe.interval_ns, 200'000);
  EXPECT_EQ(is_whole(run.latency.rounds.at(0)), true);
  const auto fine = read_listing(histogram, {{"units", "ns"}}, "log").at(0);
  EXPECT_EQ(fine.latency.all.max_ns, 123);
  EXPECT_EQ(fine.latency.all.histogram->at(0), (HistogramBucket{1, 1, 900}));
}

TEST(ReadListing, AByteOrderMarkDoesNoHarm) {
  const auto runs =
      read_listing("\xEF\xBB\xBFT: 0 ( 1) P:80 I:1000 C: 5 Min: 1 Act: 2 Avg: 3 Max: 4\n", {}, "log");
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].latency.all.max_ns, 4000);
}

TEST(ReadListing, AThreadThatDidNotRunHasNoFigures) {
  const auto run =
      read_listing("T: 0 ( 1) P:80 I:1000 C: 0 Min: 1000000 Act: 0 Avg: 0 Max: 0\n", {}, "log").at(0);
  EXPECT_EQ(run.latency.all.count, 0);
  EXPECT_FALSE(run.latency.all.min_ns);
  EXPECT_FALSE(run.latency.all.max_ns);
  EXPECT_FALSE(run.latency.rounds.at(0).threads.at(0).last_ns);
}

TEST(ReadListing, ThreeTimersAreAPlayThatSaysNothingElse) {
  const auto runs = read_listing(
      "## rate: 44100\n## ring: none\n## run: idle\n## load: none\nTimer-1:\nNumber of events: 296\n"
      "Events over bound: 3 (0.02321900sec)\nEvents under bound: 293 (0.02321900sec)\n"
      "Min duration in seconds: 0.001373000\nMax duration in seconds: 0.970847000\n"
      "Average duration in seconds: 0.007124101\n",
      {}, "mail");
  ASSERT_EQ(runs.size(), 1u);
  const auto& run = runs[0];
  EXPECT_EQ(run.kind, "play");
  EXPECT_EQ(run.bound_ns, 23'219'000);
  EXPECT_EQ(run.timers.ring_read.histogram.count, 296);
  EXPECT_EQ(run.timers.ring_read.over, 3);
  EXPECT_DOUBLE_EQ(run.timers.ring_read.histogram.mean_ns(), 7'124'101);
  EXPECT_TRUE(is_stated(run, "timers.ring_read.max_ns"));
  EXPECT_FALSE(is_stated(run, "timers.pcm_write.max_ns"));
  EXPECT_FALSE(is_stated(run, "counters.device_xruns"));
  EXPECT_FALSE(is_stated(run, "verdict"));
  EXPECT_FALSE(run.ring.used);
  const std::string text = to_json(run);
  for (const char* const absent :
       {"counters", "pcm_write", "verdict", "lateness", "host", "null", "startup_ns"})
    EXPECT_THAT(text, Not(HasSubstr(absent)));
  EXPECT_EQ(run_from_json(text, "run.json"), run);
}

TEST(ReadListing, EachColumnOfATableIsARun) {
  const auto runs = read_listing(
      "## kernel: 2.6.10-cko1 | 2.6.10-rt\n## card: hw:0\n                        one-here  other\n"
      "Number of clients . . :      20      20\nXRUN Rate . . . . . . :   216.8     2.2 /hour\n"
      "Delay Maximum . . . . :    4320     308 usecs\nAverage DSP Load. . . :    44.0    50.2 %\n",
      {}, "mail");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].system.kernel, "2.6.10-cko1");
  EXPECT_EQ(runs[1].system.kernel, "2.6.10-rt");
  EXPECT_EQ(runs[1].device.name, "hw:0");
  EXPECT_EQ(runs[1].imported->title, "other");
  const auto& figures = runs[1].jack.value().figures;
  EXPECT_EQ(figures.xruns.per_hour, 2.2);
  EXPECT_FALSE(figures.xruns.count);
  EXPECT_EQ(figures.delay_max_ns, 308'000);
  EXPECT_DOUBLE_EQ(figures.dsp_load_share.value(), 0.502);
  EXPECT_FALSE(figures.cycle_max_ns);
  EXPECT_EQ(runs[1].jack->clients, 20);
  EXPECT_TRUE(is_stated(runs[1], "jack.clients"));
  EXPECT_FALSE(is_stated(runs[1], "jack.measured_ns"));
  EXPECT_EQ(run_from_json(to_json(runs[1]), "run.json"), runs[1]);
}

TEST(ReadListing, APeakAlone) {
  const auto run = read_listing("## run: overnight\n## peak: 66ms\n", {}, "mail").at(0);
  EXPECT_EQ(run.kind, "latency");
  EXPECT_EQ(run.latency.all.max_ns, 66'000'000);
  EXPECT_FALSE(run.latency.all.count);
  EXPECT_THROW(read_listing("## run: overnight\n## peak: 66\n", {}, "mail"), Error) << "66 of what?";
}

TEST(ReadListing, WhatIsNoListingIsRefused) {
  for (const std::string_view text : {"", "hello\n", "{}", "## kernel: 6.1\n"})
    EXPECT_THROW(read_listing(text, {}, "x"), Error) << text;
  EXPECT_THROW(read_listing(thread_line(1, 10, 5), {{"priority", "high"}}, "x"), Error);
  EXPECT_THROW(read_listing("T: 0 ( 1) P:80 I:1 C: 9000000000000 Min: 1 Act: 1 Avg: 1 Max: 1\n", {}, "x"),
               Error);
}

/// The schema of its kind, of which an import need obey only what it has.
Json schema_of(const std::string& kind) {
  auto schema = Json::parse(
      file_content(kind == "latency" ? "data/latency-run-1.schema.json" : "data/run-1.schema.json"));
  for (auto& definition : schema["definitions"]) definition.erase("required");
  schema["required"] = {"schema", "kind", "imported"};
  return schema;
}

TEST(ReadListing, ThePublishedRunFilesObeyTheSchemaOfTheirKind) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(XRUNLAB_SOURCE_DIR) + "/data/history")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const auto file = Json::parse(file_content("data/history/" + entry.path().filename().string()));
    EXPECT_EQ(test::Validator(schema_of(file.at("kind"))).check(file), "") << entry.path();
    EXPECT_TRUE(file.at("imported").contains("origin"));
    EXPECT_TRUE(file.at("imported").contains("date"));
  }
  EXPECT_EQ(files, 12);
}

}  // namespace
}  // namespace xrunlab
