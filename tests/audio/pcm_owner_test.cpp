#include "src/audio/pcm_owner.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace xrunlab {
namespace {

/// A directory in the place of /: two cards, the first with two substreams.
class PcmOwners : public testing::Test {
 protected:
  PcmOwners() {
    std::string name = testing::TempDir() + "/xrunlab-owner-XXXXXX";
    root_ = mkdtemp(name.data());
    substream("card0/pcm0p/sub0", "state: RUNNING\nowner_pid   : 210\ntrigger_time: 1.2\n");
    substream("card0/pcm0p/sub1", "closed\n");
    substream("card0/pcm0c/sub0", "state: RUNNING\nowner_pid   : 300\n");
    substream("card0/pcm1p/sub0", "closed\n");
    substream("card1/pcm0p/sub0", "closed\n");
    process(210, 200, "data-loop.0");
    process(200, 200, "pipewire");
    process(300, 300, "arecord");
  }
  ~PcmOwners() override { std::filesystem::remove_all(root_); }

  void file(const std::string& path, const std::string& text) {
    const auto full = std::filesystem::path(root_ + path);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  void substream(const std::string& path, const std::string& status) {
    file("/proc/asound/" + path + "/status", status);
  }
  void process(int thread, int group, const std::string& command) {
    const auto directory = "/proc/" + std::to_string(thread);
    file(directory + "/status", "Name:\t" + command + "\nTgid:\t" + std::to_string(group) + "\n");
    file(directory + "/comm", command + "\n");
  }
  std::string owners(const CardAddress& address) { return to_text(playback_owners(address, root_)); }

  std::string root_;
};

TEST_F(PcmOwners, NamesTheProcessOfTheThreadThatOpenedIt) {
  EXPECT_EQ(owners({0, 0, std::nullopt}), "pipewire (process 200)");
}

TEST_F(PcmOwners, LooksAtThePlayingSideOfTheAddressOnly) {
  EXPECT_EQ(owners({0, 0, 1}), "");
  EXPECT_EQ(owners({0, 1, std::nullopt}), "");
  EXPECT_EQ(owners({1, std::nullopt, std::nullopt}), "");
  EXPECT_EQ(owners({7, 0, 0}), "");
}

TEST_F(PcmOwners, NamesEachProcessOnce) {
  substream("card0/pcm0p/sub1", "owner_pid   : 200\n");
  substream("card1/pcm0p/sub0", "owner_pid   : 300\n");
  EXPECT_EQ(owners({}), "pipewire (process 200) and arecord (process 300)");
}

TEST_F(PcmOwners, GivesTheNumberOfAProcessThatCannotBeReadAndNothingForOneOutOfSight) {
  substream("card0/pcm0p/sub0", "owner_pid   : 999\n");
  EXPECT_EQ(owners({}), "process 999");
  substream("card0/pcm0p/sub0", "owner_pid   : 0\n");
  EXPECT_EQ(owners({}), "");
}

TEST_F(PcmOwners, AreNoneWithoutSoundInTheKernel) {
  EXPECT_TRUE(playback_owners({}, root_ + "/nowhere").empty());
}

}  // namespace
}  // namespace xrunlab
