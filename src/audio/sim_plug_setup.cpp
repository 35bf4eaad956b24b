#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "alsa_format.hpp"
#include "sim_plug.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

// alsa-lib keeps constraints as unsigned int, and period and buffer in bytes.
constexpr unsigned kMostBufferBytes = 1U << 30;
constexpr Bytes kMostListedPeriods = 2048;
// Players that want no xruns set the stop threshold to ALSA's boundary; so far away sums do not overflow.
constexpr snd_pcm_uframes_t kNeverStops = snd_pcm_uframes_t{1} << 60;

}  // namespace

const snd_pcm_ioplug_callback_t SimPlug::kCallbacks = [] {
  snd_pcm_ioplug_callback_t table{};
  table.start = &SimPlug::on_start;
  table.stop = &SimPlug::on_stop;
  table.pointer = &SimPlug::on_pointer;
  table.transfer = &SimPlug::on_transfer;
  table.prepare = &SimPlug::on_prepare;
  table.drain = &SimPlug::on_drain;
  table.poll_revents = &SimPlug::on_poll_revents;
  table.hw_params = &SimPlug::on_hw_params;
  table.sw_params = &SimPlug::on_sw_params;
  table.close = &SimPlug::on_close;
  return table;
}();

SimPlug::SimPlug(SimOptions options, Clock& clock, const char* name, int mode, Bytes frame_bytes,
                 PlugOwner owner)
    : options_(std::move(options)),
      name_(name),
      clock_(clock),
      virtual_time_(dynamic_cast<SystemClock*>(&clock) == nullptr),
      owner_(owner),
      timer_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  if (!timer_) {
    throw Error(ExitCode::audio_device, "the simulated card cannot make a timer: " + errno_text(errno),
                "raise the number of open files: ulimit -n");
  }
  if (!options_.capture.empty()) capture_ = std::make_unique<SimCapture>(options_.capture);
  io_.version = SND_PCM_IOPLUG_VERSION;
  io_.name = "xrunlab simulated card";
  io_.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
  io_.callback = &kCallbacks;
  io_.private_data = this;
  io_.poll_fd = timer_.get();
  io_.poll_events = POLLIN;
  if (const int error = snd_pcm_ioplug_create(&io_, name_.c_str(), SND_PCM_STREAM_PLAYBACK, mode);
      error < 0) {
    throw Error(ExitCode::audio_device, "alsa-lib cannot make the simulated card: " + errno_text(-error));
  }
  // snd_pcm_ioplug_create (1.2.8) does not take it from the mode.
  io_.nonblock = (mode & SND_PCM_NONBLOCK) != 0 ? 1 : 0;
  arm(Nanoseconds{1});
  try {
    constrain(frame_bytes);
  } catch (...) {
    owner_ = PlugOwner::program;  // the constructor has failed: on_close must not destroy us
    snd_pcm_close(io_.pcm);
    throw;
  }
}

void SimPlug::constrain(Bytes frame_bytes) {
  set_list(SND_PCM_IOPLUG_HW_ACCESS, {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED});
  std::vector<unsigned> formats;
  for (const auto format : options_.formats) formats.push_back(static_cast<unsigned>(to_alsa(format)));
  set_list(SND_PCM_IOPLUG_HW_FORMAT, formats);
  const auto channels = static_cast<unsigned>(options_.channels.value_or(0));
  set_range(SND_PCM_IOPLUG_HW_CHANNELS, channels != 0 ? channels : 1,
            channels != 0 ? channels : kSimMaxChannels);
  const auto rate = options_.rate.value_or(SampleRate{0}).hz;
  set_range(SND_PCM_IOPLUG_HW_RATE, rate != 0 ? rate : 1, rate != 0 ? rate : 10'000'000);
  set_range(SND_PCM_IOPLUG_HW_PERIODS, 2, INT_MAX);
  set_range(SND_PCM_IOPLUG_HW_BUFFER_BYTES, 1, kMostBufferBytes);
  constrain_periods(frame_bytes);
}

