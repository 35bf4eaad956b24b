#include "xrunlab/model/run_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/model/sample_run.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

std::string refusal(const std::string& text) {
  try {
    run_from_json(text, "r.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    return error.what();
  }
  return "accepted";
}

TEST(RunJson, EveryFieldComesBack) {
  for (auto run : {RunData{}, sample_run(), troubled_run()}) {
    judge(run);
    EXPECT_EQ(run_from_json(to_json(run), "r.json"), run);
  }
}

TEST(RunJson, ExtremeNumbersComeBack) {
  auto run = sample_run();
  run.bound_ns = std::numeric_limits<std::int64_t>::max();
  run.counters.lost_ns = std::numeric_limits<std::int64_t>::min();
  run.throughput.bytes_per_s = 0.1 + 0.2;
  EXPECT_EQ(run_from_json(to_json(run), "r.json"), run);
  run.throughput.realtime_factor = INFINITY;
  EXPECT_EQ(run_from_json(to_json(run), "r.json").throughput.realtime_factor, 0);
}

TEST(RunJson, ExtremeNumbersOverflowNothingThatIsDerivedFromThem) {
  auto run = sample_run();
  run.device.buffer_frames = std::numeric_limits<std::int64_t>::min();
  run.device.fragment_frames = 1;
  EXPECT_EQ(run_from_json(to_json(run), "r.json"), run);
}

TEST(RunJson, AHistogramThatContradictsItselfIsRefused) {
  const auto changed = [](const char* pointer, const Json& value) {
    auto json = Json::parse(to_json(sample_run()));
    json[Json::json_pointer(pointer)] = value;
    return refusal(json.dump());
  };
  const std::string section = "r.json: timers.ring_read: its numbers contradict each other";
  const std::string histogram = "r.json: io_latency: its numbers contradict each other";
  EXPECT_EQ(changed("/timers/ring_read/over", 2001), section);
  EXPECT_EQ(changed("/timers/ring_read/over", -1), section);
  EXPECT_EQ(changed("/timers/ring_read/count", -5), section);
  EXPECT_EQ(changed("/io_latency/count", 3), histogram);
  EXPECT_EQ(changed("/io_latency/max_ns", 3), histogram);
  EXPECT_EQ(changed("/io_latency/histogram/0", Json::array({1, 2, INT64_MAX})), histogram);
  EXPECT_EQ(changed("/io_latency/histogram/0", Json::array({3, 2, 1})), histogram);
  EXPECT_EQ(changed("/io_latency/overflow", -1), histogram);
}

TEST(RunJson, WhereAServerCalledThereIsNeitherT2NorT3) {
  auto run = sample_run();
  run.timers.cycle = run.timers.ring_read;
  run.timers.pcm_write = {};
  run.timers.outside = {};
  run.windows.resize(1);
  run.windows[0] = {.length_ns = 5, .fragments = 1, .ring_read_max_ns = 2, .cycle_max_ns = 3};
  const auto json = Json::parse(to_json(run));
  EXPECT_TRUE(json.at("timers").at("pcm_write").is_null());
  EXPECT_TRUE(json.at("timers").at("outside").is_null());
  EXPECT_TRUE(json.at("windows").at(0).at("lateness_max_ns").is_null());
  EXPECT_EQ(json.at("windows").at(0).at("cycle_max_ns"), 3);
  EXPECT_EQ(run_from_json(json.dump(), "r.json"), run);
}

TEST(RunJson, HasTheKeysThatOthersReadInTheirOrder) {
  const auto json = nlohmann::ordered_json::parse(to_json(troubled_run()));
  EXPECT_EQ(json.begin().key(), "schema");
  for (const char* pointer : {"/schema",
                              "/kind",
                              "/tool",
                              "/cmdline",
                              "/start",
                              "/end",
                              "/complete",
                              "/verdict",
                              "/reasons",
                              "/warnings",
                              "/system/threadirqs",
                              "/inputs/0/data_offset",
                              "/device/start_threshold_frames",
                              "/io/cached_share_at_start",
                              "/rt/mlock",
                              "/ring/low_water_share",
                              "/bound_ns",
                              "/timers/ring_read/percentiles_ns/p99.9",
                              "/timers/pcm_write/histogram/0/2",
                              "/timers/outside/overflow",
                              "/lateness/over",
                              "/wake_lateness/under",
                              "/io_latency/mean_ns",
                              "/deadline_histogram",
                              "/fill_histogram",
                              "/slack_histogram",
                              "/ring_needed_frames",
                              "/headroom",
                              "/sustained",
                              "/priming_ns",
                              "/windows/0/start_ns",
                              "/xruns/1/dry_ns",
                              "/counters/events_dropped",
                              "/throughput/device_read_bytes",
                              "/threads/0/run_delay_ns",
                              "/self_checks/0",
                              "/machine_usage/steal_ns",
                              "/loads/1/output",
                              "/experiment/varied/0/found"}) {
    EXPECT_TRUE(json.contains(nlohmann::ordered_json::json_pointer(pointer))) << pointer;
  }
  EXPECT_EQ(json["timers"]["pcm_write"]["under"], 1997);
  EXPECT_EQ(json["verdict"], "NO VERDICT");
  EXPECT_TRUE(json["xruns"][1]["dry_ns"].is_null());
}

TEST(RunJson, PercentilesThatCannotBeComputedAreAbsent) {
  RunData run;
  run.timers.ring_read.histogram = sample_histogram(1000, 999);
  const auto percentiles = Json::parse(to_json(run))["timers"]["ring_read"]["percentiles_ns"];
  EXPECT_TRUE(percentiles.contains("p99"));
  EXPECT_FALSE(percentiles.contains("p99.9"));
  EXPECT_EQ(Json::parse(to_json(run))["io_latency"]["percentiles_ns"], Json::object());
}

TEST(RunJson, FileNamesOfAnyBytesComeBack) {
  const auto run = troubled_run();
  const auto text = to_json(run);
  EXPECT_TRUE(Json::accept(text));
  EXPECT_EQ(run_from_json(text, "r.json").inputs[1].path, run.inputs[1].path);
}

TEST(RunJson, HistogramRowsAndInputsTakeOneLineEach) {
  std::istringstream lines(to_json(sample_run()));
  int rows = 0;
  int inputs = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(' ') != std::string::npos && line[line.find_first_not_of(' ')] == '[') ++rows;
    if (line.find("{\"path\":") != std::string::npos && line.find("}") != std::string::npos) ++inputs;
  }
  EXPECT_GT(rows, 100);
  EXPECT_EQ(inputs, 48);
}

