// The simulated card as a loadable ALSA plug-in, so that aplay, sox or ecasound can play to it:
//   pcm.simcard { type xrunlab  channels 6  stall "3s+70ms"  capture "/tmp/card.wav" }
// The keys are the options of "sim:"; several stalls are a list: stall [ "3s+70ms" "9s+1s" ].
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

#include <cerrno>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "../sim_plug.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

// alsa-lib's configuration has typed values; the option's parser wants them as typed on a command line.
std::string as_text(snd_config_t* value) {
  const char* text = nullptr;
  long number = 0;
  if (snd_config_get_string(value, &text) == 0) return text;
  if (snd_config_get_integer(value, &number) == 0) return std::to_string(number);
  return {};
}

SimOptions read_options(snd_config_t* definition) {
  SimOptions options;
  snd_config_iterator_t entry;
  snd_config_iterator_t following;
  snd_config_for_each(entry, following, definition) {
    snd_config_t* value = snd_config_iterator_entry(entry);
    const char* name = nullptr;
    if (snd_config_get_id(value, &name) < 0) continue;
    const std::string_view key = name;
    if (key == "type" || key == "comment" || key == "hint") continue;
    if (snd_config_get_type(value) != SND_CONFIG_TYPE_COMPOUND) {
      set_sim_option(options, key, as_text(value));
      continue;
    }
    snd_config_iterator_t element;
    snd_config_iterator_t next_element;
    snd_config_for_each(element, next_element, value) {
      set_sim_option(options, key, as_text(snd_config_iterator_entry(element)));
    }
  }
  return options;
}

/// The size of a frame where the options leave no choice, else 0.
Bytes fixed_frame_bytes(const SimOptions& options) {
  const auto bytes = bytes_per_sample(options.formats.front());
  for (const auto format : options.formats) {
    if (bytes_per_sample(format) != bytes) return 0;
  }
  return static_cast<Bytes>(bytes) * options.channels.value_or(0);
}

int open_plugin(snd_pcm_t** pcm, const char* name, snd_config_t* definition, snd_pcm_stream_t stream,
                int mode) {
  if (stream != SND_PCM_STREAM_PLAYBACK) {
    SNDERR("xrunlab: the simulated card plays only");
    return -EINVAL;
  }
  static SystemClock clock;
  try {
    auto options = read_options(definition);
    const Bytes frame_bytes = fixed_frame_bytes(options);
    // alsa-lib owns it from here and has it destroyed in the close callback.
    auto plug =
        std::make_unique<SimPlug>(std::move(options), clock, name, mode, frame_bytes, PlugOwner::alsa);
    *pcm = plug.release()->pcm();
    return 0;
  } catch (const Error& error) {
    SNDERR("xrunlab: %s%s%s", error.what(), error.remedy().empty() ? "" : "; ", error.remedy().c_str());
  } catch (const std::exception& error) {
    SNDERR("xrunlab: %s", error.what());
  }
  return -EINVAL;
}

}  // namespace
}  // namespace xrunlab

// What alsa-lib looks for in the library: the function, and a symbol that says for which version it was
// built.
#pragma GCC visibility push(default)
extern "C" {

SND_PCM_PLUGIN_DEFINE_FUNC(xrunlab) {
  static_cast<void>(root);
  return xrunlab::open_plugin(pcmp, name, conf, stream, mode);
}

SND_PCM_PLUGIN_SYMBOL(xrunlab)
}
#pragma GCC visibility pop
