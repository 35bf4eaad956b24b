// -n and -o of `play`, `latency` and `jack`: the run again and again, each run file under a name of its own
// in a directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "xrunlab/model/run.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct RepeatOptions {
  std::int64_t count = 1;
  std::string directory;  ///< empty: no run files of their own
  bool quiet = false;     ///< set by the command: no line for each file
};

/// One of the runs that are repeated, or the only one.
struct OneRun {
  std::string json;                 ///< the run file that it is to write, as --json
  std::function<void()> give_name;  ///< to be called before the process is left from within the run
};

/// Adds -n and -o; `options` must outlive the parsing.
void add_repeat_options(CLI::App& command, RepeatOptions& options);

/// "latency-6.1.0-18-rt-amd64-20261130T221504Z": kind, kernel and when it began, without an ending.
std::string run_file_stem(const RunData& run);

/// Gives the run file `draft` its name in `directory`, with -2, -3 … where that is taken: what is there is
/// never overwritten, also not by another process at the same time. The name. Throws Error{system}.
std::filesystem::path name_run_file(const std::filesystem::path& draft,
                                    const std::filesystem::path& directory);

/// Calls `once` as often as was asked for, and names each run file, also where it throws; a signal ends it.
/// The directory is made where there is none; what killed runs have left in it gets its name first. Returns
/// the largest exit code. `json` and `record` are those options as typed. Throws Error{usage} for what
/// contradicts them, Error{system}, and what `once` throws.
int repeat_runs(const RepeatOptions& options, const std::string& json, const std::string& record,
                const std::function<int(const OneRun&)>& once);

}  // namespace xrunlab
