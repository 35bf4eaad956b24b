#include "xrunlab/engine/rehearsal.hpp"

#include <cerrno>

#include "xrunlab/engine/ring_setup.hpp"
#include "xrunlab/platform/dma_latency.hpp"
#include "xrunlab/platform/thread.hpp"

namespace xrunlab {
namespace {

/// The simulated card without its capture file, which would be emptied.
std::string without_capture(std::string device) {
  const std::string key = "capture=";
  const auto begin = device.find(key);
  if (!device.starts_with("sim:") || begin == std::string::npos) return device;
  const auto comma = device.find(',', begin);
  return device.erase(begin, comma == std::string::npos ? comma : comma + 1 - begin);
}

StreamRequest without_outputs(const StreamRequest& request) {
  StreamRequest unwritten = request;
  unwritten.record.reset();
  unwritten.ring_memory = RingMemory::reserved;
  unwritten.card.device = without_capture(request.card.device);
  return unwritten;
}

/// On a thread of its own: main keeps its policy.
void try_scheduling(const StreamRequest& request, PlaybackParts& parts, SchedSpec spec) {
  SchedResult result;
  Thread thread("rehearsal", [&] { result = apply_scheduling(spec); });
  thread.join();
  for (const auto& warning : result.warnings)
    add_fallback(parts, request.strict, {ExitCode::system, warning});
}

void try_machine(const StreamRequest& request, PlaybackParts& parts) {
  try_scheduling(request, parts, playback_scheduling(request.realtime, parts.pcm->grant()));
  if (request.disk.ring_use == RingUse::ring) try_scheduling(request, parts, request.realtime.reader);
  if (request.realtime.dma_latency) {
    const DmaLatency held(*request.realtime.dma_latency);
  }
}

/// Only a part of the ring was registered; of the rest the limit tells what would become.
IoGrant grant_of_engine(const StreamRequest& request, PlaybackParts& parts) {
  IoGrant grant = make_engine(request, parts)->grant();
  if (grant.fixed_buffers && !may_lock(static_cast<Bytes>(parts.arena->all().size()))) {
    grant.fixed_buffers = false;
    grant.warnings.push_back(unregistered_buffers(ENOMEM));
  }
  return grant;
}

}  // namespace

std::unique_ptr<PlaybackParts> rehearse(const StreamRequest& request) {
  const StreamRequest unwritten = without_outputs(request);
  auto parts = set_up_playback(unwritten, {});
  if (parts->reader) note_engine(unwritten, *parts, grant_of_engine(unwritten, *parts));
  try_machine(unwritten, *parts);
  return parts;
}

std::unique_ptr<PlaybackParts> rehearse_unwritten(const StreamRequest& request) {
  const StreamRequest unwritten = without_outputs(request);
  auto parts = plan_playback(unwritten);
  try_machine(unwritten, *parts);
  return parts;
}

}  // namespace xrunlab
