#include "xrunlab/audio/pcm_open.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "alsa_negotiate.hpp"
#include "sim_plug.hpp"
#include "xrunlab/audio/alsa_pcm.hpp"
#include "xrunlab/audio/sim_options.hpp"
#include "xrunlab/audio/sim_pcm.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

void check_request(const PcmRequest& request) {
  if (request.period < 1 || request.periods < 1 || request.fragment.value_or(1) < 1 ||
      request.buffer.value_or(1) < 1 || request.channels < 1 || request.rate.hz < 1) {
    throw Error(ExitCode::usage,
                "period, fragment, buffer, channels and rate of the card must be at least 1");
  }
}

[[noreturn]] void explain_busy_card(const std::string& device, const std::string& failed,
                                    const std::string& remark) {
  const auto owners = playback_owners(hardware_behind(device));
  if (owners.empty()) {
    throw Error(ExitCode::audio_device,
                failed + "another program holds it, often PipeWire, PulseAudio or JACK" + remark,
                "fuser -v /dev/snd/* shows which; stop it, or play through it with -D default");
  }
  throw Error(ExitCode::audio_device,
              failed + to_text(owners) + (owners.size() == 1 ? " holds it" : " hold it") + remark,
              "stop it; a sound server can be played through with -D default");
}

/// Cards that this user may not open do not exist for alsa-lib: it asks each for its name.
bool every_card_is_closed() {
  bool found = false;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/snd", error)) {
    if (!entry.path().filename().string().starts_with("controlC")) continue;
    if (access(entry.path().c_str(), R_OK | W_OK) == 0) return false;
    found = true;
  }
  return found;
}

[[noreturn]] void explain_open_error(const std::string& device, int error, const std::string& remark) {
  const std::string failed = "cannot open '" + device + "': ";
  const bool missing = error == ENOENT || error == ENXIO || error == ENODEV;
  if (missing && last_type_behind(device) == "hw" && every_card_is_closed()) error = EACCES;
  switch (error) {
    case EBUSY:
      explain_busy_card(device, failed, remark);
    case ENOENT:
    case ENXIO:
    case ENODEV:
      throw Error(ExitCode::audio_device, failed + "there is no such PCM" + remark,
                  "aplay -L lists the names, aplay -l the cards; -D sim needs no card");
    case EACCES:
    case EPERM:
      throw Error(ExitCode::audio_device, failed + "no right to use it" + remark,
                  "add yourself to its group: sudo usermod -aG audio $USER, then log in again");
    default:
      throw Error(ExitCode::audio_device, failed + errno_text(error) + remark,
                  "aplay -L lists the names; -D sim needs no card");
  }
}

/// The format that the simulated card will get, so that its periods can be limited in bytes; 0: none fits,
/// and the negotiation will say so.
Bytes sim_frame_bytes(const SimOptions& options, const PcmRequest& request) {
  const auto has = [&](SampleFormat format) {
    return std::find(options.formats.begin(), options.formats.end(), format) != options.formats.end();
  };
  for (const auto format : {SampleFormat::s32_le, SampleFormat::s24_3le, SampleFormat::s24_le,
                            SampleFormat::s16_le, SampleFormat::f32_le}) {
    const auto wanted = request.format.value_or(format);
    if (has(wanted)) return static_cast<Bytes>(bytes_per_sample(wanted)) * request.channels;
  }
  return 0;
}

std::unique_ptr<Pcm> open_sim(const PcmRequest& request, Clock& clock, std::vector<std::string>& warnings) {
  const std::string_view device = request.device;
  auto options = parse_sim_options(device.substr(std::min<std::size_t>(device.size(), 4)));
  const Bytes frame_bytes = sim_frame_bytes(options, request);
  auto plug = std::make_unique<SimPlug>(std::move(options), clock, request.device.c_str(), SND_PCM_NONBLOCK,
                                        frame_bytes, PlugOwner::program);
  PcmGrant grant;
  try {
    grant = negotiate(plug->pcm(), request, warnings);
  } catch (...) {
    snd_pcm_close(plug->pcm());
    throw;
  }
  grant.simulated = true;
  return std::make_unique<SimPcm>(std::move(plug), std::move(grant), clock);
}

std::unique_ptr<Pcm> open_alsa(const PcmRequest& request, Clock& clock, std::vector<std::string>& warnings) {
  const AlsaNoise noise;
  snd_pcm_t* pcm = nullptr;
  const int error = snd_pcm_open(&pcm, request.device.c_str(), SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
  if (error < 0) explain_open_error(request.device, -error, noise.remark());
  PcmGrant grant;
  try {
    // I/O plug-ins (pulse, jack, pipewire) take it from this call only, not from the mode of snd_pcm_open.
    snd_pcm_nonblock(pcm, 1);
    grant = negotiate(pcm, request, warnings);
  } catch (const Error& failure) {
    snd_pcm_close(pcm);
    throw Error(failure.code(), failure.what() + noise.remark(), failure.remedy());
  }
  // Also "file:…" and "plug:null": nothing behind them has a clock.
  grant.paced = snd_pcm_type(pcm) != SND_PCM_TYPE_NULL && last_type_behind(request.device) != "null";
  grant.server = sound_server_of(request.device);
  return std::make_unique<AlsaPcm>(pcm, std::move(grant), clock);
}

}  // namespace

std::unique_ptr<Pcm> open_pcm(const PcmRequest& request, Clock& clock, std::vector<std::string>& warnings) {
  check_request(request);
  return is_simulated(request.device) ? open_sim(request, clock, warnings)
                                      : open_alsa(request, clock, warnings);
}

bool is_simulated(const std::string& device) {
  return device == "sim" || device.starts_with("sim:");
}

Error open_error(const std::string& device, int error, const std::string& remark) {
  try {
    explain_open_error(device, error, remark);
  } catch (const Error& why) {
    return why;
  }
}

}  // namespace xrunlab
