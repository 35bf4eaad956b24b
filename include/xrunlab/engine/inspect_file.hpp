// What the player sees in audio files, without playing them: headers only, unless more is asked for. What is
// wrong with one file is a finding about it and keeps nobody from looking at the next. Used by `inspect`, on
// the main thread.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/model/inspection.hpp"

namespace xrunlab {

struct InspectRequest {
  LengthRule lengths = LengthRule::believe_header;
  InspectionParts parts;
  std::function<bool()> stop = [] { return false; };  ///< asked before each file and every MiB of a scan
};

/// The findings about one file. A finding whose scan was interrupted has none.
FileInspection inspect_file(const std::filesystem::path& path, const InspectRequest& request);

/// The same for each of `inputs` in turn, a directory standing for its audio files as in expand_input. Ends
/// early when `stop` says so.
std::vector<FileInspection> inspect_inputs(const std::vector<std::filesystem::path>& inputs,
                                           const InspectRequest& request);

}  // namespace xrunlab
