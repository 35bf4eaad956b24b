// From the options of `capacity` as typed to the search that is meant: its ladder, what bounds it, and the
// words for `play`. Used by `capacity` on main before anything is written.
#pragma once

#include <string>
#include <vector>

#include "xrunlab/cli/capacity.hpp"
#include "xrunlab/disk/set_spec.hpp"
#include "xrunlab/experiment/capacity_search.hpp"
#include "xrunlab/model/capacity.hpp"

namespace xrunlab {

struct CapacityRequest {
  CapacityBy by = CapacityBy::tracks;
  std::string set;          ///< as typed
  SetSpec track;            ///< long enough for a trial and what is read ahead of it
  Nanoseconds trial{};      ///< what each trial plays
  std::int64_t tracks = 0;  ///< by ring and by fragment
  Frames ring = 0;  ///< of a track as asked for; 0: by ring, without one, or given for all tracks together
  Frames fragment = 0;             ///< as asked for; 0: not, or by fragment
  std::vector<std::string> words;  ///< for `play`: all but what is played and what is varied
  SearchPlan plan;
  CapacityLimit top;  ///< why the ladder ends where it does
};

/// One search. Asks for free space, memory and open files. Throws Error{usage}, also when not even one track
/// may be written.
CapacityRequest parse_capacity(const CapacityOptions& options);

/// The searches of --table, those of one format behind one another.
std::vector<CapacityRequest> parse_capacity_table(const CapacityOptions& options);

/// What has to stand in `words` besides, for one step.
std::vector<std::string> words_for(const CapacityRequest& request, std::int64_t value);

/// The words for a run with no card to wait for.
std::vector<std::string> unpaced_words(const CapacityRequest& request);

}  // namespace xrunlab
