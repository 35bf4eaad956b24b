#include "xrunlab/audio/pcm_probe.hpp"

#include <alsa/asoundlib.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include "alsa_limits.hpp"
#include "alsa_negotiate.hpp"
#include "sim_plug.hpp"
#include "xrunlab/audio/sim_options.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {
namespace {

// What alsa-plugins adds to the list: converters in front of "default", and ways to other interfaces.
constexpr std::array<std::string_view, 8> kConverters{"lavrate", "samplerate", "speexrate", "speex",
                                                      "upmix",   "vdownmix",   "usbstream", "oss"};

PcmEntry probe_simulated(const std::string& device) {
  PcmEntry entry{.name = device, .kind = "simulated", .description = "simulated card, no hardware needed"};
  SystemClock clock;
  auto options = parse_sim_options(std::string_view(device).substr(std::min<std::size_t>(device.size(), 4)));
  options.capture.clear();  // it would be emptied
  const Frames least_period = options.period.value_or(kSimMinPeriod);
  SimPlug plug(std::move(options), clock, device.c_str(), SND_PCM_NONBLOCK, 0, PlugOwner::program);
  entry.plugin = type_name(plug.pcm());
  entry.accepts = read_limits(plug.pcm());
  snd_pcm_close(plug.pcm());
  if (!entry.accepts) return entry;
  // Without the size of a frame its limits are in bytes.
  ValueRange& period = entry.accepts->period_frames;
  period.least = std::max(period.least, least_period);
  entry.accepts->buffer_frames.least = std::max(entry.accepts->buffer_frames.least, 2 * period.least);
  return entry;
}

/// libjack prints that it finds no server by itself, past alsa-lib: as long as this lives, stderr is
/// /dev/null.
class SilentStderr {
 public:
  SilentStderr() : stderr_(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
    const UniqueFd nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
    if (stderr_ && nothing) dup2(nothing.get(), STDERR_FILENO);
  }
  ~SilentStderr() {
    if (stderr_) dup2(stderr_.get(), STDERR_FILENO);
  }
  SilentStderr(const SilentStderr&) = delete;
  SilentStderr& operator=(const SilentStderr&) = delete;

