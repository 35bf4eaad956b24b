#include "xrunlab/load/load_worker.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "tests/load/load_directory.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

class LoadWorker : public test::LoadDirectory {
 protected:
  /// Lets the load work until `enough`, 20 s at the most, and returns how long that was in seconds.
  double work(const std::string& spec, const std::function<bool(const LoadFigures&)>& enough) {
    std::atomic<bool> stop{false};
    SystemClock clock;
    std::exception_ptr thrown;
    std::thread thread([&] {
      try {
        do_load({.spec = parse_load_spec("load", spec), .seed = 3, .index = 0}, figures_, stop);
      } catch (...) {
        thrown = std::current_exception();
        stop = true;
      }
    });
    Nanoseconds begin = clock.now();
    const Nanoseconds until = begin + std::chrono::seconds{20};
    while (!stop && clock.now() < until && !enough(figures_)) {
      if (figures_.state != LoadState::working) begin = clock.now();
      clock.sleep_until(clock.now() + std::chrono::milliseconds{1});
    }
    const Nanoseconds end = clock.now();
    stop = true;
    thread.join();
    if (thrown) std::rethrow_exception(thrown);
    EXPECT_EQ(figures_.state, LoadState::working) << spec;
    EXPECT_TRUE(enough(figures_)) << spec;
    return to_seconds(end - begin);
  }

  static bool has_worked(const LoadFigures& figures) { return figures.operations >= 20; }

  LoadFigures figures_;
};

TEST_F(LoadWorker, ReadsAFileOfItsOwn) {
  work("read:" + directory_ + ",size=4MiB,jobs=2,bs=64KiB", has_worked);
  EXPECT_EQ(figures_.file_bytes, 4 << 20);
  EXPECT_EQ(figures_.prepared_bytes, 4 << 20);
  EXPECT_EQ(figures_.bytes, figures_.operations * (64 << 10));
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(LoadWorker, ReadsNoFasterThanItsRate) {
  const double seconds = work("read:" + directory_ + ",size=4MiB,rate=4MB,jobs=2,bs=64KiB", has_worked);
  const auto bytes = static_cast<double>(figures_.bytes.load());
  // Each job's first read comes at once; what was late by less than a second is made up for.
  EXPECT_LE(bytes, 4e6 * (seconds + 1) + 2 * 65536);
}

TEST_F(LoadWorker, WritesItsFileInPlace) {
  work("write:" + directory_ + ",size=1MiB,bs=64KiB,jobs=2",
       [](const auto& figures) { return figures.operations > 64; });
  EXPECT_EQ(figures_.file_bytes, 1 << 20);
}

TEST_F(LoadWorker, WritesAndSyncs) {
  work("write:" + directory_ + ",fsync,size=1MiB,bs=4KiB",
       [](const auto& figures) { return figures.operations > 2; });
}

TEST_F(LoadWorker, ComputesAndFaults) {
  work("cpu:2,share=0.2", has_worked);
  work("fault:2,size=1MiB", [](const auto& figures) { return figures.operations > 10'000; });
  EXPECT_GE(figures_.bytes, 9'000 * kPageBytes);
}

TEST_F(LoadWorker, RecordsAtTheRateOfItsTracks) {
  // 8 kHz, 8 bits, 64 channels: 512 kB/s a track, in blocks of 256 KiB.
  const double seconds = work("record:" + directory_ + ",tracks=3,set=8k/8/64,size=4MiB",
                              [](const auto& figures) { return figures.operations >= 9; });
  EXPECT_EQ(figures_.overruns, 0);
  EXPECT_EQ(figures_.bytes, figures_.operations * (256 << 10));
  EXPECT_LE(static_cast<double>(figures_.bytes.load()), 3 * 512e3 * (seconds + 1));
  EXPECT_EQ(figures_.file_bytes, 3 * (5 * (256 << 10)));
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(LoadWorker, AMissingDirectoryIsAnError) {
  for (const char* kind : {"read:", "write:", "exec:", "record:"}) {
    const std::string spec =
        kind + directory_ + "/none" + (std::string(kind) == "record:" ? ",tracks=1" : "");
    try {
      work(spec, [](const auto&) { return false; });
      FAIL() << spec;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::system);
      EXPECT_NE(std::string(error.what()).find("/none: No such file or directory"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace xrunlab
