#include "xrunlab/disk/audio_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/disk/open_in_test.hpp"

namespace xrunlab::test {
namespace {

namespace fs = std::filesystem;

const AudioBytes kWav = wav(fmt16(), ramp(SampleFormat::s16_le));

std::string refusal_to_open(const fs::path& path) {
  return refusal_by([&path] { open_audio_file(path); }).what;
}

std::string refusal_to_expand(const std::vector<fs::path>& inputs) {
  return refusal_by([&inputs] { expand_inputs(inputs); }).what;
}

TEST(AudioFile, OnlyRegularFilesAreOpened) {
  const TemporaryDirectory directory;
  const fs::path fifo = directory.path() / "pipe.wav";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(refusal_to_open(fifo), "pipe.wav: is a FIFO: not seekable");
  EXPECT_EQ(refusal_to_open("/dev/zero"), "zero: is a character device: not seekable");
  EXPECT_TRUE(contains(refusal_to_open(directory.path()), "is a directory"));
  EXPECT_EQ(refusal_to_open(directory.path() / "none.wav"), "none.wav: No such file or directory");
  fs::create_symlink(directory.path() / "b.wav", directory.path() / "a.wav");
  fs::create_symlink(directory.path() / "a.wav", directory.path() / "b.wav");
  EXPECT_TRUE(
      contains(refusal_to_open(directory.path() / "a.wav"), "a.wav: Too many levels of symbolic links"));
}

TEST(AudioFile, NoRightToReadIsSaidPlainly) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to give up its rights";
  const TemporaryDirectory directory;
  const fs::path path = directory.write("secret.wav", kWav);
  ASSERT_EQ(::chmod(directory.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::seteuid(65534), 0);
  const std::string opening = refusal_to_open(path);
  const std::string expanding = refusal_to_expand({path});
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(opening, "secret.wav: Permission denied");
  EXPECT_EQ(expanding, "secret.wav: Permission denied");
}

TEST(AudioFile, NamesNeverBreakTheLine) {
  const TemporaryDirectory directory;
  const fs::path path = directory.write("two\nlines \xff, -x\xc3\xa9", AudioBytes{}.text("text"));
  EXPECT_TRUE(contains(refusal_to_open(path), "two\\nlines \\xff, -x\xc3\xa9: not an audio file"));
}

TEST(AudioFile, OpeningLeavesTheSamplesOutOfTheResultAndTheNameAsGiven) {
  const TemporaryDirectory directory;
  const fs::path path = directory.write("-dash, comma.wav", kWav);
  EXPECT_EQ(open_audio_file(path).path, path);
}

TEST(ExpandInputs, DirectoriesStandForTheirAudioFilesInOrderOfBytes) {
  const TemporaryDirectory directory;
  for (const char* name : {"b.WAV", "a.flac", "B.aiff", ".hidden.wav", "notes.txt", "wav", "\xff.wav"}) {
    directory.write(name, kWav);
  }
  fs::create_directory(directory.path() / "sub.wav");
  const fs::path base = directory.path();
  const std::vector<fs::path> expected{base / "B.aiff", base / "a.flac", base / "b.WAV", base / "\xff.wav"};
  EXPECT_EQ(expand_inputs({base}), expected);
}

TEST(ExpandInputs, FilesStayInTheOrderGiven) {
  const TemporaryDirectory directory;
  const fs::path second = directory.write("2", kWav);
  const fs::path first = directory.write("1", kWav);
  const std::vector<fs::path> inputs{second, first, second};
  EXPECT_EQ(expand_inputs(inputs), inputs);
}

TEST(ExpandInputs, WhatCannotBePlayedIsRefused) {
  const TemporaryDirectory directory;
  EXPECT_TRUE(contains(refusal_to_expand({directory.path()}), "a directory without audio files"));
  EXPECT_TRUE(contains(refusal_to_expand({directory.path() / "none"}), "none: No such file or directory"));
  EXPECT_TRUE(contains(refusal_to_expand({"-"}), "standard input is not seekable"));
  fs::create_symlink(directory.path() / "gone", directory.path() / "dangling.wav");
  EXPECT_TRUE(
      contains(refusal_to_expand({directory.path()}), "dangling.wav: the symbolic link leads to nothing"));
}

}  // namespace
}  // namespace xrunlab::test
