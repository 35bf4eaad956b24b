// What `sweep` has to know of `play`: which of its options can be varied, the words for one combination, and
// what they come to before anything is played.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/model/sweep_manifest.hpp"

namespace xrunlab {

/// Throws Error{usage} unless `key` is a long option of `play` that may differ between runs, without its
/// dashes, or "input": what is played. `option`: the one that named it.
void check_play_key(const std::string& option, const std::string& key);

/// The arguments of `play` with those of `values` that are options of it, or its input; other keys are passed
/// over. An option that takes no value is given for "on" and left out for "off"; `load=none` is no load.
/// Throws Error{usage} for another value of such an option.
std::vector<std::string> sweep_play_words(const std::vector<std::string>& arguments,
                                          const std::vector<SweepFix>& values);

enum class SweepReads { direct, buffered };

struct SweepPreview {
  Nanoseconds length{};                      ///< of the run, at the most; without what starting takes
  Nanoseconds least{};                       ///< a shorter run has no verdict; 0: not known, or unpaced
  SweepReads reads = SweepReads::direct;     ///< as they would be granted now
  std::vector<std::filesystem::path> files;  ///< that are played; for --tracks the directory they will be in
};

/// Rehearses the run as play --dry-run does. Throws what that would, with the option named; Error{usage} also
/// for an endless run and for arguments that `sweep` gives itself (--json, --quiet …) or that would write one
/// file again and again (--record). `checkpoint` is called now and then; what it throws ends the rehearsal.
SweepPreview preview_play(const std::vector<std::string>& words,
                          const std::function<void()>& checkpoint = {});

/// Throws Error{usage} when the arguments of `play` give one of these keys themselves, and as preview_play.
void check_given_once(const std::vector<std::string>& arguments, const std::vector<std::string>& keys);

}  // namespace xrunlab
