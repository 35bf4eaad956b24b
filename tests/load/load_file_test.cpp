#include "xrunlab/load/load_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/load/load_directory.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

using LoadFileTest = test::LoadDirectory;

TEST(LoadFileBytes, LeaveATenthOfTheDiskFree) {
  EXPECT_EQ(granted_file_bytes(1000, 100, 5000, 10'000), 1000);
  EXPECT_EQ(granted_file_bytes(1000, 100, 1550, 10'000), 500) << "what is left above a tenth, in blocks";
  EXPECT_EQ(granted_file_bytes(1000, 300, 5000, 10'000), 900);
  EXPECT_EQ(granted_file_bytes(1000, 100, 1050, 10'000), 0);
  EXPECT_EQ(granted_file_bytes(1000, 100, 0, 10'000), 0);
}

TEST_F(LoadFileTest, HasNoNameAndItsSize) {
  const auto file = make_load_file(directory_, 3 << 20, 4096, LoadAccess::direct);
  struct stat status {};
  ASSERT_EQ(::fstat(file.fd.get(), &status), 0);
  EXPECT_EQ(file.size, 3 << 20);
  EXPECT_EQ(status.st_size, file.size);
  EXPECT_EQ(status.st_nlink, 0u);
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(LoadFileTest, IsFilledWithTheSameNoiseForTheSameSeed) {
  const std::atomic<bool> stop{false};
  const auto content = [&](std::uint64_t seed) {
    const auto file = make_load_file(directory_, (2 << 20) + 4096, 4096, LoadAccess::direct);
    LoadFigures figures;
    fill_load_file(file, seed, figures, stop);
    EXPECT_EQ(figures.prepared_bytes, file.size);
    const PageBuffer buffer(file.size);
    EXPECT_EQ(::pread(file.fd.get(), buffer.data(), buffer.all().size(), 0), file.size);
    return std::string(reinterpret_cast<const char*>(buffer.data()), buffer.all().size());
  };
  const auto first = content(1);
  EXPECT_TRUE(content(1) == first);
  EXPECT_FALSE(content(2) == first);
  EXPECT_FALSE(first.substr(0, 1 << 20) == first.substr(1 << 20, 1 << 20)) << "no block twice";
  EXPECT_EQ(first.find(std::string(64, '\0')), std::string::npos);
}

TEST_F(LoadFileTest, ADirectoryThatIsNoneIsAnError) {
  EXPECT_THROW(make_load_file(directory_ + "/none", 4096, 4096, LoadAccess::buffered), Error);
}

TEST(NoiseOfLoads, DiffersByStream) {
  std::vector<std::byte> first(1001);
  std::vector<std::byte> second(1001);
  fill_with_noise(first, 1, 1);
  fill_with_noise(second, 1, 2);
  EXPECT_NE(first, second);
  fill_with_noise(second, 1, 1);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace xrunlab