// Periods are limited in bytes, so a limit in frames needs the size of a frame. Without it (the loadable
// plug-in) on_hw_params refuses what does not fit.
void SimPlug::constrain_periods(Bytes frame_bytes) {
  const Bytes unknown_frame = 1;
  const Bytes least = kSimMinPeriod * (frame_bytes > 0 ? frame_bytes : unknown_frame);
  const Bytes most = kMostBufferBytes / 2;
  if (frame_bytes == 0 || !options_.period) {
    set_range(SND_PCM_IOPLUG_HW_PERIOD_BYTES, static_cast<unsigned>(least), static_cast<unsigned>(most));
    return;
  }
  std::vector<unsigned> sizes;
  const Bytes step = *options_.period * frame_bytes;
  for (Bytes count = 1; count <= kMostListedPeriods && count * step <= most; ++count) {
    sizes.push_back(static_cast<unsigned>(count * step));
  }
  set_list(SND_PCM_IOPLUG_HW_PERIOD_BYTES, sizes);
}

void SimPlug::set_list(int parameter, const std::vector<unsigned>& values) {
  const int error =
      snd_pcm_ioplug_set_param_list(&io_, parameter, static_cast<unsigned>(values.size()), values.data());
  if (error < 0) throw Error(ExitCode::audio_device, "the simulated card's limits contradict each other");
}

void SimPlug::set_range(int parameter, unsigned least, unsigned most) {
  const int error = snd_pcm_ioplug_set_param_minmax(&io_, parameter, least, most);
  if (error < 0) throw Error(ExitCode::audio_device, "the simulated card's limits contradict each other");
}

int SimPlug::on_hw_params(snd_pcm_ioplug_t* io, snd_pcm_hw_params_t*) noexcept {
  auto& plug = self(io);
  const auto period = static_cast<Frames>(io->period_size);
  if (period < kSimMinPeriod || period % plug.options_.period.value_or(1) != 0) {
    SNDERR("xrunlab: a period of %lld frames is less than 16 or no multiple of the option 'period'",
           static_cast<long long>(period));
    return -EINVAL;
  }
  plug.frame_bytes_ = snd_pcm_format_physical_width(io->format) / 8 * static_cast<Bytes>(io->channels);
  plug.stop_threshold_ = plug.buffer();
  plug.avail_min_ = period;
  try {
    plug.card_ = SimCard({SampleRate{io->rate}, plug.options_.ppm}, plug.options_.stalls);
    if (plug.capture_ != nullptr) plug.begin_capture();
  } catch (const std::exception& error) {
    SNDERR("xrunlab: %s", error.what());
    return -ENOMEM;
  }
  return 0;
}

void SimPlug::begin_capture() {
  const CaptureLayout layout{*from_alsa(io_.format), SampleRate{io_.rate}, static_cast<int>(io_.channels)};
  // A second of sound rides over what a busy disk does, but the largest cards would ask for gigabytes.
  const Bytes second = std::min<Bytes>(layout.rate.hz * layout.frame_bytes(), Bytes{64} << 20);
  const Bytes buffers = 4 * buffer() * layout.frame_bytes();
  const Bytes size = round_up(std::max({second, buffers, Bytes{1} << 20}), layout.frame_bytes());
  capture_->begin(layout, size, virtual_time_ ? WhenFull::wait : WhenFull::fail);
}

int SimPlug::on_sw_params(snd_pcm_ioplug_t* io, snd_pcm_sw_params_t* params) noexcept {
  auto& plug = self(io);
  snd_pcm_uframes_t value = 0;
  if (snd_pcm_sw_params_get_avail_min(params, &value) == 0) {
    plug.avail_min_ = std::clamp<Frames>(static_cast<Frames>(value), 1, plug.buffer());
  }
  if (snd_pcm_sw_params_get_stop_threshold(params, &value) == 0) {
    plug.stop_threshold_ = static_cast<Frames>(std::min(value, kNeverStops));
  }
  if (plug.card_.running()) plug.arm(plug.ready_at(plug.clock_.now()));
  return 0;
}

int SimPlug::on_close(snd_pcm_ioplug_t* io) noexcept {
  auto& plug = self(io);
  if (plug.owner_ == PlugOwner::program) return 0;
  try {
    plug.close_capture();
  } catch (const std::exception& error) {
    SNDERR("xrunlab: %s", error.what());
  }
  delete &plug;
  return 0;
}

void SimPlug::close_capture() {
  if (capture_ != nullptr) capture_->close();
}

}  // namespace xrunlab
