#include "xrunlab/core/file_text.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace xrunlab {
namespace {

TEST(FileText, EveryByteOfAFileLongerThanOneRead) {
  std::string name = testing::TempDir() + "/text-XXXXXX";
  const int fd = ::mkstemp(name.data());
  ASSERT_GE(fd, 0);
  ::close(fd);
  EXPECT_EQ(file_text(name.c_str()), "");
  std::string bytes(10'000, '\0');
  for (std::size_t index = 0; index < bytes.size(); ++index) bytes[index] = static_cast<char>(index % 251);
  std::ofstream(name, std::ios::binary) << bytes;
  EXPECT_EQ(file_text(name.c_str()), bytes);
  std::filesystem::remove(name);
}

TEST(FileText, OfAFileWithoutASize) {
  const auto text = file_text("/proc/self/status");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->rfind("Name:", 0), 0u);
}

TEST(FileText, SaysByErrnoWhyThereIsNone) {
  EXPECT_FALSE(file_text("/nonexistent/text"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(file_text(testing::TempDir().c_str()));
  EXPECT_EQ(errno, EISDIR);
}

}  // namespace
}  // namespace xrunlab
