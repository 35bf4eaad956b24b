// Names every field of what one load did, as run_fields does for the rest of a run file. Included by
// run_json.cpp alone.
#pragma once

#include "run_fields.hpp"

namespace xrunlab {

void describe(auto& archive, Of<LoadData> auto& load) {
  archive.field("kind", load.kind);
  archive.field("spec", load.spec);
  archive.field("seed", load.seed);
  archive.field("alive", load.alive);
  archive.field("error", load.error);
  archive.field("wall_ns", load.wall_ns);
  archive.field("operations", load.operations);
  archive.field("operations_per_s", load.operations_per_s);
  archive.field("bytes", load.bytes);
  archive.field("bytes_per_s", load.bytes_per_s);
  archive.field("asked_bytes_per_s", load.asked_bytes_per_s);
  archive.field("cpu_ns", load.cpu_ns);
  archive.field("cpus", load.cpus);
  archive.field("asked_cpus", load.asked_cpus);
  archive.field("device_read_bytes", load.device_read_bytes);
  archive.field("device_written_bytes", load.device_written_bytes);
  archive.field("file_bytes", load.file_bytes);
  archive.field("overruns", load.overruns);
  archive.field("xruns", load.xruns);
  archive.field("driver_late", load.driver_late);
  archive.field("output", load.output);
}

}  // namespace xrunlab
