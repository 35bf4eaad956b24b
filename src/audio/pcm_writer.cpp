// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/audio/pcm_writer.hpp"

#include <algorithm>
#include <cerrno>

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kStopLook = 50ms;    // SIGINT must end a run within 200 ms
constexpr Nanoseconds kResumeLook = 50ms;  // a machine that wakes up takes seconds
constexpr Nanoseconds kLeastPatience = 10s;
// Some plug-ins' descriptors are always ready; at SCHED_FIFO, polling those would take the whole core.
constexpr int kMostFruitless = 3;
constexpr Nanoseconds kFruitlessPause = 1ms;

}  // namespace

PcmWriter::PcmWriter(Pcm& pcm, Clock& clock, const std::atomic<bool>& stop) noexcept
    : pcm_(pcm),
      clock_(clock),
      stop_(stop),
      patience_(std::max(kLeastPatience, 10 * frames_to_duration(pcm.grant().buffer, pcm.grant().rate))) {}

WriteResult PcmWriter::write(const std::byte* data, Frames frames, Nanoseconds begin) noexcept {
  WriteResult result;
  const auto& grant = pcm_.grant();
  const Bytes frame_bytes = static_cast<Bytes>(bytes_per_sample(grant.format)) * grant.channels;
  progress_ = begin;
  fruitless_wakes_ = 0;
  fruitless_recoveries_ = 0;
  wrong_states_ = 0;
  xrun_count_ = 0;
  result.ended = begin;
  auto next = Next::go_on;
  while (next == Next::go_on && result.frames < frames) {
    const Frames count = pcm_.write(data + result.frames * frame_bytes, frames - result.frames);
    if (count > 0) {
      accepted(result, count);
    } else if (count == -EAGAIN || count == 0) {
      next = wait_for_room(result);
    } else {
      next = recover(result, static_cast<int>(count));
    }
  }
  result.xruns = {xruns_.data(), xrun_count_};
  if (grant.paced && started_ && result.status == WriteStatus::written) {
    const Frames room = pcm_.avail();
    // An xrun right after the write is met by the next one.
    if (room >= 0) result.queued = std::max<Frames>(0, grant.buffer - room);
  }
  return result;
}

void PcmWriter::accepted(WriteResult& result, Frames count) noexcept {
  result.frames += count;
  result.ended = clock_.now();
  progress_ = result.ended;
  fruitless_wakes_ = 0;
  fruitless_recoveries_ = 0;
  since_prepare_ += count;
  if (!started_ && pcm_.grant().paced && since_prepare_ >= pcm_.grant().start_threshold) card_started(result);
}

void PcmWriter::card_started(WriteResult& result) noexcept {
  started_ = true;
  result.started = result.ended;
  if (!first_start_) first_start_ = result.ended;
  if (const auto xrun = take_open_xrun(result.ended); xrun && xrun_count_ < kMostXruns) {
    xruns_[xrun_count_++] = *xrun;
  }
}

std::optional<XrunSample> PcmWriter::take_open_xrun(std::optional<Nanoseconds> restarted) noexcept {
  if (!open_xrun_) return std::nullopt;
  XrunSample sample{open_xrun_->stopped.value_or(open_xrun_->noticed), std::nullopt};
  if (restarted) sample.dry = dry_time(*restarted);
  open_xrun_.reset();
  return sample;
}

/// Nothing when it would be negative or longer than the run: the driver's trigger time is wrong then.
std::optional<Nanoseconds> PcmWriter::dry_time(Nanoseconds restarted) const noexcept {
  if (!open_xrun_->stopped || !first_start_) return std::nullopt;
  const auto dry = restarted - *open_xrun_->stopped;
  if (dry < 0ns || dry > restarted - *first_start_) return std::nullopt;
  return dry;
}

