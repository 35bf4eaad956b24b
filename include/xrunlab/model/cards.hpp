// What `xrunlab cards` finds: every PCM that can be played to and what it accepts (schema xrunlab/cards/1,
// docs/cards.md). The probe in audio fills it, the report prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xrunlab {

/// From the least to the most, both accepted.
struct ValueRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// What a PCM accepts, each by itself: not every combination need work.
struct PcmLimits {
  std::vector<std::string> formats;  ///< ALSA's names
  ValueRange rate_hz;
  std::vector<std::int64_t> usual_rates_hz;  ///< of the usual ones those that it takes
  ValueRange channels;
  ValueRange period_frames;
  ValueRange buffer_frames;
};

struct PcmEntry {
  std::string name;         ///< for -D
  std::string kind;         ///< "simulated", "card", "server", "unpaced" or "plugin"
  std::string description;  ///< the card's and the device's name, or the hint of alsa-lib's configuration
  std::string plugin;       ///< alsa-lib's type: "hw", "ioplug"; empty when it could not be opened
  std::string server;       ///< "PipeWire", "PulseAudio", "JACK", or empty
  std::optional<PcmLimits> accepts;
  std::string problem;  ///< why `accepts` is absent, else empty
  std::string remedy;
};

struct CardsData {
  std::string version;           ///< of the program
  bool kernel_has_sound = true;  ///< false: no ALSA in the running kernel
  std::int64_t card_count = 0;   ///< sound cards in the kernel, playing or not
  std::vector<PcmEntry> pcms;
};

/// The document that `cards --json` prints.
std::string to_json(const CardsData& cards);

}  // namespace xrunlab
