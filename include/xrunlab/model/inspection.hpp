// What `inspect` finds out about one audio file, as plain structs: filled by the engine, written as JSON by
// inspection_json, printed by the report. 0 and "" stand for what is not known or does not apply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xrunlab {

/// What reading all samples adds (--scan).
struct FileScan {
  std::int64_t frames = 0;           ///< frames that could be read or decoded
  std::optional<double> peak_dbfs;   ///< largest sample, 0: full scale; absent when all are 0
  std::int64_t clipped_samples = 0;  ///< beyond ±1: a card's integers cannot hold them
  friend bool operator==(const FileScan&, const FileScan&) = default;
};

/// How the file system has placed the file (-v); neighbours on the disk count as one.
struct FileExtents {
  std::int64_t count = 0;
  std::int64_t median_bytes = 0;  ///< of an even number the upper of the middle two; 0 without extents
  friend bool operator==(const FileExtents&, const FileExtents&) = default;
};

struct FileInspection {
  std::string path;  ///< as given, or directory and name; any bytes
  std::string name;  ///< the base name as it may stand in a line of text
  std::string container;
  std::string format;  ///< ALSA's name for raw PCM, the codec's for coded files
  std::int64_t rate_hz = 0;
  int channels = 0;
  std::int64_t frames = 0;  ///< playable ones
  bool frames_known = false;
  std::int64_t data_offset = 0;  ///< first byte of the samples of raw PCM
  int valid_bits = 0;
  bool playable = false;
  std::vector<std::string> warnings;
  std::string error;  ///< cause and remedy in one line, why it is not playable
  std::optional<FileScan> scan;
  std::optional<FileExtents> extents;
  friend bool operator==(const FileInspection&, const FileInspection&) = default;
};

/// What was looked at beyond the headers: whether it is shown, also where nothing was found.
struct InspectionParts {
  bool scan = false;
  bool extents = false;
};

}  // namespace xrunlab
