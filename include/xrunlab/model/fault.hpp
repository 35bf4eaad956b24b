// A fault that is injected on purpose, as typed after --fault: what befalls which part of a run, and when.
// Plain data and its parser, used in set-up; docs/faults.md tells what each fault does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

enum class FaultKind { read_delay, short_read, eio, playback_delay, reader_delay, decoder_delay };

/// Exactly one of `at` and `probability` is there; a thread's delay has `at`.
struct FaultSpec {
  FaultKind kind = FaultKind::read_delay;
  std::optional<Nanoseconds> at;       ///< since the card's first start; befalls the first that comes then
  std::optional<double> probability;   ///< of each read, above 0 and at most 1
  Nanoseconds delay{};                 ///< above 0 for the delays, else 0
  std::optional<std::uint32_t> track;  ///< index from 0; absent: any
  std::string text;                    ///< as typed
};

/// Those of one run.
struct FaultPlan {
  std::vector<FaultSpec> specs;
  std::int64_t seed = 1;  ///< of the reads that a probability picks; not negative
};

/// Whether it befalls single disk reads rather than a thread.
constexpr bool befalls_reads(FaultKind kind) noexcept {
  return kind == FaultKind::read_delay || kind == FaultKind::short_read || kind == FaultKind::eio;
}

/// "read-delay", "short-read", …
std::string_view to_string(FaultKind kind) noexcept;

/// KIND:KEY=VALUE,KEY=VALUE…, as in read-delay:at=3s,ms=970,track=7. Throws Error{usage} that names the kinds
/// or the kind's keys.
FaultSpec parse_fault(std::string_view text);

}  // namespace xrunlab
