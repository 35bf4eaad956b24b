// The manifest of a generated set: only plain names come out of it (what it names is overwritten and
// removed), and it can be written again.

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/model/set_manifest.hpp"

namespace xrunlab::fuzz::set_manifest {
namespace {

void check(const SetManifest& manifest) {
  for (const auto& file : manifest.files) {
    require(!file.name.empty() && file.name != "." && file.name != ".." && file.name != kSetManifestName,
            "a name that is none");
    require(file.name.find('/') == std::string::npos && file.name.find('\0') == std::string::npos,
            "a name outside the directory");
  }
  const SetManifest again = set_manifest_from_json(to_json(manifest));
  require(again.files == manifest.files && to_json(again) == to_json(manifest),
          "a manifest does not come back as it was");
}

}  // namespace

std::vector<std::string> seeds() {
  SetManifest manifest;
  manifest.complete = true;
  manifest.tracks = 2;
  manifest.rate_hz = 48'000;
  manifest.format = "S24_3LE";
  manifest.frames = 1000;
  manifest.channels = 1;
  manifest.container = "wav";
  manifest.signal = "noise";
  manifest.seed = UINT64_MAX;
  manifest.layout = "contiguous";
  manifest.files = {{"track-001.wav", 3044}, {"track-002.wav", -1}};
  std::vector<std::string> inputs{to_json(manifest), to_json(SetManifest{}), "", "[]", "null",
                                  "{\"schema\": 1}"};
  for (const char* const name : {"../x", ".hidden", "a/b", "", "x\ny", kSetManifestName}) {
    manifest.files.back().name = name;
    inputs.push_back(to_json(manifest));
  }
  return inputs;
}

void run(const std::uint8_t* data, std::size_t size) {
  const std::string text(text_of(data, size));
  refusal_of(ExitCode::input_file, [&] {
    const AllocationLimit limit((std::size_t{1} << 20) + 512 * size);
    check(set_manifest_from_json(text));
  });
}

const Registered registered{{"set_manifest", seeds, run}};

}  // namespace xrunlab::fuzz::set_manifest
