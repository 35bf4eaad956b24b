// The JACK client that is played to: opened, connected and closed by main, each call of libjack with a
// time-out. Private to jack_pcm.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jack_calls.hpp"
#include "output_cycles.hpp"
#include "xrunlab/audio/server_pcm.hpp"
#include "xrunlab/jack/jack_pcm_options.hpp"

namespace xrunlab {

class JackOutput final : public ServerPcm {
 public:
  /// Opens a client and gives it a port for each channel that `granted` grants for the server's rate and
  /// period. Throws Error{audio_device}, and what `granted` throws.
  using Granted = std::function<PcmGrant(std::uint32_t rate_hz, Frames period)>;
  JackOutput(const JackLibrary& jack, const JackPcmOptions& options, const Granted& granted);
  JackOutput(const JackOutput&) = delete;
  JackOutput& operator=(const JackOutput&) = delete;
  ~JackOutput() override;

  void start_cycles(CycleListener& listener) override;
  bool stop_cycles() noexcept override;
  bool gone() const noexcept override { return cycles_->gone(); }
  pid_t cycle_thread() const noexcept override { return cycles_->thread(); }
  Frames write(const std::byte* data, Frames frames) noexcept override {
    return cycles_->write(data, frames);
  }

  /// Connects the ports in turn to those that `to` means (JackPcmOptions::connect). Returns a line about what
  /// could not be connected, empty when all is well. From here on the server calls: what is heard is silence
  /// until start_cycles. Throws Error{audio_device}. Thread: main.
  std::string connect_to(const std::string& to);

 private:
  void open(const JackPcmOptions& options);
  void register_ports(int channels);
  std::vector<std::string> inputs_of(const std::string& begin, unsigned long flags);
  void close_client() noexcept;

  const JackLibrary& jack_;
  JackCalls calls_;
  JackClient* client_ = nullptr;
  std::unique_ptr<OutputCycles> cycles_;
  bool active_ = false;
};

}  // namespace xrunlab
