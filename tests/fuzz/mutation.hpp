// Changes inputs as a fuzzer does: bits, numbers at the edges of their ranges, pieces cut out, doubled or
// taken from another input. The same numbers give the same inputs on every machine. Used by the plain main.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace xrunlab::fuzz {

/// One of `corpus` (not empty), changed in one to eight places; at most 64 KiB.
std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& random);

}  // namespace xrunlab::fuzz
