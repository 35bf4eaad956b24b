// The steps that a capacity search takes, from the easiest to the hardest. Pure; used by `xrunlab capacity`.
#pragma once

#include <cstdint>
#include <vector>

namespace xrunlab {

/// Steps from 1 to `most` (1 or more) tracks: each one up to 64, then 64 an octave less and less dense, so
/// that a step is at most 1/32 of the value. `most` itself is the last.
std::vector<std::int64_t> track_ladder(std::int64_t most);

/// Rings from `longest_ns` down to `shortest_ns`: 20 a decade (1, 1.12, 1.25, 1.4 …), in nanoseconds.
std::vector<std::int64_t> ring_ladder(std::int64_t longest_ns, std::int64_t shortest_ns);

/// Powers of two from the largest within `largest` down to the smallest within `smallest`, in frames.
std::vector<std::int64_t> fragment_ladder(std::int64_t largest, std::int64_t smallest);

}  // namespace xrunlab
