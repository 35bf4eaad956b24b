// Names every field of an episode in the run file once, as run_fields.hpp does for all else. Part of
// run_fields.hpp.
#pragma once

#include "described.hpp"
#include "xrunlab/model/episode.hpp"

namespace xrunlab {

void describe(auto& archive, Of<CauseShares> auto& shares) {
  archive.field("input_ns", shares.input_ns);
  archive.field("suspend_ns", shares.suspend_ns);
  archive.field("page_fault_ns", shares.page_fault_ns);
  archive.field("scheduler_ns", shares.scheduler_ns);
  archive.field("reader_ns", shares.reader_ns);
  archive.field("decoder_ns", shares.decoder_ns);
  archive.field("disk_ns", shares.disk_ns);
  archive.field("card_ns", shares.card_ns);
}

void describe(auto& archive, Of<AwaitedRead> auto& read) {
  archive.field("track", read.track);
  archive.field("offset_bytes", read.offset_bytes);
  archive.field("age_ns", read.age_ns);
  archive.field("in_flight", read.in_flight);
}

void describe(auto& archive, Of<ThreadEvidence> auto& thread) {
  archive.field("run_delay_ns", thread.run_delay_ns);
  archive.field("cpu_ns", thread.cpu_ns);
  archive.field("minor_faults", thread.minor_faults);
  archive.field("major_faults", thread.major_faults);
}

void describe(auto& archive, Of<MachineEvidence> auto& machine) {
  archive.field("steal_ns", machine.steal_ns);
  archive.field("iowait_ns", machine.iowait_ns);
  archive.field("suspended_ns", machine.suspended_ns);
  archive.field("cpu_pressure_ns", machine.cpu_pressure_ns);
  archive.field("io_pressure_ns", machine.io_pressure_ns);
  archive.field("memory_pressure_ns", machine.memory_pressure_ns);
}

void describe(auto& archive, Of<EpisodeEvidence> auto& evidence) {
  archive.field("detail", evidence.detail);
  archive.field("window_ns", evidence.window_ns);
  archive.field("lost_ns", evidence.lost_ns);
  archive.field("explained_ns", evidence.explained_ns);
  archive.field("bracketed", evidence.bracketed);
  archive.field("bracket_ns", evidence.bracket_ns);
  archive.field("overlap", evidence.overlap);
  archive.field("track", evidence.track);
  archive.field("read", evidence.read);
  archive.field("device", evidence.device);
  archive.field("device_busy_share", evidence.device_busy_share);
  archive.field("reader_late_ns", evidence.reader_late_ns);
  archive.field("wake_late_ns", evidence.wake_late_ns);
  archive.field("decoder_cpu_per_audio", evidence.decoder_cpu_per_audio);
  archive.field("playback", evidence.playback);
  archive.field("reader", evidence.reader);
  archive.field("decoder", evidence.decoder);
  archive.field("machine", evidence.machine);
  archive.field("ran_instead", evidence.ran_instead);
  archive.field("missing", evidence.missing);
}

void describe(auto& archive, Of<EpisodeData> auto& episode) {
  archive.field("kind", episode.kind);
  archive.field("start_ns", episode.start_ns);
  archive.field("duration_ns", episode.duration_ns);
  archive.field("cause", episode.cause);
  archive.field("confidence", episode.confidence);
  archive.field("caused_by", episode.caused_by);
  archive.field("evidence", episode.evidence);
}

}  // namespace xrunlab
