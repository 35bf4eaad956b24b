// What an episode was put down to, in a sentence for people. Pure; used by attribution.
#pragma once

#include <string>

#include "xrunlab/model/attribution.hpp"

namespace xrunlab {

/// "track-007.wav: the read at byte 1310720 was outstanding for 970ms, 3 others in flight; vda busy 99 %"
std::string cause_text(const EpisodeFacts& facts, Cause cause, const EpisodeEvidence& evidence,
                       const EvidenceTimeline& timeline);

}  // namespace xrunlab