TEST(RunJson, UnknownKeysArePassedOver) {
  auto json = Json::parse(to_json(sample_run()));
  json["device"]["colour"] = "grey";
  EXPECT_EQ(run_from_json(json.dump(), "r.json"), sample_run());
}

TEST(RunJson, ARefusalNamesTheFileTheKeyAndWhatWasExpected) {
  const auto changed = [](const char* pointer, const Json& value) {
    auto json = Json::parse(to_json(sample_run()));
    json[Json::json_pointer(pointer)] = value;
    return refusal(json.dump());
  };
  EXPECT_EQ(changed("/timers/ring_read/count", "many"),
            "r.json: timers.ring_read.count: expected a whole number");
  EXPECT_EQ(changed("/timers/ring_read/count", 1.5),
            "r.json: timers.ring_read.count: expected a whole number");
  EXPECT_EQ(changed("/bound_ns", 9223372036854775808u), "r.json: bound_ns: expected a whole number");
  EXPECT_EQ(changed("/inputs/3/channels", 3'000'000'000),
            "r.json: inputs[3].channels: expected a whole number");
  EXPECT_EQ(changed("/inputs/3/path", 7), "r.json: inputs[3].path: expected a string");
  EXPECT_EQ(changed("/io_latency/histogram/0", Json::array({1, 2})),
            "r.json: io_latency.histogram[0]: expected [low_ns, high_ns, count]");
  EXPECT_EQ(changed("/verdict", "FINE"),
            "r.json: verdict: expected PASS, MARGINAL, FAIL, NO VERDICT, THROUGHPUT or MEASURED");
  EXPECT_THAT(changed("/schema", "xrunlab/run/2"),
              HasSubstr("expected xrunlab/run/1, found 'xrunlab/run/2'"));
  EXPECT_THAT(changed("/schema", "other\n\x1b[2J"), HasSubstr("found 'other\\n\\u001b[2J'"));
  auto json = Json::parse(to_json(sample_run()));
  json["rt"].erase("mlock");
  EXPECT_EQ(refusal(json.dump()), "r.json: rt.mlock: is missing");
  EXPECT_THAT(refusal("[1]"), HasSubstr("expected an object"));
  const auto text = to_json(sample_run());
  EXPECT_THAT(refusal(text.substr(0, text.size() / 2)), HasSubstr("cut off"));
}

}  // namespace
}  // namespace xrunlab
