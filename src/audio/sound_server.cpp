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

std::string server_of_name(const char* name, int depth);

std::string server_of_definition(snd_config_t* definition, int depth) {
  const auto server = server_of_type(text_of(definition, "type"));
  if (!server.empty() || depth >= kDeepest) return server;
  for (const char* key : {"slave.pcm", "playback.pcm"}) {
    snd_config_t* slave = nullptr;
    if (snd_config_search(definition, key, &slave) < 0) continue;
    const char* name = nullptr;
    const auto found = snd_config_get_string(slave, &name) == 0 ? server_of_name(name, depth + 1)
                                                                : server_of_definition(slave, depth + 1);
    if (!found.empty()) return found;
  }
  return {};
}

std::string server_of_name(const char* name, int depth) {
  snd_config_t* definition = nullptr;
  if (snd_config_search_definition(snd_config, "pcm", name, &definition) < 0) return {};
  auto server = server_of_definition(definition, depth);
  snd_config_delete(definition);
  return server;
}

}  // namespace

std::string sound_server_of(const std::string& device) {
  const AlsaNoise noise;
  if (snd_config_update() < 0) return {};
  return server_of_name(device.c_str(), 0);
}

}  // namespace xrunlab
