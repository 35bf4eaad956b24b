// Runs a playback loop in virtual time for tests: a source and a card on one hand-driven clock, with the
// recorder's queues read afterwards. A frame is a microsecond, a fragment a thousand frames of one channel.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "xrunlab/audio/pcm_open.hpp"
#include "xrunlab/audio/scripted_pcm.hpp"
#include "xrunlab/engine/playback_loop.hpp"
#include "xrunlab/engine/scripted_source.hpp"

namespace xrunlab::test {

inline constexpr Frames kLoopFragment = 1000;
inline constexpr SampleRate kLoopRate{1'000'000};

inline PcmGrant card_of(Frames buffer, int channels = 1) {
  PcmGrant grant;
  grant.rate = kLoopRate;
  grant.channels = channels;
  grant.period = kLoopFragment;
  grant.buffer = buffer;
  grant.fragment = kLoopFragment;
  return grant;
}

inline std::unique_ptr<Pcm> open_card(const std::string& device, FakeClock& clock, Frames buffer) {
  std::vector<std::string> warnings;
  return open_pcm({.device = device,
                   .format = SampleFormat::s32_le,
                   .rate = kLoopRate,
                   .channels = 1,
                   .period = kLoopFragment,
                   .buffer = buffer},
                  clock, warnings);
}

class LoopBench {
 public:
  LoopBench(FakeClock& clock, FragmentSource& source, Pcm& pcm, std::atomic<bool>& stop)
      : clock_(clock), source_(source), pcm_(pcm), stop_(stop) {
    const auto& card = pcm.grant();
    recorder_ = std::make_unique<PlaybackRecorder>(
        RecorderConfig{.bound = frames_to_duration(card.fragment, card.rate),
                       .card = {card.rate, card.fragment, card.buffer},
                       .trace = std::move(trace_.producer),
                       .marks = std::move(marks_.producer),
                       .windows = std::move(windows_.producer)});
  }

  PlaybackResult run(PlaybackConfig config = {}) {
    const auto& card = pcm_.grant();
    FragmentMixer mixer({.map = ChannelMap::direct,
                         .card_format = card.format,
                         .card_channels = card.channels,
                         .fragment = card.fragment});
    PcmWriter writer(pcm_, clock_, stop_);
    PlaybackLoop loop(config, {source_, mixer, pcm_, writer, *recorder_, progress, clock_, stop_, delays});
    return loop.run();
  }

  RecorderFigures figures() const { return recorder_->snapshot(); }

  std::vector<FragmentEvent> fragments() {
    std::vector<FragmentEvent> found;
    Event event;
    while (trace_.consumer.pop(&event, 1) == 1) found.push_back(event.fragment);
    return found;
  }

  PlaybackProgress progress;
  PlannedDelays* delays = nullptr;

 private:
  FakeClock& clock_;
  FragmentSource& source_;
  Pcm& pcm_;
  std::atomic<bool>& stop_;
  EventQueue<Event> trace_{10'000};
  EventQueue<Event> marks_{1000};
  EventQueue<WindowFigures> windows_{1000};
  std::unique_ptr<PlaybackRecorder> recorder_;
};

/// A scripted source on a scripted card, run at once.
struct ScriptedRun {
  struct Setup {
    ScriptedMaterial material{.fragment = kLoopFragment};
    std::vector<ScriptedTake> takes{};
    std::vector<ScriptedFault> faults{};
    PlaybackConfig config{};
    Frames buffer = 2 * kLoopFragment;
  };

  explicit ScriptedRun(Setup setup)
      : source(setup.material, clock, std::move(setup.takes), &stop),
        pcm(card_of(setup.buffer), clock, std::move(setup.faults)),
        bench(clock, source, pcm, stop),
        start(clock.now()),
        result(bench.run(setup.config)) {}

  Nanoseconds took() const { return clock.now() - start; }

  /// What the card accepted, as the numbers of the source's samples.
  std::vector<Frames> accepted() const {
    std::vector<std::int32_t> values(pcm.accepted().size() / 4);
    std::memcpy(values.data(), pcm.accepted().data(), values.size() * 4);
    std::vector<Frames> numbers;
    for (const auto value : values) numbers.push_back(value >> 8);
    return numbers;
  }

  FakeClock clock;
  std::atomic<bool> stop{false};
  ScriptedSource source;
  ScriptedPcm pcm;
  LoopBench bench;
  Nanoseconds start;
  PlaybackResult result;
};

inline std::vector<Frames> counting(Frames count) {
  std::vector<Frames> numbers;
  for (Frames index = 0; index < count; ++index) numbers.push_back(index);
  return numbers;
}

}  // namespace xrunlab::test
