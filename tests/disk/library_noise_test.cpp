#include "src/disk/library_noise.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/disk/audio_bytes.hpp"
#include "tests/disk/coded_chain.hpp"
#include "tests/disk/file_contents.hpp"
#include "tests/disk/written_by_libsndfile.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/audio_file.hpp"

namespace xrunlab::test {
namespace {

/// Descriptor 2 leads into memory while it lives.
class StderrAside {
 public:
  StderrAside() : before_(::dup(STDERR_FILENO)), aside_(::memfd_create("stderr", MFD_CLOEXEC)) {
    std::fflush(stderr);
    ::dup2(aside_.get(), STDERR_FILENO);
  }
  StderrAside(const StderrAside&) = delete;
  StderrAside& operator=(const StderrAside&) = delete;
  ~StderrAside() { ::dup2(before_.get(), STDERR_FILENO); }

  std::string text() const {
    std::fflush(stderr);
    std::string text(4096, '\0');
    const ssize_t got = ::pread(aside_.get(), text.data(), text.size(), 0);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }

 private:
  UniqueFd before_;
  UniqueFd aside_;
};

class LibraryNoiseTest : public ::testing::Test {
 protected:
  std::filesystem::path mp3() {
    return write_coded(directory_.path() / "track.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 50'000);
  }

  TemporaryDirectory directory_;
};

TEST_F(LibraryNoiseTest, TakesTheLastLineThatThisThreadPrints) {
  const StderrAside aside;
  LibraryNoise noise;
  EXPECT_EQ(noise.remark(), "");
  std::fprintf(stderr, "first %d\n", 1);
  std::fprintf(stderr, "last \x1b[2J%s\n\n", "line");
  EXPECT_EQ(noise.last_line(), "last \\x1b[2Jline");
  EXPECT_EQ(noise.remark(), " (it says: last \\x1b[2Jline)");
  EXPECT_EQ(aside.text(), "");
}

TEST_F(LibraryNoiseTest, OtherThreadsAndLaterLinesStillReachStderr) {
  const StderrAside aside;
  {
    const LibraryNoise noise;
    std::thread([] { std::fprintf(stderr, "of another thread\n"); }).join();
    std::fprintf(stderr, "caught\n");
    EXPECT_EQ(noise.last_line(), "caught");
  }
  std::fprintf(stderr, "later\n");
  EXPECT_EQ(aside.text(), "of another thread\nlater\n");
}

TEST_F(LibraryNoiseTest, GoesOnWithinMoreThanItKeeps) {
  LibraryNoise noise;
  for (int line = 0; line < 10'000; ++line) std::fprintf(stderr, "line %d\n", line);
  EXPECT_EQ(noise.last_line(), "line 9999");
}

TEST_F(LibraryNoiseTest, WordsAboutAFileThatCannotBeOpenedGoIntoTheMessage) {
  // The start of an MP3 and then nothing that is one.
  const auto path = directory_.write("broken.mp3", AudioBytes{}.be(4, 0xfffb9064).zeros(100'000));
  const StderrAside aside;
  try {
    open_audio_file(path);
    ADD_FAILURE() << "was not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(" (it says: "), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
  EXPECT_EQ(aside.text(), "");
}

TEST_F(LibraryNoiseTest, WordsAboutBrokenDataBecomeAWarningOfTheTrack) {
  const auto path = mp3();
  std::string bytes = file_contents(path);
  bytes.replace(bytes.size() / 2, 3000, std::string(3000, 'x'));
  std::ofstream(path, std::ios::binary) << bytes;
  const StderrAside aside;
  FakeClock clock;
  CodedChain chain({path}, clock);
  chain.play(0);
  ASSERT_EQ(chain.decoder->warnings().size(), 1u);
  EXPECT_NE(chain.decoder->warnings().front().find("track.mp3: "), std::string::npos);
  EXPECT_EQ(aside.text(), "");
}

TEST_F(LibraryNoiseTest, ASoundFileHasNothingToSay) {
  const auto path = mp3();
  const StderrAside aside;
  FakeClock clock;
  CodedChain chain({path}, clock);
  chain.play(0);
  EXPECT_TRUE(chain.decoder->warnings().empty());
  EXPECT_EQ(aside.text(), "");
}

}  // namespace
}  // namespace xrunlab::test
