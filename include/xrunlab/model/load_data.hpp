// What one load did beside a run: filled by the loads themselves, part of the run file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace xrunlab {

/// What one --load did, counted from before priming to the run's end.
struct LoadData {
  std::string kind;  ///< "read", "write", "cpu", "fault", "exec", "record", "jack", "fio", "stress-ng"
  std::string spec;  ///< as typed
  std::int64_t seed = 0;
  bool alive = false;  ///< to the end
  std::string error;   ///< why not
  std::int64_t wall_ns = 0;
  std::optional<std::int64_t>
      operations;  ///< as docs/load.md counts them; absent: a program that is not ours
  std::optional<double> operations_per_s;
  std::optional<std::int64_t> bytes;  ///< read, written or touched; absent as above
  std::optional<double> bytes_per_s;
  std::optional<double> asked_bytes_per_s;
  std::int64_t cpu_ns = 0;  ///< of all its processes
  double cpus = 0;          ///< cpu_ns ÷ wall_ns
  std::optional<double> asked_cpus;
  std::int64_t device_read_bytes = 0;       ///< by its processes (/proc/PID/io)
  std::int64_t device_written_bytes = 0;    ///< as above
  std::int64_t file_bytes = 0;              ///< of its files, as granted
  std::int64_t overruns = 0;                ///< of record: fragments for which its ring had no room
  std::optional<std::int64_t> xruns;        ///< of jack: a client had not finished; absent: another kind
  std::optional<std::int64_t> driver_late;  ///< of jack: xruns of its driver
  std::string output;                       ///< what a program that is not ours printed
  friend bool operator==(const LoadData&, const LoadData&) = default;
};

}  // namespace xrunlab
