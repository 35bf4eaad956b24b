#include <alsa/asoundlib.h>

#include <string>
#include <string_view>

#include "alsa_negotiate.hpp"

namespace xrunlab {
namespace {

// plug → asym → softvol → pipewire: real configurations are not deeper; a definition may name itself.
constexpr int kDeepest = 6;

std::string server_of_type(std::string_view type) {
  if (type == "pipewire") return "PipeWire";
  if (type == "pulse") return "PulseAudio";
  if (type == "jack") return "JACK";
  return {};
}

std::string text_of(snd_config_t* node, const char* key) {
  snd_config_t* entry = nullptr;
  const char* text = nullptr;
  if (snd_config_search(node, key, &entry) < 0 || snd_config_get_string(entry, &text) < 0) return {};
  return text;
}

std::string last_type_of_name(const char* name, int depth);

/// The type at the end of the chain of slaves that starts at `definition`.
std::string last_type_of(snd_config_t* definition, int depth) {
  auto type = text_of(definition, "type");
  for (const char* key : {"slave.pcm", "playback.pcm"}) {
    snd_config_t* slave = nullptr;
    if (depth >= kDeepest || snd_config_search(definition, key, &slave) < 0) continue;
    const char* name = nullptr;
    return snd_config_get_string(slave, &name) == 0 ? last_type_of_name(name, depth + 1)
                                                    : last_type_of(slave, depth + 1);
  }
  return type;
}

std::string last_type_of_name(const char* name, int depth) {
  snd_config_t* definition = nullptr;
  if (snd_config_search_definition(snd_config, "pcm", name, &definition) < 0) return {};
  auto type = last_type_of(definition, depth);
  snd_config_delete(definition);
  return type;
}

}  // namespace

std::string last_type_behind(const std::string& device) {
  const AlsaNoise noise;
  return snd_config_update() < 0 ? std::string() : last_type_of_name(device.c_str(), 0);
}

std::string sound_server_of(const std::string& device) {
  return server_of_type(last_type_behind(device));
}

bool silent_device(const std::string& device) {
  return is_simulated(device) || last_type_behind(device) == "null";
}

}  // namespace xrunlab
