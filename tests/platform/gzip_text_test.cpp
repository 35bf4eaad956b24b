#include "xrunlab/platform/gzip_text.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/platform/fake_tree.hpp"
#include "xrunlab/platform/kernel_config.hpp"
#include "xrunlab/platform/system_info.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 20;

/// As gzip(1) packs it.
std::string packed_by_gzip(const std::string& text, const std::string& options) {
  const auto file = std::filesystem::temp_directory_path() / ("xrunlab-gzip-" + std::to_string(::getpid()));
  std::ofstream(file, std::ios::binary) << text;
  FILE* const pipe = ::popen(("gzip " + options + " -c '" + file.string() + "'").c_str(), "r");
  std::string packed;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
    packed += static_cast<char>(letter);
  EXPECT_EQ(::pclose(pipe), 0);
  std::filesystem::remove(file);
  return packed;
}

std::string settings_text(int lines) {
  std::string text;
  for (int line = 0; line < lines; ++line)
    text += "CONFIG_SETTING_" + std::to_string((line * 7919) % 100'003) +
            (line % 3 == 0 ? "=y\n" : " is not set\n");
  return text;
}

TEST(Gunzip, WhatGzipPacks) {
  std::mt19937 numbers(1);
  std::string noise;
  for (int count = 0; count < 100'000; ++count) noise += static_cast<char>(numbers());
  for (const std::string& text :
       {std::string(), std::string("x"), settings_text(5000), std::string(70'000, 'a'), noise}) {
    for (const char* const options : {"-1", "-9", "-6 -n"}) {
      const auto unpacked = gunzip(packed_by_gzip(text, options), kMost);
      ASSERT_TRUE(unpacked) << text.size() << " " << options;
      EXPECT_TRUE(*unpacked == text) << text.size() << " " << options;
    }
  }
}

TEST(Gunzip, NothingOfWhatIsDamagedOrTooLong) {
  const std::string text = settings_text(300);
  const std::string packed = packed_by_gzip(text, "-9");
  EXPECT_FALSE(gunzip(packed, text.size() - 1));
  EXPECT_FALSE(gunzip("", kMost));
  EXPECT_FALSE(gunzip("CONFIG_PREEMPT=y\n", kMost));
  for (std::size_t size = 0; size < packed.size(); size += 13)
    EXPECT_FALSE(gunzip(packed.substr(0, size), kMost));
  const std::size_t header = packed.find('\0', 10) + 1;
  for (std::size_t at = header; at < packed.size(); ++at) {
    std::string changed = packed;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    // The last bits before the checksum only fill a byte.
    const auto unpacked = gunzip(changed, kMost);
    EXPECT_TRUE(!unpacked || (at == packed.size() - 9 && *unpacked == text)) << "byte " << at;
  }
}

TEST(KernelConfig, IsTakenFromTheKernelItselfWhereNoFileHasIt) {
  test::FakeTree tree;
  tree.file("/proc/sys/kernel/osrelease", "6.18.0-arch\n");
  tree.file("/proc/sys/kernel/version", "#1 SMP PREEMPT_DYNAMIC\n");
  tree.file("/proc/config.gz", packed_by_gzip("CONFIG_PREEMPT_NONE=y\n# CONFIG_PREEMPT is not set\n", "-9"));
  EXPECT_TRUE(KernelConfig(tree.root()).has("CONFIG_PREEMPT_NONE=y"));
  EXPECT_EQ(describe_preemption(tree.root()), "none (dynamic)");
}

}  // namespace
}  // namespace xrunlab
