// The input files opened for a run: checked against each other, taken out of the page cache when asked for,
// and described for the run file. Made by main before the clock starts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "xrunlab/disk/track_file.hpp"
#include "xrunlab/engine/stream_request.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

struct InputSet {
  std::vector<TrackFile> handles;  ///< by track
  std::vector<InputInfo> infos;
  SampleRate rate;
  bool direct = false;  ///< every track is read with O_DIRECT
  std::optional<double> cached_share;
  std::vector<std::string> file_warnings;    ///< about the files themselves
  std::vector<std::string> system_warnings;  ///< no O_DIRECT, not evicted
  std::int64_t short_inputs = 0;
};

/// Raises the limit on open files and returns the rate that all files have. Throws Error{input_file} when
/// they differ (with the list of those that do), Error{usage} when a direct map lacks card channels,
/// Error{system} when there are too many files for the limits. Opens nothing: the files need not be there
/// yet.
SampleRate check_inputs(const StreamRequest& request);

/// Throws as check_inputs, and Error{input_file} when a file cannot be opened.
InputSet open_inputs(const StreamRequest& request);

}  // namespace xrunlab
