#include "xrunlab/model/inspection_json.hpp"

#include <nlohmann/json.hpp>

#include "xrunlab/model/byte_text.hpp"

namespace xrunlab {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson written(const std::optional<FileScan>& scan) {
  if (!scan) return nullptr;
  return {{"frames", scan->frames},
          {"peak_dbfs", scan->peak_dbfs ? OrderedJson(*scan->peak_dbfs) : OrderedJson(nullptr)},
          {"clipped_samples", scan->clipped_samples}};
}

OrderedJson written(const std::optional<FileExtents>& extents, std::int64_t FileExtents::*figure) {
  return extents ? OrderedJson((*extents).*figure) : OrderedJson(nullptr);
}

OrderedJson unless_empty(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(escape_bytes(text));
}

OrderedJson unless_zero(std::int64_t value) {
  return value == 0 ? OrderedJson(nullptr) : OrderedJson(value);
}

OrderedJson written(const FileInspection& file, InspectionParts parts) {
  OrderedJson json;
  json["path"] = escape_bytes(file.path);
  json["container"] = unless_empty(file.container);
  json["format"] = unless_empty(file.format);
  json["rate_hz"] = unless_zero(file.rate_hz);
  json["channels"] = unless_zero(file.channels);
  json["frames"] = file.frames_known ? OrderedJson(file.frames) : OrderedJson(nullptr);
  json["frames_known"] = file.frames_known;
  json["data_offset"] = unless_zero(file.data_offset);
  json["valid_bits"] = unless_zero(file.valid_bits);
  json["playable"] = file.playable;
  json["warnings"] = OrderedJson::array();
  for (const auto& warning : file.warnings) json["warnings"].push_back(escape_bytes(warning));
  json["error"] = unless_empty(file.error);
  if (parts.scan) json["scan"] = written(file.scan);
  if (parts.extents) {
    json["extents"] = written(file.extents, &FileExtents::count);
    json["extent_median_bytes"] = written(file.extents, &FileExtents::median_bytes);
  }
  return json;
}

}  // namespace

std::string to_json(const std::vector<FileInspection>& files, InspectionParts parts) {
  std::string text = "[";
  for (const auto& file : files) {
    text += (text.size() > 1 ? ",\n " : "\n ") + written(file, parts).dump();
  }
  return text + "\n]\n";
}

}  // namespace xrunlab
