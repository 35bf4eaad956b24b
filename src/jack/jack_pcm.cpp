#include "xrunlab/jack/jack_pcm.hpp"

#include <algorithm>

#include "jack_output.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/jack/jack_pcm_options.hpp"

namespace xrunlab {
namespace {

[[noreturn]] void refuse_device(const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::audio_device, what, remedy);
}

/// libjack prints what it thinks on stderr; what matters of it is said in a line of ours.
void say_nothing(const char*) {}

JackClient* open_client(const JackLibrary& jack, const JackPcmOptions& options) {
  jack.set_error_function(say_nothing);
  jack.set_info_function(say_nothing);
  int status = 0;
  JackClient* const client =
      options.server.empty() ? jack.client_open(options.client.c_str(), kJackNoStartServer, &status)
                             : jack.client_open(options.client.c_str(), kJackNoStartServer | kJackServerName,
                                                &status, options.server.c_str());
  if (client != nullptr) return client;
  refuse_device(options.server.empty()
                    ? "there is no JACK server that can be reached"
                    : "there is no JACK server '" + options.server + "' that can be reached",
                "start one as the same user: jackd -d alsa, or under PipeWire: pw-jack xrunlab ...");
}

/// What the server has cannot be changed from here.
PcmGrant granted(const PcmRequest& request, std::uint32_t rate, Frames period) {
  if (rate != request.rate.hz) {
    refuse_device("the JACK server runs at " + std::to_string(rate) + " Hz, the files at " +
                      std::to_string(request.rate.hz),
                  "start it with jackd ... -r " + std::to_string(request.rate.hz) + ", or play other files");
  }
  const auto check_period = [period](const char* option, Frames wanted) {
    if (wanted == period) return;
    refuse_device(std::string(option) + " " + std::to_string(wanted) + ": the JACK server's period is " +
                      std::to_string(period),
                  "start it with jackd ... -p " + std::to_string(wanted) + ", or leave the option out");
  };
  if (request.period > 0) check_period("--period-size", request.period);
  if (request.fragment) check_period("--fragment", *request.fragment);
  if (request.format && *request.format != SampleFormat::f32_le)
    refuse_device("-f: JACK takes FLOAT_LE only", "leave it out");
  // Two buffers: one plays while the other is made. What the driver holds beyond is not ours to know.
  return {.name = request.device,
          .plugin = "jack",
          .format = SampleFormat::f32_le,
          .rate = request.rate,
          .channels = request.channels,
          .period = period,
          .buffer = 2 * period,
          .fragment = period,
          .start_threshold = period,
          .avail_min = period,
          .server_driven = true,
          .server = "JACK"};
}

/// The ports' names, freed.
std::vector<std::string> port_names(const JackLibrary& jack, JackClient* client, const std::string& begin,
                                    unsigned long flags) {
  std::vector<std::string> names;
  const char** const ports = jack.get_ports(client, nullptr, kJackAudioPort, flags);
  for (const char** port = ports; port != nullptr && *port != nullptr; ++port) {
    const std::string name = *port;
    if (name.starts_with(begin)) names.push_back(name);
  }
  if (ports != nullptr) jack.free(ports);
  return names;
}

}  // namespace

JackOutput::JackOutput(const JackLibrary& jack, JackClient* client, PcmGrant grant)
    : jack_(jack),
      client_(client),
      ports_(static_cast<std::size_t>(grant.channels)),
      buffers_(static_cast<std::size_t>(grant.channels)) {
  grant_ = std::move(grant);
  for (std::size_t index = 0; index < ports_.size(); ++index) {
    const std::string name = "out_" + std::to_string(index + 1);
    ports_[index] = jack_.port_register(client_, name.c_str(), kJackAudioPort, kJackPortIsOutput, 0);
    if (ports_[index] != nullptr) continue;
    jack_.client_close(client_);
    refuse_device(
        "the JACK server has no port left for channel " + std::to_string(index + 1),
        "start it with jackd -p " + std::to_string(4 * ports_.size()) + " ..., or give fewer channels, -c");
  }
  jack_.set_process_callback(client_, &JackOutput::on_process, this);
  jack_.set_xrun_callback(client_, &JackOutput::on_xrun, this);
  jack_.on_shutdown(client_, &JackOutput::on_shutdown, this);
}

JackOutput::~JackOutput() {
  stop_cycles();
  jack_.client_close(client_);
}

void JackOutput::start_cycles(CycleListener& listener) {
  if (gone()) refuse_device("the JACK server has ended", "start it again");
  listener_.store(&listener, std::memory_order_release);
}

void JackOutput::stop_cycles() noexcept {
  if (active_) jack_.deactivate(client_);
  active_ = false;
}

std::string JackOutput::connect_to(const std::string& to) {
  if (jack_.activate(client_) != 0) {
    refuse_device(
        "the JACK server does not let its client '" + std::string(jack_.get_client_name(client_)) + "' begin",
        "is it still there?");
  }
  active_ = true;
  if (to == "none") return {};
  const bool physical = to == "auto";
  const auto inputs = port_names(jack_, client_, physical ? "" : to,
                                 kJackPortIsInput | (physical ? kJackPortIsPhysical : 0UL));
  const std::size_t connected = std::min(inputs.size(), ports_.size());
  for (std::size_t index = 0; index < connected; ++index) {
    const char* const from = jack_.port_name(ports_[index]);
    if (jack_.connect(client_, from, inputs[index].c_str()) != 0)
      return std::string(from) + " could not be connected to " + inputs[index] + ": it plays to nobody";
  }
  if (connected == ports_.size()) return {};
  return std::to_string(ports_.size() - connected) + " of " + std::to_string(ports_.size()) +
         " JACK ports are connected to nothing: there are " + std::to_string(inputs.size()) +
         (physical ? " physical outputs" : " inputs whose names begin with '" + to + "'");
}

std::unique_ptr<ServerPcm> open_jack_pcm(const PcmRequest& request, std::vector<std::string>& warnings) {
  const JackPcmOptions options = parse_jack_options(request.device.substr(request.device.find(':') + 1));
  const JackLibrary& jack = JackLibrary::load();
  JackClient* const client = open_client(jack, options);
  PcmGrant grant;
  try {
    grant = granted(request, jack.get_sample_rate(client), jack.get_buffer_size(client));
  } catch (...) {
    jack.client_close(client);
    throw;
  }
  auto output = std::make_unique<JackOutput>(jack, client, std::move(grant));
  if (const std::string warning = output->connect_to(options.connect); !warning.empty())
    warnings.push_back(warning);
  return output;
}

}  // namespace xrunlab
