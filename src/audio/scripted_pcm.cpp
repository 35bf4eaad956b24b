#include "xrunlab/audio/scripted_pcm.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace xrunlab {

ScriptedPcm::ScriptedPcm(PcmGrant grant, FakeClock& clock, std::vector<ScriptedFault> script)
    : clock_(clock), script_(std::move(script)), card_({grant.rate, 0}, {}) {
  grant_ = std::move(grant);
  if (grant_.name.empty()) grant_.name = "scripted";
  if (grant_.fragment == 0) grant_.fragment = grant_.period;
  set_thresholds(grant_);
}

int ScriptedPcm::play_script() noexcept {
  const auto due = std::find_if(script_.begin(), script_.end(), [&](const ScriptedFault& fault) {
    return total_ / grant_.fragment >= fault.fragment;
  });
  if (due == script_.end()) return 0;
  const ScriptedFault fault = *due;
  script_.erase(due);
  switch (fault.fault) {
    case CardFault::xrun:
      if (state_ == PcmState::running) clock_.sleep_until(card_.reached(since_prepare_) + fault.length);
      break;
    case CardFault::suspend:
      state_ = PcmState::suspended;
      can_resume_ = fault.length.count() > 0;
      resumes_at_ = clock_.now() + fault.length;
      break;
    case CardFault::unplug:
      state_ = PcmState::disconnected;
      break;
    case CardFault::wrong_state:
      state_ = PcmState::other;
      break;
    case CardFault::short_write:
      short_write_ = fault.frames;
      break;
    case CardFault::refuse:
      refuses_until_ = clock_.now() + fault.length;
      break;
    case CardFault::hang:
      refuses_until_ = Nanoseconds::max();
      break;
  }
  return error_of_state();
}

int ScriptedPcm::error_of_state() const noexcept {
  switch (state_) {
    case PcmState::xrun:
      return -EPIPE;
    case PcmState::suspended:
      return -ESTRPIPE;
    case PcmState::disconnected:
      return -ENODEV;
    case PcmState::other:
      return -EBADFD;
    default:
      return 0;
  }
}

void ScriptedPcm::look_at_card() noexcept {
  if (state_ != PcmState::running || card_.position(clock_.now()) < since_prepare_) return;
  stopped_at_ = card_.reached(since_prepare_);
  card_.stop();
  state_ = PcmState::xrun;
}

Frames ScriptedPcm::write(const std::byte* data, Frames frames) noexcept {
  if (const int error = play_script(); error != 0) return error;
  const Frames room = avail();
  if (room < 0) return room;
  if (clock_.now() < refuses_until_ || room == 0) return -EAGAIN;
  if (state_ == PcmState::running && room < frames && room < grant_.avail_min) return -EAGAIN;
  Frames count = std::min(frames, room);
  if (short_write_ > 0) count = std::min(count, std::exchange(short_write_, 0));
  const Bytes size = count * bytes_per_sample(grant_.format) * grant_.channels;
  accepted_.insert(accepted_.end(), data, data + size);
  total_ += count;
  since_prepare_ += count;
  if (state_ == PcmState::prepared && since_prepare_ >= grant_.start_threshold) start();
  return count;
}

int ScriptedPcm::wait(Nanoseconds timeout) noexcept {
  if (const int error = error_of_state(); error != 0) return error;
  const auto now = clock_.now();
  auto ready = std::max(now, refuses_until_);
  if (state_ == PcmState::running) {
    const Frames needed = since_prepare_ - (grant_.buffer - grant_.avail_min);
    ready = std::max(ready, card_.reached(round_up(std::max<Frames>(needed, 0), grant_.period)));
  }
  clock_.sleep_until(std::min(ready, now + timeout));
  return ready <= now + timeout ? 1 : 0;
}

Frames ScriptedPcm::avail() noexcept {
  look_at_card();
  if (const int error = error_of_state(); error != 0) return error;
  return grant_.buffer - (since_prepare_ - card_.position(clock_.now()));
}

int ScriptedPcm::prepare() noexcept {
  if (state_ == PcmState::disconnected) return -ENODEV;
  card_.stop();
  since_prepare_ = 0;
  state_ = PcmState::prepared;
  ++prepares_;
  return 0;
}

int ScriptedPcm::resume() noexcept {
  if (state_ != PcmState::suspended) return state_ == PcmState::disconnected ? -ENODEV : -EBADFD;
  if (!can_resume_) return -ENOSYS;
  if (clock_.now() < resumes_at_) return -EAGAIN;
  // What was in the card waits through the suspend; its clock goes on from here.
  since_prepare_ = std::max<Frames>(since_prepare_ - card_.position(resumes_at_), grant_.fragment);
  state_ = PcmState::prepared;
  return start();
}

int ScriptedPcm::start() noexcept {
  if (state_ != PcmState::prepared) return -EBADFD;
  card_.start(clock_.now());
  state_ = PcmState::running;
  return 0;
}

PcmState ScriptedPcm::state() noexcept {
  look_at_card();
  return state_;
}

int ScriptedPcm::drain(Nanoseconds limit, const std::atomic<bool>& stop) noexcept {
  if (state_ == PcmState::disconnected) return -ENODEV;
  if (state_ == PcmState::prepared && since_prepare_ > 0) start();
  look_at_card();
  if (state_ == PcmState::running) {
    if (stop.load(std::memory_order_relaxed)) {
      drop();
      return -ECANCELED;
    }
    const auto deadline = clock_.now() + limit;
    const auto end = card_.reached(since_prepare_);
    clock_.sleep_until(std::min(end, deadline));
    if (end > deadline) {
      drop();
      return -ETIMEDOUT;
    }
  }
  return drop();
}

int ScriptedPcm::drop() noexcept {
  card_.stop();
  if (state_ != PcmState::disconnected) state_ = PcmState::other;
  return 0;
}

}  // namespace xrunlab
