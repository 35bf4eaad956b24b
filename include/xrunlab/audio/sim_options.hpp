// What limits and torments the simulated card, as typed after "sim:" or as the keys of the ALSA plug-in's
// configuration. Plain data and its parser; used in set-up.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/audio/sim_card.hpp"
#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

struct SimOptions {
  std::optional<int> channels;     ///< the only number of channels; absent: 1 … 1024
  std::optional<SampleRate> rate;  ///< the only rate; absent: 1 Hz … 10 MHz
  std::vector<SampleFormat> formats{SampleFormat::s32_le, SampleFormat::s24_3le, SampleFormat::s24_le,
                                    SampleFormat::s16_le, SampleFormat::f32_le,  SampleFormat::u8};
  std::optional<Frames> period;   ///< periods are multiples of it; absent: any from 16 frames
  int ppm = 0;                    ///< clock drift, positive is fast
  std::vector<SimStall> stalls;   ///< in the order typed
  std::filesystem::path capture;  ///< WAV file of what was accepted; empty: none
};

inline constexpr int kSimMaxChannels = 1024;
inline constexpr Frames kSimMinPeriod = 16;
/// Longest `at` and `length` of a stall: a year, so that no sum of instants overflows.
inline constexpr Nanoseconds kSimLatestStall = std::chrono::hours{8760};

/// "KEY=VALUE,KEY=VALUE…": channels=6, rate=48000, formats=S32_LE+S16_LE ('+' between formats), period=192,
/// ppm=50, stall=3s+70ms (AT+LENGTH; may be repeated), capture=FILE.wav (no comma in the name). An empty text
/// gives the defaults. Throws Error{usage}, for an unknown key with the list of keys.
SimOptions parse_sim_options(std::string_view text);

/// Sets one key as above. Throws Error{usage}.
void set_sim_option(SimOptions& options, std::string_view key, std::string_view value);

}  // namespace xrunlab
