#include "xrunlab/report/load_text.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

TEST(LoadText, TellsTheRateWithWhatWasAsked) {
  const LoadData load{.kind = "read",
                      .spec = "read:/mnt,rate=20MB",
                      .alive = true,
                      .operations_per_s = 76.3,
                      .bytes_per_s = 20.1e6,
                      .asked_bytes_per_s = 20e6,
                      .cpus = 0.05,
                      .device_read_bytes = 3 << 20};
  EXPECT_EQ(achieved_text(load), "20.1 MB/s of 20.0 MB/s in 76.3 reads/s, 3 MiB from the device, 0.05 CPUs");
}

TEST(LoadText, OfOtherProgramsTellsWhatTheKernelCounted) {
  const LoadData load{.kind = "fio", .spec = "fio:a", .alive = true, .cpus = 1, .device_written_bytes = 4096};
  EXPECT_EQ(achieved_text(load), "4 KiB to be written, 1.00 CPUs");
}

TEST(LoadText, TellsSharesAndOverruns) {
  EXPECT_EQ(achieved_text(
                {.kind = "cpu", .operations_per_s = 100, .bytes_per_s = 0, .cpus = 0.5, .asked_cpus = 1.0}),
            "0.50 of 1.00 CPUs");
  EXPECT_EQ(achieved_text({.kind = "record", .operations_per_s = 2, .bytes_per_s = 5e5, .overruns = 1}),
            "0.500 MB/s in 2.00 writes/s, 1 overrun, 0.00 CPUs");
}

TEST(LoadText, OfAJackGraphTellsItsXruns) {
  LoadData load{.kind = "jack", .operations_per_s = 13'800, .cpus = 0.25, .xruns = 1, .driver_late = 0};
  EXPECT_EQ(achieved_text(load), "13800 client cycles/s, 1 xrun, 0.25 CPUs");
  load.xruns = 0;
  load.driver_late = 2;
  EXPECT_EQ(achieved_text(load), "13800 client cycles/s, 0 xruns, driver late 2 times, 0.25 CPUs");
}

TEST(LoadText, ADeadLoadHasALineMore) {
  EXPECT_EQ(load_lines({.kind = "cpu", .spec = "cpu:1", .error = "it does nothing"}, 8),
            "load    cpu:1: 0.00 CPUs\n        DEAD: it does nothing\n");
}

}  // namespace
}  // namespace xrunlab
