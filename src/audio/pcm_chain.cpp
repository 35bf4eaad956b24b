#include <alsa/asoundlib.h>

#include <cstdlib>
#include <optional>
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

/// A value of any type as text.
std::string text_of(snd_config_t* node, const char* key) {
  snd_config_t* entry = nullptr;
  char* value = nullptr;
  if (snd_config_search(node, key, &entry) < 0 || snd_config_get_ascii(entry, &value) < 0) return {};
  std::string text = value;
  std::free(value);
  return text;
}

/// Negative numbers stand for any.
std::optional<int> config_number(snd_config_t* node, const char* key) {
  snd_config_t* entry = nullptr;
  long number = -1;
  if (snd_config_search(node, key, &entry) < 0 || snd_config_get_integer(entry, &number) < 0 || number < 0)
    return std::nullopt;
  return static_cast<int>(number);
}

/// The PCM at the end of a chain of slaves.
struct LastPcm {
  std::string type;
  CardAddress address;  ///< of a "hw"
};

LastPcm last_of_name(const char* name, int depth);

LastPcm last_of(snd_config_t* definition, int depth) {
  for (const char* key : {"slave.pcm", "playback.pcm"}) {
    snd_config_t* slave = nullptr;
    if (depth >= kDeepest || snd_config_search(definition, key, &slave) < 0) continue;
    const char* name = nullptr;
    return snd_config_get_string(slave, &name) == 0 ? last_of_name(name, depth + 1)
                                                    : last_of(slave, depth + 1);
  }
  LastPcm last;
  last.type = text_of(definition, "type");
  const int card = snd_card_get_index(text_of(definition, "card").c_str());
  if (card >= 0) last.address.card = card;
  last.address.device = config_number(definition, "device");
  last.address.subdevice = config_number(definition, "subdevice");
  return last;
}

LastPcm last_of_name(const char* name, int depth) {
  snd_config_t* definition = nullptr;
  if (snd_config_search_definition(snd_config, "pcm", name, &definition) < 0) return {};
  auto last = last_of(definition, depth);
  snd_config_delete(definition);
  return last;
}

LastPcm last_behind(const std::string& device) {
  const AlsaNoise noise;
  return snd_config_update() < 0 ? LastPcm{} : last_of_name(device.c_str(), 0);
}

}  // namespace

std::string last_type_behind(const std::string& device) {
  return last_behind(device).type;
}

CardAddress hardware_behind(const std::string& device) {
  return last_behind(device).address;
}

std::string sound_server_of(const std::string& device) {
  return server_of_type(last_type_behind(device));
}

bool silent_device(const std::string& device) {
  return is_simulated(device) || last_type_behind(device) == "null";
}

}  // namespace xrunlab
