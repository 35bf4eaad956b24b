#include "jack_output.hpp"

#include <algorithm>
#include <exception>

#include "activation.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

// A period that is under way ends within it, unless its thread is not served at all.
constexpr Nanoseconds kCyclePatience = std::chrono::milliseconds{500};
constexpr Nanoseconds kCycleLook = std::chrono::milliseconds{1};

[[noreturn]] void refuse_server(const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::audio_device, what, remedy);
}

/// libjack prints what it thinks on stderr; what matters of it is said in a line of ours.
void say_nothing(const char*) {}

}  // namespace

JackOutput::JackOutput(const JackLibrary& jack, const JackPcmOptions& options, const Granted& granted)
    : jack_(jack), calls_(options.timeout) {
  open(options);
  try {
    const auto* const library = &jack_;
    JackClient* const client = client_;
    grant_ = granted(calls_.make("jack_get_sample_rate", [=] { return library->get_sample_rate(client); }),
                     calls_.make("jack_get_buffer_size", [=] { return library->get_buffer_size(client); }));
    register_ports(grant_.channels);
  } catch (...) {
    close_client();
    throw;
  }
}

JackOutput::~JackOutput() {
  stop_cycles();
  close_client();
}

void JackOutput::open(const JackPcmOptions& options) {
  jack_.set_error_function(say_nothing);
  jack_.set_info_function(say_nothing);
  client_ = calls_.make("jack_client_open", [library = &jack_, options] {
    int status = 0;
    return options.server.empty()
               ? library->client_open(options.client.c_str(), kJackNoStartServer, &status)
               : library->client_open(options.client.c_str(), kJackNoStartServer | kJackServerName, &status,
                                      options.server.c_str());
  });
  if (client_ != nullptr) return;
  refuse_server(options.server.empty()
                    ? "there is no JACK server that can be reached"
                    : "there is no JACK server '" + options.server + "' that can be reached",
                "start one as the same user: jackd -d alsa, or under PipeWire: pw-jack xrunlab ...");
}

void JackOutput::register_ports(int channels) {
  const auto* const library = &jack_;
  JackClient* const client = client_;
  std::vector<JackPort*> ports;
  for (int channel = 1; channel <= channels; ++channel) {
    const std::string name = "out_" + std::to_string(channel);
    ports.push_back(calls_.make("jack_port_register", [=] {
      return library->port_register(client, name.c_str(), kJackAudioPort, kJackPortIsOutput, 0);
    }));
    if (ports.back() != nullptr) continue;
    refuse_server(
        "the JACK server has no port left for channel " + std::to_string(channel),
        "start it with jackd -p " + std::to_string(4 * channels) + " ..., or give fewer channels, -c");
  }
  cycles_ = std::make_unique<OutputCycles>(jack_, client_, std::move(ports));
  calls_.make("jack_set_process_callback", [=, cycles = cycles_.get()] {
    library->on_shutdown(client, &OutputCycles::on_shutdown, cycles);
    library->set_xrun_callback(client, &OutputCycles::on_xrun, cycles);
    return library->set_process_callback(client, &OutputCycles::on_process, cycles);
  });
}

void JackOutput::close_client() noexcept {
  try {
    calls_.make("jack_client_close",
                [library = &jack_, client = client_] { return library->client_close(client); });
  } catch (const std::exception&) {
    // The server's thread may still call: what it calls stays.
    static_cast<void>(cycles_.release());
  }
}

void JackOutput::start_cycles(CycleListener& listener) {
  if (gone()) refuse_server("the JACK server has ended", "start it again");
  cycles_->start(listener);
}

bool JackOutput::stop_cycles() noexcept {
  SystemClock clock;
  const Nanoseconds until = clock.now() + kCyclePatience;
  bool stopped = cycles_->stop();
  while (!stopped && clock.now() < until) {
    clock.sleep_until(clock.now() + kCycleLook);
    stopped = cycles_->stop();
  }
  try {
    if (active_)
      calls_.make("jack_deactivate",
                  [library = &jack_, client = client_] { return library->deactivate(client); });
  } catch (const std::exception&) {  // closing it will not return either
  }
  active_ = false;
  return stopped;
}

std::vector<std::string> JackOutput::inputs_of(const std::string& begin, unsigned long flags) {
  return calls_.make("jack_get_ports", [library = &jack_, client = client_, begin, flags] {
    std::vector<std::string> names;
    const char** const ports = library->get_ports(client, nullptr, kJackAudioPort, kJackPortIsInput | flags);
    for (const char** port = ports; port != nullptr && *port != nullptr; ++port) {
      const std::string name = *port;
      if (name.starts_with(begin)) names.push_back(name);
    }
    if (ports != nullptr) library->free(ports);
    return names;
  });
}

std::string JackOutput::connect_to(const std::string& to) {
  const auto* const library = &jack_;
  JackClient* const client = client_;
  if (!calls_.make("jack_activate", [=] { return activate_client(*library, client, [] {}); })) {
    refuse_server(
        "the JACK server does not let its client '" + std::string(jack_.get_client_name(client_)) + "' begin",
        "is it still there?");
  }
  active_ = true;
  if (to == "none") return {};
  const bool physical = to == "auto";
  const auto inputs = inputs_of(physical ? "" : to, physical ? kJackPortIsPhysical : 0UL);
  const auto& ports = cycles_->ports();
  const std::size_t connected = std::min(inputs.size(), ports.size());
  for (std::size_t index = 0; index < connected; ++index) {
    const std::string from = jack_.port_name(ports[index]);
    const std::string& into = inputs[index];
    const int failed =
        calls_.make("jack_connect", [=] { return library->connect(client, from.c_str(), into.c_str()); });
    if (failed != 0) return from + " could not be connected to " + into + ": it plays to nobody";
  }
  if (connected == ports.size()) return {};
  return std::to_string(ports.size() - connected) + " of " + std::to_string(ports.size()) +
         " JACK ports are connected to nothing: there are " + std::to_string(inputs.size()) +
         (physical ? " physical outputs" : " inputs whose names begin with '" + to + "'");
}

}  // namespace xrunlab
