// The list of a generated set's files, kept beside them as xrunlab-set.json (schema xrunlab/set/1): only what
// it names is ever overwritten or removed. Written and read by the set writer in disk.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xrunlab {

inline constexpr const char* kSetManifestName = "xrunlab-set.json";

struct SetFile {
  std::string name;              ///< a plain name within the directory
  std::int64_t size_bytes = -1;  ///< −1: not known yet (a coded file that is still being written)
  friend bool operator==(const SetFile&, const SetFile&) = default;
};

/// `complete` is false from before the first byte is written until every file has its final name; the files
/// are then the ones before and the ones to come.
struct SetManifest {
  bool complete = false;
  bool created_directory = false;  ///< the directory was made for the set and goes with it
  int tracks = 0;
  std::int64_t rate_hz = 0;
  std::string format;  ///< ALSA's name
  std::int64_t frames = 0;
  int channels = 0;
  std::string container;
  std::string signal;
  std::uint64_t seed = 0;
  std::string layout;
  std::vector<SetFile> files;
};

std::string to_json(const SetManifest& manifest);

/// Throws Error{input_file} for text that is no such manifest, or that names a file outside the directory.
SetManifest set_manifest_from_json(const std::string& text);

}  // namespace xrunlab