PcmWriter::Next PcmWriter::wait_for_room(WriteResult& result) noexcept {
  if (fruitless_wakes_ >= kMostFruitless && pause(result, kFruitlessPause) == Next::give_up) {
    return Next::give_up;
  }
  for (;;) {
    if (stop_.load(std::memory_order_relaxed)) return end_with(result, WriteStatus::stopped);
    const int ready = pcm_.wait(kStopLook);
    if (ready < 0) return recover_after_wait(result, ready);
    const auto now = clock_.now();
    if (ready > 0) {
      const Frames room = pcm_.avail();
      if (room < 0) return recover_after_wait(result, static_cast<int>(room));
      const Frames late = room - pcm_.grant().avail_min;
      // A second wake without frames in between is no wake of the card's.
      const bool first = fruitless_wakes_ == 0 && late >= 0;
      if (first && (!result.wake || late > result.wake->late)) result.wake = Wake{now, late};
      ++fruitless_wakes_;
      return now - progress_ > patience_ ? end_with(result, WriteStatus::timed_out) : Next::go_on;
    }
    if (now - progress_ > patience_) return end_with(result, WriteStatus::timed_out);
  }
}

/// A card that ran dry while we waited for it had run past avail_min by the rest of its buffer and by the
/// time since.
PcmWriter::Next PcmWriter::recover_after_wait(WriteResult& result, int error) noexcept {
  if (error == -EPIPE && !open_xrun_) {
    const auto now = clock_.now();
    const auto stopped = pcm_.stopped_at();
    Frames late = pcm_.grant().buffer - pcm_.grant().avail_min;
    if (stopped && *stopped < now) late += duration_to_frames_ceil(now - *stopped, pcm_.grant().rate);
    if (!result.wake || late > result.wake->late) result.wake = Wake{now, late};
  }
  return recover(result, error);
}

PcmWriter::Next PcmWriter::recover(WriteResult& result, int error) noexcept {
  // A card that fails again at once, whatever is done, must not keep a real-time thread busy for ever.
  if (fruitless_recoveries_++ >= kMostFruitless && pause(result, kFruitlessPause) == Next::give_up) {
    return Next::give_up;
  }
  switch (error) {
    case -EAGAIN:
    case -EINTR:
      return Next::go_on;
    case -EPIPE:
      ++result.xruns_met;
      // A card that was never restarted has not run dry a second time.
      if (!open_xrun_) open_xrun_ = OpenXrun{clock_.now(), pcm_.stopped_at()};
      return prepare_again(result);
    case -ESTRPIPE:
      return recover_from_suspend(result);
    case -EBADFD:
      // Once: something else (a stop at the end of a suspend) may have left it in SETUP. Twice: it will stay.
      if (wrong_states_++ > 0) return end_with(result, WriteStatus::failed, error);
      return prepare_again(result);
    case -ENODEV:
      return end_with(result, WriteStatus::gone, error);
    default:
      return end_with(result, WriteStatus::failed, error);
  }
}

PcmWriter::Next PcmWriter::recover_from_suspend(WriteResult& result) noexcept {
  ++result.suspends;
  for (;;) {
    const int error = pcm_.resume();
    if (error == 0) return Next::go_on;
    if (error == -ENODEV) return end_with(result, WriteStatus::gone, error);
    // Drivers that cannot resume (ENOSYS) start anew; what was in the card is lost.
    if (error != -EAGAIN) return prepare_again(result);
    if (pause(result, kResumeLook) == Next::give_up) return Next::give_up;
  }
}

PcmWriter::Next PcmWriter::prepare_again(WriteResult& result) noexcept {
  started_ = false;
  since_prepare_ = 0;
  const int error = pcm_.prepare();
  if (error == 0) return Next::go_on;
  return end_with(result, error == -ENODEV ? WriteStatus::gone : WriteStatus::failed, error);
}

PcmWriter::Next PcmWriter::pause(WriteResult& result, Nanoseconds length) noexcept {
  if (stop_.load(std::memory_order_relaxed)) return end_with(result, WriteStatus::stopped);
  const auto now = clock_.now();
  if (now - progress_ > patience_) return end_with(result, WriteStatus::timed_out);
  clock_.sleep_until(now + length);
  return Next::go_on;
}

PcmWriter::Next PcmWriter::end_with(WriteResult& result, WriteStatus status, int error) noexcept {
  result.status = status;
  result.error = error;
  result.ended = clock_.now();
  return Next::give_up;
}

}  // namespace xrunlab
