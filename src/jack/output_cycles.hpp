// What a JACK server's threads call in the client that is played to, apart from what sets it up: the cycles
// and what the server tells. Private to JackOutput, which gives it up where libjack does not let go of it.
//
// Memory ordering: `listener_` and `busy_` are sequentially consistent, so that either the server's thread
// sees that there is no listener any more, or stop() sees that it is busy with one.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "xrunlab/audio/server_pcm.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/jack/jack_library.hpp"

namespace xrunlab {

class OutputCycles {
 public:
  OutputCycles(const JackLibrary& jack, JackClient* client, std::vector<JackPort*> ports)
      : jack_(jack), client_(client), ports_(std::move(ports)), buffers_(ports_.size()) {}
  OutputCycles(const OutputCycles&) = delete;
  OutputCycles& operator=(const OutputCycles&) = delete;

  const std::vector<JackPort*>& ports() const noexcept { return ports_; }

  /// From here on `listener` is called. Thread: main.
  void start(CycleListener& listener) noexcept { listener_.store(&listener); }

  /// From here on nobody is called; false while a call is still under way. Thread: main.
  bool stop() noexcept {
    listener_.store(nullptr);
    return !busy_.load();
  }

  bool gone() const noexcept { return gone_.load(std::memory_order_acquire); }
  pid_t thread() const noexcept { return thread_.load(std::memory_order_acquire); }

  /// Interleaved floats into the buffers of the cycle under way, silence behind them. Thread: playback.
  /// Real-time: wait-free.
  Frames write(const std::byte* data, Frames frames) noexcept;

  // What is given to libjack, with this object.
  static int on_process(std::uint32_t frames, void* cycles) noexcept;
  static int on_xrun(void* cycles) noexcept;
  static void on_shutdown(void* cycles) noexcept;

 private:
  void process(Frames frames) noexcept;

  const JackLibrary& jack_;
  JackClient* const client_;
  SystemClock clock_;
  const std::vector<JackPort*> ports_;
  std::vector<float*> buffers_;  ///< of the cycle under way, a port each
  Frames frames_ = 0;            ///< of the cycle under way
  std::atomic<CycleListener*> listener_{nullptr};
  std::atomic<bool> busy_{false};
  std::atomic<std::int64_t> xruns_{0};
  std::atomic<std::int64_t> xrun_told_ns_{0};
  std::atomic<pid_t> thread_{0};
  std::atomic<bool> gone_{false};
};

}  // namespace xrunlab
