// Real-time: this file runs on the playback thread; it must not allocate, lock, print or make unplanned system calls.
#include "xrunlab/audio/sim_pcm.hpp"

#include <algorithm>

#include "sim_plug.hpp"

namespace xrunlab {

// Constructor, destructor and close run in set-up.
SimPcm::SimPcm(std::unique_ptr<SimPlug> plug, PcmGrant grant, Clock& clock)
    : AlsaPcm(plug->pcm(), std::move(grant), clock), plug_(std::move(plug)) {}

SimPcm::~SimPcm() {
  close_handle();  // before the plug-in that its callbacks use
}

void SimPcm::close() {
  plug_->close_capture();
}

int SimPcm::wait(Nanoseconds timeout) noexcept {
  if (!plug_->virtual_time()) return AlsaPcm::wait(timeout);
  const auto now = clock().now();
  const auto ready = plug_->ready_at(now);
  clock().sleep_until(std::min(ready, now + timeout));
  return ready <= now + timeout ? 1 : 0;
}

std::optional<Nanoseconds> SimPcm::stopped_at() noexcept {
  return plug_->dry_at();
}

void SimPcm::wait_for_drain(Nanoseconds until) noexcept {
  clock().sleep_until(std::min(plug_->ready_at(clock().now()), until));
}

}  // namespace xrunlab
