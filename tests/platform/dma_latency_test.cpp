#include "xrunlab/platform/dma_latency.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

#include "tests/platform/child_process.hpp"
#include "tests/platform/fake_tree.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using test::FakeTree;

TEST(DmaLatency, WritesABinaryNumber) {
  FakeTree tree;
  tree.file("/dev/cpu_dma_latency", "");
  const DmaLatency latency(17us, tree.root());
  EXPECT_EQ(latency.value(), 17us);
  std::string bytes = tree.root().read("/dev/cpu_dma_latency").value_or("");
  bytes.resize(4, '\0');
  std::int32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  EXPECT_EQ(value, 17);
}

TEST(DmaLatency, ExplainsWhatIsMissing) {
  FakeTree tree;
  try {
    DmaLatency latency(0us, tree.root());
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
    EXPECT_NE(std::string(error.what()).find("CPU_IDLE"), std::string::npos) << error.what();
  }
  const auto child = test::run_in_child([] {
    FakeTree locked;
    locked.file("/dev/cpu_dma_latency", "");
    std::filesystem::permissions(locked.directory() + "/dev/cpu_dma_latency", std::filesystem::perms::none);
    if (::chmod(locked.directory().c_str(), 0755) != 0 || !test::become_nobody())
      return std::string("no nobody");
    try {
      DmaLatency latency(0us, locked.root());
    } catch (const Error& error) {
      return error.remedy();
    }
    return std::string("accepted");
  });
  EXPECT_NE(child.text.find("GROUP=\"audio\""), std::string::npos) << child.text;
}

TEST(DmaLatency, RefusesValuesOutsideItsRange) {
  FakeTree tree;
  tree.file("/dev/cpu_dma_latency", "");
  for (const auto wrong : {-1us, std::chrono::microseconds{std::int64_t{1} << 31}}) {
    try {
      DmaLatency latency(wrong, tree.root());
      FAIL() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
    }
  }
}

TEST(DmaLatency, HoldsTheRealDevice) {
  try {
    const DmaLatency latency(0us, SysRoot(""));
    // A reader of the device sees the strictest request of all.
    EXPECT_EQ(SysRoot("").read("/dev/cpu_dma_latency"), "");
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
}

}  // namespace
}  // namespace xrunlab
