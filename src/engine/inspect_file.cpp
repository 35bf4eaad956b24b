#include "xrunlab/engine/inspect_file.hpp"

#include <algorithm>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/extents.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/file_scan.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

FileInspection named(const fs::path& path) {
  FileInspection found;
  found.path = path.string();
  found.name = printable_name(path);
  return found;
}

void refuse(FileInspection& found, const Error& error) {
  std::string cause = error.what();
  if (const std::string prefix = found.name + ": "; cause.starts_with(prefix)) cause.erase(0, prefix.size());
  found.playable = false;
  found.error = cause + (error.remedy().empty() ? "" : " (" + error.remedy() + ")");
}

void add_description(const AudioFile& file, FileInspection& found) {
  found.container = file.container;
  found.format = file.raw_format ? std::string(to_string(*file.raw_format)) : file.codec;
  found.rate_hz = file.rate.hz;
  found.channels = file.channels;
  found.frames = file.frames;
  found.frames_known = file.frames_known;
  found.data_offset = file.data_offset;
  found.valid_bits = file.valid_bits;
  found.warnings = file.warnings;
  found.playable = true;
}

void add_scan(const AudioFile& file, const std::function<bool()>& stop, FileInspection& found) {
  const ScanOutcome outcome = scan_file(file, stop);
  if (outcome.interrupted) return;
  found.scan = outcome.found;
  if (!outcome.warning.empty()) found.warnings.push_back(outcome.warning);
  if (outcome.failure.empty()) return;
  found.playable = false;
  found.error = outcome.failure;
}

void add_extents(const fs::path& path, FileInspection& found) {
  const auto summary = summarize_extents({path});
  if (summary) found.extents = FileExtents{summary->max_count, summary->median_length};
}

}  // namespace

FileInspection inspect_file(const fs::path& path, const InspectRequest& request) {
  FileInspection found = named(path);
  try {
    const AudioFile file = open_audio_file(path, request.lengths);
    add_description(file, found);
    if (request.parts.extents) add_extents(path, found);
    if (request.parts.scan) add_scan(file, request.stop, found);
  } catch (const Error& error) {
    refuse(found, error);
  }
  return found;
}

std::vector<FileInspection> inspect_inputs(const std::vector<fs::path>& inputs,
                                           const InspectRequest& request) {
  std::vector<FileInspection> findings;
  for (const fs::path& input : inputs) {
    std::vector<fs::path> files;
    try {
      files = expand_input(input);
    } catch (const Error& error) {
      findings.push_back(named(input));
      refuse(findings.back(), error);
    }
    for (const fs::path& file : files) {
      if (request.stop()) return findings;
      findings.push_back(inspect_file(file, request));
    }
  }
  return findings;
}

}  // namespace xrunlab
