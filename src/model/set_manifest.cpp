#include "xrunlab/model/set_manifest.hpp"

#include <nlohmann/json.hpp>

#include "xrunlab/core/error.hpp"
#include "xrunlab/model/byte_text.hpp"

namespace xrunlab {
namespace {

constexpr const char* kSchema = "xrunlab/set/1";

bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos && name != kSetManifestName;
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ExitCode::input_file, std::string(kSetManifestName) + " is no manifest of a set: " + why,
              "remove the files of the set by hand, then " + std::string(kSetManifestName));
}

}  // namespace

std::string to_json(const SetManifest& manifest) {
  nlohmann::ordered_json json;
  json["schema"] = kSchema;
  json["complete"] = manifest.complete;
  json["created_directory"] = manifest.created_directory;
  json["options"] = {
      {"tracks", manifest.tracks}, {"rate_hz", manifest.rate_hz},   {"format", manifest.format},
      {"frames", manifest.frames}, {"channels", manifest.channels}, {"container", manifest.container},
      {"signal", manifest.signal}, {"seed", manifest.seed},         {"layout", manifest.layout}};
  json["files"] = nlohmann::ordered_json::array();
  for (const auto& file : manifest.files) {
    json["files"].push_back({{"name", file.name}, {"size_bytes", file.size_bytes}});
  }
  return json.dump(2) + "\n";
}

SetManifest set_manifest_from_json(const std::string& text) {
  SetManifest manifest;
  try {
    const auto json = nlohmann::json::parse(text);
    if (json.at("schema") != kSchema) refuse("its schema is not " + std::string(kSchema));
    json.at("complete").get_to(manifest.complete);
    json.at("created_directory").get_to(manifest.created_directory);
    const auto& options = json.at("options");
    options.at("tracks").get_to(manifest.tracks);
    options.at("rate_hz").get_to(manifest.rate_hz);
    options.at("format").get_to(manifest.format);
    options.at("frames").get_to(manifest.frames);
    options.at("channels").get_to(manifest.channels);
    options.at("container").get_to(manifest.container);
    options.at("signal").get_to(manifest.signal);
    options.at("seed").get_to(manifest.seed);
    options.at("layout").get_to(manifest.layout);
    for (const auto& file : json.at("files")) {
      manifest.files.push_back(
          {file.at("name").get<std::string>(), file.at("size_bytes").get<std::int64_t>()});
      if (!is_plain_name(manifest.files.back().name)) {
        refuse(shown_bytes(manifest.files.back().name) + " is not the plain name of a file");
      }
    }
  } catch (const nlohmann::json::exception& error) {
    refuse(error.what());
  }
  return manifest;
}

}  // namespace xrunlab
