// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "output_cycles.hpp"

#include <unistd.h>

#include <algorithm>

namespace xrunlab {

Frames OutputCycles::write(const std::byte* data, Frames frames) noexcept {
  const auto* const samples = reinterpret_cast<const float*>(data);
  const auto channels = static_cast<Frames>(buffers_.size());
  frames = std::min(frames, frames_);
  for (Frames channel = 0; channel < channels; ++channel) {
    float* const buffer = buffers_[static_cast<std::size_t>(channel)];
    if (buffer == nullptr) continue;
    for (Frames frame = 0; frame < frames; ++frame) buffer[frame] = samples[frame * channels + channel];
    std::fill(buffer + frames, buffer + frames_, 0.0F);
  }
  return frames;
}

int OutputCycles::on_process(std::uint32_t frames, void* cycles) noexcept {
  static_cast<OutputCycles*>(cycles)->process(frames);
  return 0;
}

void OutputCycles::process(Frames frames) noexcept {
  // Both from JACK's clock, which need not be ours; how late we are is the same on each.
  const std::uint64_t jack_now_us = jack_.get_time();
  AudioCycle cycle{.frames = frames, .entered = clock_.now()};
  std::uint32_t frame_time = 0;
  std::uint64_t current_us = 0;
  std::uint64_t next_us = 0;
  float period_us = 0;
  const bool told = jack_.get_cycle_times(client_, &frame_time, &current_us, &next_us, &period_us) == 0;
  const std::uint64_t late_us = told && current_us < jack_now_us ? jack_now_us - current_us : 0;
  cycle.began = cycle.entered - std::chrono::microseconds{late_us};
  cycle.xruns = xruns_.load(std::memory_order_acquire);
  cycle.xrun_told = Nanoseconds{xrun_told_ns_.load(std::memory_order_relaxed)};
  frames_ = frames;
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    buffers_[port] =
        static_cast<float*>(jack_.port_get_buffer(ports_[port], static_cast<std::uint32_t>(frames)));
  }
  // Planned: one system call in the whole run.
  if (thread_.load(std::memory_order_relaxed) == 0) thread_.store(::gettid(), std::memory_order_release);
  busy_.store(true);
  CycleListener* const listener = listener_.load();
  if (listener != nullptr) {
    listener->cycle(cycle);
  } else {
    write(nullptr, 0);
  }
  busy_.store(false, std::memory_order_release);
}

/// On a thread of libjack's that waits for the server's messages.
int OutputCycles::on_xrun(void* cycles) noexcept {
  auto& self = *static_cast<OutputCycles*>(cycles);
  self.xrun_told_ns_.store(self.clock_.now().count(), std::memory_order_relaxed);
  self.xruns_.fetch_add(1, std::memory_order_release);
  return 0;
}

void OutputCycles::on_shutdown(void* cycles) noexcept {
  static_cast<OutputCycles*>(cycles)->gone_.store(true, std::memory_order_release);
}

}  // namespace xrunlab
