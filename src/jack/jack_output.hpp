// The JACK client that is played to: its ports, and what the server's threads call. Private to jack_pcm.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "xrunlab/audio/server_pcm.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/jack/jack_library.hpp"

namespace xrunlab {

class JackOutput final : public ServerPcm {
 public:
  /// Takes `client` and gives it a port for each channel. Throws Error{audio_device}.
  JackOutput(const JackLibrary& jack, JackClient* client, PcmGrant grant);
  JackOutput(const JackOutput&) = delete;
  JackOutput& operator=(const JackOutput&) = delete;
  ~JackOutput() override;

  void start_cycles(CycleListener& listener) override;
  void stop_cycles() noexcept override;
  bool gone() const noexcept override { return gone_.load(std::memory_order_acquire); }
  pid_t cycle_thread() const noexcept override { return thread_.load(std::memory_order_acquire); }

  /// Interleaved floats into the buffers of the cycle under way, silence behind them.
  Frames write(const std::byte* data, Frames frames) noexcept override;

  /// Connects the ports in turn to those that `to` means (JackPcmOptions::connect). Returns a line about what
  /// could not be connected, empty when all is well. From here on the server calls: what is heard is silence
  /// until start_cycles. Throws Error{audio_device}. Thread: main.
  std::string connect_to(const std::string& to);

 private:
  static int on_process(std::uint32_t frames, void* output) noexcept;
  static int on_xrun(void* output) noexcept;
  static void on_shutdown(void* output) noexcept;
  void process(Frames frames) noexcept;

  const JackLibrary& jack_;
  JackClient* client_;
  SystemClock clock_;
  std::vector<JackPort*> ports_;
  std::vector<float*> buffers_;  ///< of the cycle under way, a port each
  Frames frames_ = 0;            ///< of the cycle under way
  std::atomic<CycleListener*> listener_{nullptr};
  std::atomic<std::int64_t> xruns_{0};
  std::atomic<std::int64_t> xrun_told_ns_{0};
  std::atomic<pid_t> thread_{0};
  std::atomic<bool> gone_{false};
  bool active_ = false;
};

}  // namespace xrunlab
