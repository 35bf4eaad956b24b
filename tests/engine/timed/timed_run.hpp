// A real run of some seconds on the simulated card, with a set of its own, for tests that make a fault of a
// known length and look for it in the run's record.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "xrunlab/disk/set_writer.hpp"
#include "xrunlab/engine/stream_run.hpp"

namespace xrunlab::test {

inline constexpr SampleRate kRate{48000};
inline constexpr Frames kFragment = 256;  // 5.3 ms: a wait for the card adds little to a delay
// A processor that is stolen for longer than a card buffer spoils a run, but not several in a row.
inline constexpr int kAttempts = 3;

class TimedRun : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/timed-run-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    write_tracks("wav");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  const std::filesystem::path& directory() const noexcept { return directory_; }

  /// Four tracks of five seconds, in the place of those before.
  void write_tracks(const std::string& container) const {
    std::filesystem::remove_all(directory_);
    SetSpec spec;
    spec.tracks = 4;
    spec.rate = kRate;
    spec.format = SampleFormat::s16_le;
    spec.duration = std::chrono::seconds{5};
    spec.container = container;
    write_set(directory_, spec, {.force = Force::yes});
  }

  /// Plays what is below `path` for `length` on a card with a buffer of about `buffer`.
  static StreamRequest request(const std::filesystem::path& path, Nanoseconds length, Nanoseconds buffer) {
    StreamRequest request;
    for (const auto& file : expand_inputs({path})) request.files.push_back(open_audio_file(file));
    request.card.device = "sim";
    request.card.channels = 2;
    request.card.period = kFragment;
    request.card.periods = static_cast<int>(duration_to_frames_ceil(buffer, kRate) / kFragment + 1);
    request.duration = length;
    request.disk.ring = Nanoseconds{std::chrono::seconds{2}};
    return request;
  }
  static RunData play(const StreamRequest& request, const StreamListeners& listeners = {}) {
    const Signals signals;
    return run_stream(request, signals, listeners).run;
  }

 private:
  std::filesystem::path directory_;
};

}  // namespace xrunlab::test
