// The fake behind the playback loop's seam: one mono track of numbered samples, with takes that are late,
// starve, fail or end as a script says, on a hand-driven clock. Used by tests, on the thread of the loop.
#pragma once

#include <algorithm>
#include <vector>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/engine/fragment_source.hpp"

namespace xrunlab {

/// Befalls the take of number `take`, from 0.
struct ScriptedTake {
  std::int64_t take = 0;
  TakeStatus status = TakeStatus::ready;  ///< starved: silence, nothing is taken
  Nanoseconds late{};                     ///< the clock moves by so much while it is taken
  std::optional<StarvedRead> starved;
  bool a_track_ended = false;
  bool stops = false;  ///< the run is told to stop meanwhile
};

struct ScriptedMaterial {
  Frames fragment = 0;
  std::optional<Frames> frames;  ///< the whole track; absent: endless
  std::optional<Frames> fill;    ///< what every take finds in the ring
};

class ScriptedSource final : public FragmentSource {
 public:
  /// Samples count up by one step of 24 bits and begin anew here, so that every one is exact as a float.
  static constexpr Frames kNumbers = 1 << 22;
  static constexpr float sample(Frames index) noexcept {
    return static_cast<float>(index % kNumbers) / static_cast<float>(1 << 23);
  }

  ScriptedSource(const ScriptedMaterial& material, FakeClock& clock, std::vector<ScriptedTake> script,
                 std::atomic<bool>* stop = nullptr)
      : material_(material),
        clock_(clock),
        script_(std::move(script)),
        stop_(stop),
        samples_(static_cast<std::size_t>(material.fragment)) {
    tracks_.push_back({samples_.data(), 1, 0});
  }

  TakenFragment take(Nanoseconds) noexcept override {
    TakenFragment taken{.frames = material_.fragment, .fill = material_.fill};
    for (const auto& entry : script_) {
      if (entry.take != takes_) continue;
      clock_.advance(entry.late);
      taken.status = entry.status;
      taken.starved = entry.starved;
      taken.a_track_ended = entry.a_track_ended;
      if (entry.stops && stop_ != nullptr) stop_->store(true, std::memory_order_relaxed);
    }
    ++takes_;
    if (taken.status == TakeStatus::ready) fill_in(taken);
    return taken;
  }
  std::span<const TrackFrames<float>> as_float() const noexcept override { return tracks_; }
  std::span<const TrackFrames<std::int32_t>> as_int32() const noexcept override { return {}; }

  std::int64_t takes() const noexcept { return takes_; }

 private:
  void fill_in(TakenFragment& taken) noexcept {
    if (material_.frames) {
      taken.frames = std::min(taken.frames, *material_.frames - position_);
      if (position_ + taken.frames == *material_.frames) taken.a_track_ended = true;
    }
    if (taken.frames == 0) taken.status = TakeStatus::end;
    for (auto& value : samples_) value = 0;
    for (Frames index = 0; index < taken.frames; ++index) {
      samples_[static_cast<std::size_t>(index)] = sample(position_ + index);
    }
    position_ += taken.frames;
  }

  ScriptedMaterial material_;
  FakeClock& clock_;
  std::vector<ScriptedTake> script_;
  std::atomic<bool>* stop_;
  std::vector<float> samples_;
  std::vector<TrackFrames<float>> tracks_;
  std::int64_t takes_ = 0;
  Frames position_ = 0;
};

}  // namespace xrunlab
