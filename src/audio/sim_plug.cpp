// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "sim_plug.hpp"

#include <poll.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>

namespace xrunlab {

int SimPlug::on_start(snd_pcm_ioplug_t* io) noexcept {
  auto& plug = self(io);
  const auto now = plug.clock_.now();
  plug.card_.start(now);
  plug.arm(plug.ready_at(now, plug.accepted()));
  return 0;
}

int SimPlug::on_stop(snd_pcm_ioplug_t* io) noexcept {
  auto& plug = self(io);
  plug.card_.stop();
  plug.arm(Nanoseconds{1});
  return 0;
}

int SimPlug::on_prepare(snd_pcm_ioplug_t* io) noexcept {
  return on_stop(io);
}

// alsa-lib adds the difference to the last position to its own pointer, also while PREPARED: anything but 0
// there swallows up to a whole buffer at each start. Nor does alsa-lib's ioplug look at the stop threshold:
// the xrun is ours to see. Positions are never wrapped (SND_PCM_IOPLUG_FLAG_BOUNDARY_WA; ALSA's boundary is
// out of reach in 64 bits), so that a late look cannot lose a whole buffer.
snd_pcm_sframes_t SimPlug::on_pointer(snd_pcm_ioplug_t* io) noexcept {
  auto& plug = self(io);
  if (io->state == SND_PCM_STATE_XRUN) return -EPIPE;
  if (io->state != SND_PCM_STATE_RUNNING && io->state != SND_PCM_STATE_DRAINING) return 0;
  const Frames position = plug.card_.position(plug.clock_.now());
  const Frames accepted = plug.accepted();
  if (io->state == SND_PCM_STATE_DRAINING) return std::min(position, accepted);
  const Frames runs_dry = accepted + plug.stop_threshold_ - plug.buffer();
  if (position >= runs_dry) {
    plug.dry_at_ = plug.card_.reached(runs_dry);
    plug.card_.stop();
    plug.arm(Nanoseconds{1});
    return -EPIPE;
  }
  return position;
}

snd_pcm_sframes_t SimPlug::on_transfer(snd_pcm_ioplug_t* io, const snd_pcm_channel_area_t* areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) noexcept {
  auto& plug = self(io);
  auto now = plug.clock_.now();
  if (const auto open_again = plug.card_.past_stall(now); open_again != now) {
    if (io->nonblock != 0) {
      plug.arm(open_again);
      return -EAGAIN;
    }
    plug.clock_.sleep_until(open_again);
    now = open_again;
  }
  if (plug.capture_ != nullptr) {
    const auto* data =
        static_cast<const std::byte*>(areas->addr) + areas->first / 8 + offset * areas->step / 8;
    if (!plug.capture_->push(data, static_cast<Bytes>(size) * plug.frame_bytes_)) return -EIO;
  }
  if (io->state == SND_PCM_STATE_RUNNING) {
    plug.arm(plug.ready_at(now, plug.accepted() + static_cast<Frames>(size)));
  }
  return static_cast<snd_pcm_sframes_t>(size);
}

// alsa-lib has set the state to DRAINING without starting a PREPARED card: with this callback it is ours to
// do. It leaves the state at DRAINING after −EAGAIN and drops the stream after 0.
int SimPlug::on_drain(snd_pcm_ioplug_t* io) noexcept {
  auto& plug = self(io);
  const Frames accepted = plug.accepted();
  if (accepted == 0) return 0;
  const auto now = plug.clock_.now();
  if (!plug.card_.running()) plug.card_.start(now);
  const auto last_frame = plug.card_.reached(accepted);
  if (now >= last_frame) return 0;
  if (io->nonblock != 0) {
    plug.arm(last_frame);
    return -EAGAIN;
  }
  plug.clock_.sleep_until(last_frame);
  return 0;
}

// The timer is not read: once expired it stays readable until it is set again, by the write it asked for.
int SimPlug::on_poll_revents(snd_pcm_ioplug_t*, pollfd* descriptors, unsigned count,
                             unsigned short* events) noexcept {
  if (count != 1) return -EINVAL;
  *events = (descriptors->revents & POLLIN) != 0 ? POLLOUT : 0;
  return 0;
}

Nanoseconds SimPlug::ready_at(Nanoseconds now, Frames accepted_frames) const noexcept {
  if (!card_.running()) return now;
  if (io_.state == SND_PCM_STATE_DRAINING) return std::max(now, card_.reached(accepted_frames));
  const Frames needed = accepted_frames - (buffer() - avail_min_);
  const Frames boundary = round_up(std::max<Frames>(needed, 0), static_cast<Frames>(io_.period_size));
  return card_.past_stall(std::max(now, card_.reached(boundary)));
}

void SimPlug::arm(Nanoseconds instant) noexcept {
  if (virtual_time_) return;
  const std::int64_t ns = std::max<std::int64_t>(instant.count(), 1);  // 0 would disarm it
  const itimerspec when{{0, 0}, {ns / kNsPerSecond, ns % kNsPerSecond}};
  timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &when, nullptr);
}

}  // namespace xrunlab
