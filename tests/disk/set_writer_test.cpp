#include "xrunlab/disk/set_writer.hpp"

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/extents.hpp"
#include "xrunlab/model/set_manifest.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void put(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::set<std::string> names_in(const fs::path& dir) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir)) names.insert(entry.path().filename().string());
  return names;
}

std::optional<ExitCode> failure_of(auto&& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.code();
  }
  return std::nullopt;
}

SetSpec small_set() {
  SetSpec spec;
  spec.tracks = 3;
  spec.rate = SampleRate{48000};
  spec.duration = 100ms;
  return spec;
}

WriteOptions forced() {
  WriteOptions options;
  options.force = Force::yes;
  return options;
}

class SetWriter : public testing::Test {
 protected:
  SetWriter() {
    std::string name = (fs::temp_directory_path() / "xrunlab-set-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    base_ = name;
  }
  ~SetWriter() override { fs::remove_all(base_); }

  fs::path base_;
};

TEST_F(SetWriter, SameOptionsGiveTheSameBytesAndAnotherSeedOthers) {
  for (const char* container : {"wav", "aiff", "flac"}) {
    auto spec = small_set();
    spec.container = container;
    const auto first = write_set(base_ / (std::string("a-") + container), spec);
    const auto second = write_set(base_ / (std::string("b-") + container), spec);
    spec.seed = 2;
    const auto other = write_set(base_ / (std::string("c-") + container), spec);
    for (std::size_t index = 0; index < first.size(); ++index) {
      EXPECT_EQ(content(first[index]), content(second[index]));
      EXPECT_NE(content(first[index]), content(other[index]));
    }
    EXPECT_NE(content(first[0]), content(first[1]));
  }
}

TEST_F(SetWriter, InterleavedFilesHoldTheSameBytesAsContiguousOnes) {
  auto spec = small_set();
  spec.duration = 5s;  // several blocks and a part of one
  const auto contiguous = write_set(base_ / "contiguous", spec);
  spec.layout = Layout::interleaved;
  const auto interleaved = write_set(base_ / "interleaved", spec);
  for (std::size_t index = 0; index < contiguous.size(); ++index) {
    EXPECT_TRUE(content(contiguous[index]) == content(interleaved[index])) << index;
  }
}

TEST_F(SetWriter, ExtentsCoverTheFilesWhereTheyAreKnown) {
  auto spec = small_set();
  spec.duration = 2s;
  const auto files = write_set(base_ / "set", spec);
  const auto extents = file_extents(files[0]);
  if (!extents) GTEST_SKIP() << "no FIEMAP here";
  Bytes sum = 0;
  for (const Bytes length : *extents) sum += length;
  EXPECT_GE(sum, static_cast<Bytes>(fs::file_size(files[0])));
  const auto summary = summarize_extents(files);
  ASSERT_TRUE(summary);
  EXPECT_GE(summary->max_count, summary->median_count);
  EXPECT_GE(summary->median_count, 1);
}

TEST_F(SetWriter, StopLeavesNothingNotEvenTheDirectory) {
  for (const auto layout : {Layout::contiguous, Layout::interleaved}) {
    std::atomic<bool> stop{false};
    WriteOptions options;
    options.stop = &stop;
    options.progress = [&](const WriteProgress&) { stop = true; };
    auto spec = small_set();
    spec.layout = layout;
    EXPECT_TRUE(write_set(base_ / "set", spec, options).empty());
    EXPECT_EQ(names_in(base_), std::set<std::string>{});
  }
}

TEST_F(SetWriter, StopWhileOverwritingLeavesTheOldSet) {
  const auto files = write_set(base_ / "set", small_set());
  const auto before = content(files[2]);
  const auto manifest = content(base_ / "set" / kSetManifestName);
  std::atomic<bool> stop{false};
  auto options = forced();
  options.stop = &stop;
  options.progress = [&](const WriteProgress&) { stop = true; };
  auto other = small_set();
  other.seed = 99;
  EXPECT_TRUE(write_set(base_ / "set", other, options).empty());
  EXPECT_EQ(content(files[2]), before);
  EXPECT_EQ(content(base_ / "set" / kSetManifestName), manifest);
  EXPECT_EQ(names_in(base_ / "set").size(), 4u);
}

TEST_F(SetWriter, ForeignFilesAreNeverTouched) {
  put(base_ / "track-002.wav", "mine");
  EXPECT_EQ(failure_of([&] { write_set(base_, small_set()); }), ExitCode::usage);
  EXPECT_EQ(failure_of([&] { write_set(base_, small_set(), forced()); }), ExitCode::usage);
  EXPECT_EQ(content(base_ / "track-002.wav"), "mine");
  EXPECT_EQ(names_in(base_), (std::set<std::string>{"track-002.wav"}));
}

TEST_F(SetWriter, AFileThatAppearsWhileWritingIsNotReplaced) {
  WriteOptions options;
  options.progress = [&](const WriteProgress&) { put(base_ / "track-002.wav", "mine"); };
  EXPECT_EQ(failure_of([&] { write_set(base_, small_set(), options); }), ExitCode::system);
  EXPECT_EQ(content(base_ / "track-002.wav"), "mine");
  EXPECT_EQ(names_in(base_), (std::set<std::string>{"track-002.wav"}));
}

TEST_F(SetWriter, OwnSetIsOverwrittenOnlyWithForceAndLosesItsLeftOverTracks) {
  put(base_ / "notes.txt", "mine");
  write_set(base_, small_set());
  auto fewer = small_set();
  fewer.tracks = 2;
  EXPECT_EQ(failure_of([&] { write_set(base_, fewer); }), ExitCode::usage);
  write_set(base_, fewer, forced());
  EXPECT_EQ(names_in(base_),
            (std::set<std::string>{"notes.txt", "track-001.wav", "track-002.wav", kSetManifestName}));
}

TEST_F(SetWriter, RemoveTakesOnlyWhatTheManifestNames) {
  write_set(base_ / "set", small_set());
  put(base_ / "set" / "track-004.wav", "mine");
  EXPECT_EQ(remove_set(base_ / "set"), 3);
  EXPECT_EQ(names_in(base_ / "set"), (std::set<std::string>{"track-004.wav"}));
  EXPECT_EQ(failure_of([&] { remove_set(base_ / "set"); }), ExitCode::input_file);
}

TEST_F(SetWriter, RemoveTakesTheDirectoryThatItMadeAndNoOther) {
  write_set(base_ / "made/", small_set());
  remove_set(base_ / "made");
  EXPECT_FALSE(fs::exists(base_ / "made"));
  fs::create_directory(base_ / "was-there");
  write_set(base_ / "was-there", small_set());
  remove_set(base_ / "was-there");
  EXPECT_TRUE(fs::exists(base_ / "was-there"));
}

TEST_F(SetWriter, RemoveRefusesAFileThatHasChanged) {
  const auto files = write_set(base_ / "set", small_set());
  fs::resize_file(files[1], 100);
  EXPECT_EQ(failure_of([&] { remove_set(base_ / "set"); }), ExitCode::input_file);
  EXPECT_TRUE(fs::exists(files[0]));
  EXPECT_EQ(remove_set(base_ / "set", Force::yes), 3);
}

TEST_F(SetWriter, AKilledRunCanBeRemoved) {
  write_set(base_ / "set", small_set());
  auto manifest = set_manifest_from_json(content(base_ / "set" / kSetManifestName));
  manifest.complete = false;
  put(base_ / "set" / kSetManifestName, to_json(manifest));
  fs::rename(base_ / "set" / "track-002.wav", base_ / "set" / ".track-002.wav.xrunlab-part");
  EXPECT_EQ(remove_set(base_ / "set"), 3);
  EXPECT_EQ(names_in(base_), std::set<std::string>{});
}

TEST_F(SetWriter, ProgressReachesTheTotal) {
  WriteProgress last;
  WriteOptions options;
  options.progress = [&](const WriteProgress& progress) { last = progress; };
  const auto files = write_set(base_ / "set", small_set(), options);
  EXPECT_TRUE(last.finished);
  EXPECT_EQ(last.bytes_done, last.bytes_total);
  EXPECT_EQ(last.bytes_total, static_cast<Bytes>(3 * fs::file_size(files[0])));
}

TEST_F(SetWriter, TemporarySetLivesAsLongAsItsObject) {
  {
    const TemporarySet set(base_, small_set());
    ASSERT_EQ(set.files().size(), 3u);
    EXPECT_TRUE(fs::exists(set.files()[2]));
  }
  EXPECT_EQ(names_in(base_), std::set<std::string>{});
  auto impossible = small_set();
  impossible.tracks = 0;
  EXPECT_EQ(failure_of([&] { TemporarySet set(base_, impossible); }), ExitCode::usage);
  EXPECT_EQ(names_in(base_), std::set<std::string>{});
}

/// A file system of 8 MiB, where this process may mount one.
class SetWriterOnSmallDisk : public SetWriter {
 protected:
  void SetUp() override {
    if (mount("tmpfs", base_.c_str(), "tmpfs", 0, "size=8m") != 0) GTEST_SKIP() << "may not mount";
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) umount(base_.c_str());
  }
  bool mounted_ = false;
};

