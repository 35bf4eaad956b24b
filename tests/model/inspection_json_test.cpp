#include "xrunlab/model/inspection_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "xrunlab/model/byte_text.hpp"

namespace xrunlab {
namespace {

using OrderedJson = nlohmann::ordered_json;

FileInspection a_track() {
  FileInspection file;
  file.path = "takes/drums.wav";
  file.name = "drums.wav";
  file.container = "wav";
  file.format = "S24_3LE";
  file.rate_hz = 48000;
  file.channels = 2;
  file.frames = 1000;
  file.frames_known = true;
  file.data_offset = 44;
  file.valid_bits = 24;
  file.playable = true;
  file.warnings = {"cut off"};
  return file;
}

FileInspection a_refused_one() {
  FileInspection file;
  file.path = "text.wav";
  file.name = "text.wav";
  file.error = "not an audio file";
  return file;
}

std::vector<std::string> keys_of(const OrderedJson& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

const std::vector<std::string> kKeys{"path",       "container", "format",       "rate_hz",
                                     "channels",   "frames",    "frames_known", "data_offset",
                                     "valid_bits", "playable",  "warnings",     "error"};

TEST(InspectionJson, GivesEveryFileTheSameKeysInOneOrder) {
  const auto json = OrderedJson::parse(to_json({a_track(), a_refused_one()}, {}));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(keys_of(json[0]), kKeys);
  EXPECT_EQ(keys_of(json[1]), kKeys);
}

TEST(InspectionJson, HoldsWhatWasFound) {
  const auto json = OrderedJson::parse(to_json({a_track()}, {}));
  EXPECT_EQ(json[0],
            OrderedJson::parse(R"({"path": "takes/drums.wav", "container": "wav", "format": "S24_3LE",
      "rate_hz": 48000, "channels": 2, "frames": 1000, "frames_known": true, "data_offset": 44,
      "valid_bits": 24, "playable": true, "warnings": ["cut off"], "error": null})"));
}

TEST(InspectionJson, WhatIsNotKnownIsNull) {
  const auto json = OrderedJson::parse(to_json({a_refused_one()}, {}));
  EXPECT_EQ(json[0],
            OrderedJson::parse(R"({"path": "text.wav", "container": null, "format": null, "rate_hz": null,
      "channels": null, "frames": null, "frames_known": false, "data_offset": null, "valid_bits": null,
      "playable": false, "warnings": [], "error": "not an audio file"})"));
}

TEST(InspectionJson, WhatWasAskedForStandsWithEveryFile) {
  auto scanned = a_track();
  scanned.scan = FileScan{.frames = 1000, .peak_dbfs = -6.021, .clipped_samples = 3};
  scanned.extents = FileExtents{.count = 2, .median_bytes = 4096};
  auto silent = a_track();
  silent.scan = FileScan{.frames = 1000, .peak_dbfs = std::nullopt, .clipped_samples = 0};
  const auto json =
      OrderedJson::parse(to_json({scanned, silent, a_refused_one()}, {.scan = true, .extents = true}));
  EXPECT_EQ(json[0]["scan"],
            OrderedJson::parse(R"({"frames": 1000, "peak_dbfs": -6.021, "clipped_samples": 3})"));
  EXPECT_EQ(json[0]["extents"], 2);
  EXPECT_EQ(json[0]["extent_median_bytes"], 4096);
  EXPECT_TRUE(json[1]["scan"]["peak_dbfs"].is_null());
  for (const char* key : {"scan", "extents", "extent_median_bytes"}) EXPECT_TRUE(json[2].at(key).is_null());
}

TEST(InspectionJson, NamesOfAnyBytesComeBackExactly) {
  const std::string name = "a\nb\"\xe6\xef\xbf\xbd\\.wav";
  auto file = a_track();
  file.path = name;
  const auto json = OrderedJson::parse(to_json({file}, {}));
  EXPECT_EQ(unescape_bytes(json[0]["path"].get<std::string>()), name);
}

TEST(InspectionJson, IsALineForEachFile) {
  const auto text = to_json({a_track(), a_track()}, {});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_EQ(to_json(std::vector<FileInspection>{}, {}), "[\n]\n");
}

}  // namespace
}  // namespace xrunlab
