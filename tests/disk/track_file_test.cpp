#include "xrunlab/disk/track_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/vfs.h>

#include "tests/disk/audio_bytes.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

TEST(TrackFile, BufferedIsBufferedAndAlignedToPages) {
  const test::TemporaryDirectory directory;
  const auto file = open_track_file(directory.write("a", test::AudioBytes{}.zeros(10)), DirectMode::off);
  EXPECT_FALSE(file.direct);
  EXPECT_EQ(file.alignment, kPageBytes);
  EXPECT_TRUE(file.refusal.empty());
  EXPECT_EQ(fcntl(file.fd.get(), F_GETFL) & O_DIRECT, 0);
}

TEST(TrackFile, AutomaticIsDirectOrSaysWhyNot) {
  const test::TemporaryDirectory directory;
  const auto file =
      open_track_file(directory.write("a", test::AudioBytes{}.zeros(10)), DirectMode::automatic);
  EXPECT_EQ(file.direct, file.refusal.empty());
  EXPECT_EQ((fcntl(file.fd.get(), F_GETFL) & O_DIRECT) != 0, file.direct);
  EXPECT_EQ(file.alignment % kPageBytes, 0);
}

TEST(TrackFile, MemoryFileSystemsNameNoAlignment) {
  constexpr long kTmpfs = 0x01021994;
  struct statfs system {};
  const std::string path = "/dev/shm/xrunlab-track-file-" + std::to_string(getpid());
  if (statfs("/dev/shm", &system) != 0 || system.f_type != kTmpfs) GTEST_SKIP() << "no tmpfs at /dev/shm";
  const UniqueFd made(open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  if (!made) GTEST_SKIP() << "/dev/shm cannot be written";
  const auto file = open_track_file(path, DirectMode::automatic);
  unlink(path.c_str());
  EXPECT_FALSE(file.direct);
  EXPECT_FALSE(file.refusal.empty());
}

TEST(TrackFile, WhatCannotBeOpenedIsAnInputError) {
  const test::TemporaryDirectory directory;
  try {
    open_track_file(directory.path() / "missing.wav", DirectMode::off);
    FAIL() << "was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    EXPECT_STREQ(error.what(), "missing.wav: cannot be opened: No such file or directory");
  }
}

}  // namespace
}  // namespace xrunlab
