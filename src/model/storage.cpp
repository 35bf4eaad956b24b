#include "xrunlab/model/storage.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "xrunlab/model/byte_text.hpp"

namespace xrunlab {
namespace {

using StorageJson = nlohmann::ordered_json;

/// Settings and facts apart, each an object of names and values.
StorageJson settings_object(const BlockDeviceInfo& device, bool writable) {
  StorageJson object = StorageJson::object();
  for (const QueueSetting& setting : device.settings) {
    if (setting.writable != writable) continue;
    object[setting.name] = setting.value ? StorageJson(escape_bytes(*setting.value)) : StorageJson(nullptr);
  }
  return object;
}

StorageJson storage_object(const BlockDeviceInfo& device) {
  const QueueSetting* const scheduler = find_setting(device, "scheduler");
  return {{"name", escape_bytes(device.name)},
          {"kind", to_string(device.kind)},
          {"number", device.number},
          {"label", escape_bytes(device.label)},
          {"backing_file", escape_bytes(device.backing_file)},
          {"size_bytes", device.size_bytes < 0 ? StorageJson(nullptr) : StorageJson(device.size_bytes)},
          {"model", escape_bytes(device.model)},
          {"rotational", device.rotational ? StorageJson(*device.rotational) : StorageJson(nullptr)},
          {"below", device.below},
          {"schedulers", scheduler == nullptr ? std::vector<std::string>{} : scheduler->choices},
          {"settings", settings_object(device, true)},
          {"facts", settings_object(device, false)}};
}

StorageJson storage_object(const FileStorage& file) {
  return {{"path", escape_bytes(file.path)},
          {"filesystem", escape_bytes(file.filesystem)},
          {"mount_point", escape_bytes(file.mount_point)},
          {"mount_source", escape_bytes(file.mount_source)},
          {"mount_options", escape_bytes(file.mount_options)},
          {"super_options", escape_bytes(file.super_options)},
          {"devices", file.devices},
          {"disks", file.disks},
          {"schedule_at", file.schedule_at},
          {"read_ahead_file", escape_bytes(file.read_ahead_file)},
          {"reason", escape_bytes(file.reason)}};
}

}  // namespace

std::string_view to_string(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::disk:
      return "disk";
    case DeviceKind::partition:
      return "partition";
    case DeviceKind::dm:
      return "dm";
    case DeviceKind::md:
      return "md";
    case DeviceKind::loop:
      return "loop";
    case DeviceKind::multipath:
      return "multipath";
    case DeviceKind::path:
      return "path";
    case DeviceKind::memory:
      return "memory";
  }
  return "?";
}

const QueueSetting* find_setting(const BlockDeviceInfo& device, std::string_view name) {
  const auto found = std::find_if(device.settings.begin(), device.settings.end(),
                                  [name](const auto& setting) { return setting.name == name; });
  return found == device.settings.end() ? nullptr : &*found;
}

std::string to_json(const DiskData& disks) {
  StorageJson files = StorageJson::array();
  for (const auto& file : disks.files) files.push_back(storage_object(file));
  StorageJson devices = StorageJson::array();
  for (const auto& device : disks.devices) devices.push_back(storage_object(device));
  const StorageJson json{{"schema", "xrunlab/disk/1"},
                         {"version", disks.version},
                         {"files", std::move(files)},
                         {"devices", std::move(devices)}};
  return json.dump(1, ' ', false, StorageJson::error_handler_t::replace) + "\n";
}

}  // namespace xrunlab