 private:
  UniqueFd stderr_;
};

/// Why a PCM could not be opened. A sound server's PCM is there; what is missing is the server.
void explain(int error, const std::string& remark, PcmEntry& entry) {
  if (!entry.server.empty()) {
    entry.problem = "cannot connect to " + entry.server + ": " + errno_text(error) + remark;
    entry.remedy = "start " + entry.server + " to play through it";
    return;
  }
  const Error why = open_error(entry.name, error, remark);
  entry.problem = why.what();
  entry.remedy = why.remedy();
}

std::string kind_of(const PcmEntry& entry) {
  if (!entry.server.empty()) return "server";
  if (last_type_behind(entry.name) == "null") return "unpaced";
  return entry.plugin == "hw" || entry.name.starts_with("hw:") ? "card" : "plugin";
}

PcmEntry probe_alsa(const std::string& device) {
  const AlsaNoise noise;
  const SilentStderr silent;
  PcmEntry entry{.name = device, .server = sound_server_of(device)};
  snd_pcm_t* pcm = nullptr;
  const int error = snd_pcm_open(&pcm, device.c_str(), SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
  if (error < 0) {
    explain(-error, noise.remark(), entry);
  } else {
    entry.plugin = type_name(pcm);
    entry.accepts = read_limits(pcm);
    if (!entry.accepts) entry.problem = "what it accepts cannot be read" + noise.remark();
    snd_pcm_close(pcm);
  }
  entry.kind = kind_of(entry);
  return entry;
}

/// A name and what it stands for.
struct NamedPcm {
  std::string name;
  std::string description;
};

/// The playing devices of one card of the kernel's.
std::vector<NamedPcm> devices_of_card(int card) {
  const std::string by_number = "hw:" + std::to_string(card);
  snd_ctl_t* opened = nullptr;
  if (snd_ctl_open(&opened, by_number.c_str(), SND_CTL_NONBLOCK) < 0) return {{by_number, ""}};
  const std::unique_ptr<snd_ctl_t, int (*)(snd_ctl_t*)> control(opened, snd_ctl_close);
  snd_ctl_card_info_t* info;
  snd_ctl_card_info_alloca(&info);
  if (snd_ctl_card_info(control.get(), info) < 0) return {{by_number, ""}};
  const std::string id = snd_ctl_card_info_get_id(info);
  const std::string card_name = snd_ctl_card_info_get_name(info);
  std::vector<NamedPcm> found;
  for (int device = -1; snd_ctl_pcm_next_device(control.get(), &device) == 0 && device >= 0;) {
    snd_pcm_info_t* pcm;
    snd_pcm_info_alloca(&pcm);
    snd_pcm_info_set_device(pcm, static_cast<unsigned>(device));
    snd_pcm_info_set_stream(pcm, SND_PCM_STREAM_PLAYBACK);
    if (snd_ctl_pcm_info(control.get(), pcm) < 0) continue;  // it only records
    // By the card's id: numbers change from boot to boot.
    found.push_back(
        {"hw:" + id + "," + std::to_string(device), card_name + ", " + snd_pcm_info_get_name(pcm)});
  }
  return found;
}

std::string hint_text(const void* hint, const char* key) {
  const std::unique_ptr<char, void (*)(void*)> text(snd_device_name_get_hint(hint, key), std::free);
  std::string line = text ? text.get() : "";
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

/// What alsa-lib's configuration offers for playing.
std::vector<NamedPcm> hinted_pcms() {
  std::vector<NamedPcm> found;
  void** hints = nullptr;
  if (snd_device_name_hint(-1, "pcm", &hints) < 0) return found;
  for (void** hint = hints; *hint != nullptr; ++hint) {
    if (hint_text(*hint, "IOID") != "Input")
      found.push_back({hint_text(*hint, "NAME"), hint_text(*hint, "DESC")});
  }
  snd_device_name_free_hint(hints);
  return found;
}

/// PCMs defined without a hint, as in most people's ~/.asoundrc; not those that want arguments.
std::vector<NamedPcm> defined_pcms() {
  std::vector<NamedPcm> found;
  snd_config_t* pcms = nullptr;
  if (snd_config_update() < 0 || snd_config_search(snd_config, "pcm", &pcms) < 0) return found;
  snd_config_iterator_t at;
  snd_config_iterator_t next;
  snd_config_for_each(at, next, pcms) {
    snd_config_t* const entry = snd_config_iterator_entry(at);
    snd_config_t* unused = nullptr;
    const char* name = nullptr;
    if (snd_config_get_id(entry, &name) < 0 || snd_config_get_type(entry) != SND_CONFIG_TYPE_COMPOUND)
      continue;
    if (snd_config_search(entry, "type", &unused) < 0 || snd_config_search(entry, "@args", &unused) == 0)
      continue;
    found.push_back({name, ""});
  }
  return found;
}

/// Names with a colon are variants of the cards that are listed by themselves.
bool worth_listing(const NamedPcm& pcm, const std::vector<PcmEntry>& listed) {
  const auto is_listed = [&](const PcmEntry& entry) { return entry.name == pcm.name; };
  return pcm.name.find(':') == std::string::npos &&
         std::find(kConverters.begin(), kConverters.end(), pcm.name) == kConverters.end() &&
         std::none_of(listed.begin(), listed.end(), is_listed);
}

void add_probed(const NamedPcm& pcm, CardsData& cards) {
  cards.pcms.push_back(probe_alsa(pcm.name));
  cards.pcms.back().description = pcm.description;
}

/// In the order in which they are listed. The simulated card describes itself.
void probe_all(const std::vector<NamedPcm>& hardware, CardsData& cards) {
  cards.pcms.push_back(probe_simulated("sim"));
  for (const auto& pcm : hardware) add_probed(pcm, cards);
  for (const auto& list : {hinted_pcms(), defined_pcms()}) {
    for (const auto& pcm : list) {
      if (worth_listing(pcm, cards.pcms)) add_probed(pcm, cards);
    }
  }
}

/// The playing devices of all cards, which are counted in `cards`.
std::vector<NamedPcm> hardware_pcms(CardsData& cards) {
  cards.kernel_has_sound = std::filesystem::exists("/proc/asound");
  std::vector<NamedPcm> hardware;
  for (int card = -1; snd_card_next(&card) == 0 && card >= 0; ++cards.card_count) {
    const auto devices = devices_of_card(card);
    hardware.insert(hardware.end(), devices.begin(), devices.end());
  }
  return hardware;
}

}  // namespace

CardsData probe_pcms(const std::string& device) {
  const AlsaNoise noise;
  CardsData cards;
  const auto hardware = hardware_pcms(cards);
  if (device.empty()) {
    probe_all(hardware, cards);
  } else {
    cards.pcms.push_back(is_simulated(device) ? probe_simulated(device) : probe_alsa(device));
  }
  return cards;
}

CardsData probe_hardware() {
  const AlsaNoise noise;
  CardsData cards;
  for (const auto& pcm : hardware_pcms(cards)) add_probed(pcm, cards);
  return cards;
}

}  // namespace xrunlab
