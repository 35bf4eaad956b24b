// What one load is to do, from --load SPEC as typed. Parsed by cli, before anything is started, and again by
// the process that works as the load.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/disk/set_spec.hpp"
#include "xrunlab/jack/graph_request.hpp"

namespace xrunlab {

enum class LoadKind { read, write, cpu, fault, exec, record, jack, fio, stress_ng };

/// "read", …, "stress-ng".
std::string_view to_string(LoadKind kind) noexcept;

enum class LoadSync { by_kernel, each_write };

struct LoadSpec {
  LoadKind kind = LoadKind::cpu;
  std::string text;            ///< as typed; of record with the set= that with_track gave it
  std::filesystem::path path;  ///< the directory of its files; of fio the job file
  std::optional<Bytes> rate;   ///< bytes a second, all jobs together; absent: as fast as it goes
  Bytes block = 0;             ///< bytes of one read or write, whole pages
  int jobs = 1;                ///< threads that do it; N of cpu and fault
  Bytes size = 0;              ///< of the file; of fault: of the memory of each job
  double share = 1;            ///< of a CPU, for each job of cpu
  bool share_asked = false;
  LoadSync sync = LoadSync::by_kernel;
  int tracks = 0;                ///< of record
  std::optional<SetSpec> track;  ///< rate, format and channels of record; absent: as the set that is played
  GraphRequest graph;            ///< of jack
  std::vector<std::string> arguments;  ///< of stress-ng
};

/// Throws Error{usage} that names `option` and the key.
LoadSpec parse_load_spec(std::string_view option, std::string_view text);

/// `spec` with the rate, format and channels of `set` for tracks whose own were not given; others as they
/// are.
LoadSpec with_track(LoadSpec spec, SampleRate rate, SampleFormat format, int channels);

/// Bytes a second that were asked for: by rate=, or by the tracks of record; nothing without either.
std::optional<double> asked_bytes_per_s(const LoadSpec& spec);

/// CPUs that were asked for by share=: N times the share.
std::optional<double> asked_cpus(const LoadSpec& spec);

/// Whether xrunlab itself does the work, and counts it.
bool is_own(LoadKind kind) noexcept;

}  // namespace xrunlab
