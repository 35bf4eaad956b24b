#include "xrunlab/model/sweep_manifest.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "xrunlab/core/error.hpp"
#include "xrunlab/model/byte_text.hpp"

namespace xrunlab {
namespace {

using SweepJson = nlohmann::ordered_json;

SweepJson escaped(const std::vector<std::string>& texts) {
  auto list = SweepJson::array();
  for (const auto& text : texts) list.push_back(escape_bytes(text));
  return list;
}

std::vector<std::string> unescaped(const nlohmann::json& list) {
  std::vector<std::string> texts;
  for (const auto& text : list) texts.push_back(unescape_bytes(text.get<std::string>()));
  return texts;
}

std::string text_at(const nlohmann::json& object, const char* key) {
  return unescape_bytes(object.at(key).get<std::string>());
}

int count_at(const nlohmann::json& object, const char* key) {
  const auto count = object.at(key).get<std::int64_t>();
  constexpr std::int64_t kMost = 1'000'000;
  return static_cast<int>(count < 0 || count > kMost ? -1 : count);
}

SweepManifest read_manifest(const nlohmann::json& json) {
  SweepManifest sweep;
  for (const auto& axis : json.at("vary")) {
    sweep.axes.push_back({text_at(axis, "key"), unescaped(axis.at("values"))});
  }
  for (const auto& fix : json.at("fix")) sweep.fixed.push_back({text_at(fix, "key"), text_at(fix, "value")});
  sweep.id = text_at(json, "sweep_id");
  sweep.runs = count_at(json, "runs");
  sweep.exploratory = count_at(json, "exploratory_runs");
  sweep.warm_ups = count_at(json, "warm_ups");
  sweep.cool_down = Nanoseconds{json.at("cool_down_ns").get<std::int64_t>()};
  sweep.seed = json.at("seed").get<std::int64_t>();
  sweep.prepare = text_at(json, "prepare");
  sweep.force_inert = json.at("force_inert").get<bool>();
  sweep.play = unescaped(json.at("play"));
  return sweep;
}

}  // namespace

std::string to_json(const SweepManifest& sweep) {
  SweepJson json;
  json["schema"] = kSweepSchema;
  json["sweep_id"] = escape_bytes(sweep.id);
  json["vary"] = SweepJson::array();
  for (const auto& axis : sweep.axes) {
    json["vary"].push_back({{"key", escape_bytes(axis.key)}, {"values", escaped(axis.values)}});
  }
  json["fix"] = SweepJson::array();
  for (const auto& fix : sweep.fixed) {
    json["fix"].push_back({{"key", escape_bytes(fix.key)}, {"value", escape_bytes(fix.value)}});
  }
  json["runs"] = sweep.runs;
  json["exploratory_runs"] = sweep.exploratory;
  json["warm_ups"] = sweep.warm_ups;
  json["cool_down_ns"] = sweep.cool_down.count();
  json["seed"] = sweep.seed;
  json["prepare"] = escape_bytes(sweep.prepare);
  json["force_inert"] = sweep.force_inert;
  json["play"] = escaped(sweep.play);
  return json.dump(1) + "\n";
}

SweepManifest sweep_manifest_from_json(const std::string& text, const std::string& source) {
  const auto refuse = [&source](const std::string& why) {
    throw Error(ExitCode::input_file, source + " is no description of a sweep: " + why,
                "name a directory that xrunlab sweep -o has written");
  };
  SweepManifest sweep;
  try {
    const auto json = nlohmann::json::parse(text);
    if (json.at("schema") != kSweepSchema) refuse("its schema is not " + std::string(kSweepSchema));
    sweep = read_manifest(json);
  } catch (const nlohmann::json::parse_error&) {
    refuse("it is not JSON, or cut off");
  } catch (const nlohmann::json::exception& error) {
    // Behind the library's own number of the error: "key 'seed' not found".
    const std::string_view why = error.what();
    const auto bracket = why.find("] ");
    refuse(std::string(bracket == std::string_view::npos ? why : why.substr(bracket + 2)));
  }
  if (sweep.runs < 1 || sweep.exploratory < 0 || sweep.warm_ups < 0 || sweep.cool_down.count() < 0) {
    refuse("its numbers make no sense");
  }
  return sweep;
}

}  // namespace xrunlab
