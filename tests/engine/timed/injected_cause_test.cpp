// A fault of each kind, injected into a real run: the episode that it makes must be put down to it.

#include <cstdlib>
#include <ostream>

#include "tests/engine/timed/slow_page_play.hpp"
#include "tests/engine/timed/timed_run.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLength = 1600ms;
constexpr Nanoseconds kBuffer = 100ms;
constexpr Nanoseconds kShortRing = 300ms;

/// Of what else befalls a shared machine, nothing is as long. The end of a run has no length.
EpisodeData longest(const RunData& run) {
  EpisodeData found{.kind = "none", .cause = "none", .evidence = {}};
  for (const auto& episode : run.episodes) {
    if (episode.kind == "end") return episode;
    if (episode.duration_ns >= found.duration_ns) found = episode;
  }
  return found;
}

struct Injected {
  const char* name;
  const char* fault;
  const char* container;
  EngineChoice engine;
  const char* kind;
  const char* cause;
  friend std::ostream& operator<<(std::ostream& out, const Injected& injected) {
    return out << injected.name;
  }
};

class InjectedFaultTest : public test::TimedRun, public ::testing::WithParamInterface<Injected> {};

TEST_P(InjectedFaultTest, IsPutDownTo) {
  const Injected& injected = GetParam();
  write_tracks(injected.container);
  EpisodeData episode;
  for (int attempt = 0; attempt < test::kAttempts; ++attempt) {
    auto asked = request(directory(), kLength, kBuffer);
    asked.disk.ring = kShortRing;
    asked.disk.engine = injected.engine;
    asked.faults.specs = {parse_fault(injected.fault)};
    episode = longest(play(asked));
    if (episode.kind == injected.kind && episode.cause == injected.cause) break;
  }
  EXPECT_EQ(episode.kind, injected.kind);
  EXPECT_EQ(episode.cause, injected.cause) << episode.evidence.detail;
}

constexpr auto kUring = EngineChoice::automatic;
constexpr auto kPread = EngineChoice::pread;

INSTANTIATE_TEST_SUITE_P(
    , InjectedFaultTest,
    ::testing::Values(
        Injected{"ALateRead", "read-delay:at=400ms,ms=900", "wav", kUring, "starvation", "disk"},
        Injected{"ALateReadOfPread", "read-delay:at=400ms,ms=900", "wav", kPread, "starvation", "disk"},
        Injected{"ALateReader", "reader-delay:at=400ms,ms=900", "wav", kUring, "starvation", "reader"},
        Injected{"ALateReaderOfPread", "reader-delay:at=400ms,ms=900", "wav", kPread, "starvation", "reader"},
        Injected{"ALateDecoder", "decoder-delay:at=400ms,ms=900", "flac", kUring, "starvation", "decoder"},
        Injected{"AFailedRead", "eio:at=400ms", "wav", kUring, "end", "input"},
        // Asleep of itself: neither ready, nor faulting, nor held by the card. No real fault does that.
        Injected{"ALatePlayback", "playback-delay:at=400ms,ms=400", "wav", kUring, "xrun", "unknown"}),
    [](const auto& suite) { return std::string(suite.param.name); });

using SlowPageTest = test::TimedRun;

TEST_F(SlowPageTest, AFaultOfThePlaybackThreadIsNamedWithItsLength) {
  EpisodeData episode;
  Nanoseconds held{};
  const auto off = [&] {
    return std::abs(episode.evidence.overlap.page_fault_ns.value_or(0) - held.count());
  };
  for (int attempt = 0; attempt < test::kAttempts; ++attempt) {
    try {
      const auto play = test::play_with_slow_page(request(directory(), kLength, kBuffer), 400ms, 400ms);
      held = play.held;
      episode = longest(play.run);
    } catch (const Error& error) {
      if (error.code() != ExitCode::not_possible) throw;
      GTEST_SKIP() << error.what();
    }
    if (episode.cause == "page-fault" && off() <= held.count() / 10) break;
  }
  EXPECT_GE(held, 400ms) << "the page was touched";
  EXPECT_EQ(episode.kind, "xrun");
  EXPECT_EQ(episode.cause, "page-fault") << episode.evidence.detail;
  EXPECT_GE(episode.evidence.playback.minor_faults.value_or(0), 1);
  EXPECT_LE(off(), held.count() / 10);
}

}  // namespace
}  // namespace xrunlab
