// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/audio/alsa_pcm.hpp"

#include <alsa/asoundlib.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

// While draining, a card wakes us at its periods or not at all (drivers differ), so it is looked at this
// often.
constexpr Nanoseconds kDrainLook = std::chrono::milliseconds{5};

timespec to_timespec(Nanoseconds duration) noexcept {
  return {duration.count() / kNsPerSecond, duration.count() % kNsPerSecond};
}

}  // namespace

// Constructor and destructor run in set-up and allocate.
AlsaPcm::AlsaPcm(_snd_pcm* handle, PcmGrant grant, Clock& clock) : handle_(handle), clock_(clock) {
  grant_ = std::move(grant);
  const int count = snd_pcm_poll_descriptors_count(handle_);
  if (count > 0) {
    descriptors_.resize(static_cast<std::size_t>(count));
    snd_pcm_poll_descriptors(handle_, descriptors_.data(), static_cast<unsigned>(count));
  } else if (grant_.paced) {
    close_handle();
    throw Error(ExitCode::audio_device, "'" + grant_.name + "' cannot be waited for (no poll descriptors)");
  }
}

AlsaPcm::~AlsaPcm() {
  close_handle();
}

void AlsaPcm::close_handle() noexcept {
  if (handle_ != nullptr) snd_pcm_close(handle_);
  handle_ = nullptr;
}

Frames AlsaPcm::write(const std::byte* data, Frames frames) noexcept {
  const Frames accepted = snd_pcm_writei(handle_, data, static_cast<snd_pcm_uframes_t>(frames));
  if (accepted > 0) last_accepted_ = clock_.now();
  return accepted;
}

int AlsaPcm::wait(Nanoseconds timeout) noexcept {
  const auto deadline = clock_.now() + timeout;
  for (auto left = timeout;; left = std::max(deadline - clock_.now(), Nanoseconds{0})) {
    const auto limit = to_timespec(left);
    const int count = ppoll(descriptors_.data(), descriptors_.size(), &limit, nullptr);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    if (count == 0) return 0;
    unsigned short events = 0;
    const int error = snd_pcm_poll_descriptors_revents(handle_, descriptors_.data(),
                                                       static_cast<unsigned>(descriptors_.size()), &events);
    if (error < 0) return error;
    if ((events & (POLLERR | POLLNVAL)) != 0) return state_error();
    if ((events & POLLOUT) != 0) return 1;
  }
}

/// What an error event of poll means.
int AlsaPcm::state_error() noexcept {
  switch (state()) {
    case PcmState::xrun:
      return -EPIPE;
    case PcmState::suspended:
      return -ESTRPIPE;
    case PcmState::disconnected:
      return -ENODEV;
    default: {
      // The state of a card that was unbound may still be RUNNING; what a call returns is not out of date.
      const Frames room = snd_pcm_avail(handle_);
      return room < 0 ? static_cast<int>(room) : -EIO;
    }
  }
}

Frames AlsaPcm::avail() noexcept {
  return snd_pcm_avail(handle_);
}
int AlsaPcm::prepare() noexcept {
  return snd_pcm_prepare(handle_);
}
int AlsaPcm::resume() noexcept {
  return snd_pcm_resume(handle_);
}
int AlsaPcm::start() noexcept {
  return snd_pcm_start(handle_);
}
int AlsaPcm::drop() noexcept {
  return snd_pcm_drop(handle_);
}

PcmState AlsaPcm::state() noexcept {
  switch (snd_pcm_state(handle_)) {
    case SND_PCM_STATE_PREPARED:
      return PcmState::prepared;
    case SND_PCM_STATE_RUNNING:
      return PcmState::running;
    case SND_PCM_STATE_XRUN:
      return PcmState::xrun;
    case SND_PCM_STATE_SUSPENDED:
      return PcmState::suspended;
    case SND_PCM_STATE_DISCONNECTED:
      return PcmState::disconnected;
    default:
      return PcmState::other;
  }
}

// The trigger time is that of the last start or stop. alsa-lib's own I/O plug-ins (pulse, pipewire, jack)
// do not set it at an xrun, and then it is the start's: a stop cannot lie before the last frames accepted.
std::optional<Nanoseconds> AlsaPcm::stopped_at() noexcept {
  snd_pcm_status_t* status;
  snd_pcm_status_alloca(&status);
  if (snd_pcm_status(handle_, status) < 0) return std::nullopt;
  snd_htimestamp_t trigger;
  snd_pcm_status_get_trigger_htstamp(status, &trigger);
  const Nanoseconds instant{trigger.tv_sec * kNsPerSecond + trigger.tv_nsec};
  if (instant <= last_accepted_ || instant > clock_.now()) return std::nullopt;
  return instant;
}

int AlsaPcm::drain(Nanoseconds limit, const std::atomic<bool>& stop) noexcept {
  const auto deadline = clock_.now() + limit;
  for (;;) {
    const int error = snd_pcm_drain(handle_);
    // A card that ran dry while it drained has played its last frame.
    if (error == 0 || error == -EPIPE) return 0;
    if (error != -EAGAIN) return error;
    if (snd_pcm_state(handle_) != SND_PCM_STATE_DRAINING) return 0;
    const auto now = clock_.now();
    const bool stopped = stop.load(std::memory_order_relaxed);
    if (stopped || now >= deadline) {
      snd_pcm_drop(handle_);
      return stopped ? -ECANCELED : -ETIMEDOUT;
    }
    wait_for_drain(std::min(deadline, now + kDrainLook));
  }
}

void AlsaPcm::wait_for_drain(Nanoseconds until) noexcept {
  clock_.sleep_until(until);
}

}  // namespace xrunlab
