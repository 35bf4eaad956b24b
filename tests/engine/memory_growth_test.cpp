// A run of hours takes no more memory than it had after its first.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "tests/engine/recorded_run.hpp"
#include "tests/sanitized.hpp"
#include "xrunlab/engine/playback_setup.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/virtual_run.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab::test::memory_growth_tests {
namespace {

using namespace std::chrono_literals;

/// KiB of the process that are backed by nothing but memory, to the page: what /proc/self/status says may be
/// off by some pages for each thread. −1: this kernel does not tell.
std::int64_t anonymous_kib() {
  std::ifstream in("/proc/self/smaps_rollup");
  std::string key;
  for (std::int64_t value = 0; in >> key;) {
    if (key == "Anonymous:" && in >> value) return value;
  }
  return -1;
}

StreamRequest eight_hours(const RecordedRun& record) {
  StreamRequest request;
  request.duration = 8h;
  request.card.period = 8192;
  request.record = record.folder / "kept.trace";
  request.record_last = 1s;
  const ReplayChanges changes{.period = true, .duration = true};
  play_again(std::make_shared<const ReplayScript>(load_replay_script(record.path)), changes, request);
  return request;
}

TEST(MemoryGrowth, IsNoneFromTheFirstHourToTheEighth) {
  if (XRUNLAB_SANITIZED) GTEST_SKIP() << "a sanitizer keeps what is freed";
  if (anonymous_kib() < 0) GTEST_SKIP() << "no /proc/self/smaps_rollup";
  RecordedRun record;
  record.header.chain->looping = true;
  record.write();
  const StreamRequest request = eight_hours(record);
  std::map<std::int64_t, std::int64_t> kib_at_hour;
  std::size_t minutes_told = 0;
  StreamListeners listeners;
  listeners.live = [&kib_at_hour](const PlaybackParts& parts) {
    const auto started_ns = parts.progress.started_ns.load();
    if (started_ns == 0) return;
    const auto hour = (parts.clock.now().count() - started_ns) / Nanoseconds{1h}.count();
    if (!kib_at_hour.contains(hour)) kib_at_hour[hour] = anonymous_kib();
  };
  // What --json=FILE writes each minute.
  listeners.so_far = [&minutes_told](const RunData& run) { minutes_told += to_json(run).empty() ? 0 : 1; };
  const Signals signals;
  const RunData run = run_in_virtual_time(request, signals, listeners).run;
  EXPECT_TRUE(run.complete);
  EXPECT_EQ(run.windows.size(), 2880u) << "ten seconds each";
  EXPECT_GE(minutes_told, 479u);
  ASSERT_EQ(kib_at_hour.size(), 8u);
  for (std::int64_t hour = 2; hour < 8; ++hour)
    EXPECT_EQ(kib_at_hour[hour], kib_at_hour[1]) << "KiB after hour " << hour << " and after the first";
}

}  // namespace
}  // namespace xrunlab::test::memory_growth_tests
