// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/audio/pcm_writer.hpp"

#include <algorithm>
#include <cerrno>

namespace xrunlab {
namespace {

// A stop is seen this soon even when the card hangs.
constexpr Nanoseconds kWaitSlice = std::chrono::milliseconds{100};
constexpr Nanoseconds kLeastPatience = std::chrono::seconds{10};
constexpr int kPatienceBuffers = 10;

}  // namespace

PcmWriter::PcmWriter(Pcm& pcm, Clock& clock, const std::atomic<bool>& stop) noexcept
    : pcm_(pcm),
      clock_(clock),
      stop_(stop),
      frame_bytes_(static_cast<Bytes>(bytes_per_sample(pcm.grant().format)) * pcm.grant().channels),
      patience_(std::max(kLeastPatience,
                         kPatienceBuffers * frames_to_duration(pcm.grant().buffer, pcm.grant().rate))) {}

PcmWriteResult PcmWriter::write(const std::byte* data, Frames frames) noexcept {
  PcmWriteResult result;
  Nanoseconds waiting_since{};
  while (result.accepted < frames) {
    const Frames accepted = pcm_.write(data + result.accepted * frame_bytes_, frames - result.accepted);
    Step step = Step::go_on;
    if (accepted > 0) {
      result.accepted += accepted;
      result.accepted_since_prepare += accepted;
      waiting_since = {};
    } else if (accepted == 0 || accepted == -EAGAIN) {
      step = wait(result, waiting_since);
    } else {
      step = recover(static_cast<int>(accepted), result);
    }
    if (step == Step::give_up) break;
  }
  return result;
}

PcmWriter::Step PcmWriter::wait(PcmWriteResult& result, Nanoseconds& waiting_since) noexcept {
  const int ready = pcm_.wait(kWaitSlice);
  if (ready < 0) return recover(ready, result);
  if (ready > 0) {
    const Nanoseconds at = clock_.now();
    const Frames available = pcm_.avail();
    if (available < 0) return recover(static_cast<int>(available), result);
    const Frames late = std::max<Frames>(0, available - pcm_.grant().avail_min);
    if (!result.wake || late > result.wake->late) result.wake = Wake{at, late};
    return Step::go_on;
  }
  if (stopping()) {
    result.status = PcmWriteStatus::stopped;
    return Step::give_up;
  }
  const Nanoseconds now = clock_.now();
  if (waiting_since.count() == 0) waiting_since = now;
  if (now - waiting_since < patience_) return Step::go_on;
  result.status = PcmWriteStatus::stuck;
  return Step::give_up;
}

PcmWriter::Step PcmWriter::recover(int error, PcmWriteResult& result) noexcept {
  switch (error) {
    case -EINTR:
    case -EAGAIN:
      return Step::go_on;
    case -EPIPE:
      return recover_xrun(result);
    case -ESTRPIPE:
      return recover_suspend(result);
    case -EBADFD: {
      // Wrong state for a write: an xrun or a suspend that was noticed by another call, or a card that must
      // be prepared.
      const PcmState state = pcm_.state();
      if (state == PcmState::xrun) return recover_xrun(result);
      if (state == PcmState::suspended) return recover_suspend(result);
      if (state == PcmState::other && !result.prepared_anew && pcm_.prepare() == 0) {
        result.prepared_anew = true;
        return Step::go_on;
      }
      return fail(error, result);
    }
    default:
      return fail(error, result);
  }
}

PcmWriter::Step PcmWriter::recover_xrun(PcmWriteResult& result) noexcept {
  if (result.xrun_count < PcmWriteResult::kMostXruns) {
    result.xruns[result.xrun_count] = {clock_.now(), pcm_.stopped_at()};
  }
  ++result.xrun_count;
  result.accepted_since_prepare = 0;
  result.prepared_anew = true;
  const int prepared = pcm_.prepare();
  return prepared < 0 ? fail(prepared, result) : Step::go_on;
}

PcmWriter::Step PcmWriter::recover_suspend(PcmWriteResult& result) noexcept {
  ++result.suspends;
  int resumed = pcm_.resume();
  while (resumed == -EAGAIN && !stopping()) {
    clock_.sleep_until(clock_.now() + kWaitSlice);
    resumed = pcm_.resume();
  }
  if (resumed == -EAGAIN) {
    result.status = PcmWriteStatus::stopped;
    return Step::give_up;
  }
  if (resumed == 0) return Step::go_on;
  // Not every driver can resume; then the frames in the card are lost and it starts anew.
  result.accepted_since_prepare = 0;
  result.prepared_anew = true;
  const int prepared = pcm_.prepare();
  return prepared < 0 ? fail(prepared, result) : Step::go_on;
}

PcmWriter::Step PcmWriter::fail(int error, PcmWriteResult& result) noexcept {
  result.status = PcmWriteStatus::failed;
  result.error = error;
  return Step::give_up;
}

}  // namespace xrunlab