TEST_F(SetWriterOnSmallDisk, SpaceIsCheckedFirst) {
  auto spec = small_set();
  spec.duration = 12s;  // 3 × 1.73 MB
  EXPECT_EQ(failure_of([&] { write_set(base_ / "set", spec); }), ExitCode::usage);
  spec.duration = 60s;
  EXPECT_EQ(failure_of([&] { write_set(base_ / "set", spec, forced()); }), ExitCode::system);
  EXPECT_EQ(names_in(base_), std::set<std::string>{});
  spec.duration = 12s;
  EXPECT_EQ(write_set(base_ / "set", spec, forced()).size(), 3u);
}

TEST_F(SetWriterOnSmallDisk, ADiskThatFillsUpWhileWritingIsLeftAsItWas) {
  for (const char* container : {"wav", "flac"}) {
    for (const auto layout : {Layout::contiguous, Layout::interleaved}) {
      auto spec = small_set();
      spec.container = container;
      spec.duration = 8s;
      spec.layout = std::strcmp(container, "flac") == 0 ? Layout::contiguous : layout;
      auto options = forced();
      options.progress = [&](const WriteProgress&) {
        if (!fs::exists(base_ / "filler")) put(base_ / "filler", std::string(9 << 20, 'x'));
      };
      EXPECT_EQ(failure_of([&] { write_set(base_ / "set", spec, options); }), ExitCode::system) << container;
      EXPECT_EQ(names_in(base_), (std::set<std::string>{"filler"}));
      fs::remove(base_ / "filler");
    }
  }
}

}  // namespace
}  // namespace xrunlab
