// The loads of one run: starts them under the guard, sees that they work, and tells what they achieved. Used
// by main, before a run is primed and after it has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "xrunlab/load/load_spec.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/guard_process.hpp"

namespace xrunlab {

/// The hidden command that an own kind of load is: the program is started with this, the spec, the seed and
/// the load's index; its figures are descriptor 3.
inline constexpr const char* kWorkerCommand = "load-worker";

struct LoadSettings {
  std::int64_t seed = 1;                   ///< from 0 up
  std::string program = "/proc/self/exe";  ///< understands kWorkerCommand
  /// Called now and then while a load prepares, with its spec and the bytes of its file that are written.
  std::function<void(const std::string& spec, Bytes done)> preparing = [](const std::string&, Bytes) {};
};

class RunningLoad;

class LoadSet {
 public:
  /// Starts nothing yet. `guard` must outlive it.
  LoadSet(GuardProcess& guard, std::vector<LoadSpec> specs, LoadSettings settings);
  LoadSet(const LoadSet&) = delete;
  LoadSet& operator=(const LoadSet&) = delete;

  /// Stops what has been started.
  ~LoadSet();

  /// Starts them one after the other and returns when all are at work and have been seen to be.
  /// `interrupted_within` waits for as long as it is told to; when it returns true all is to end, and start()
  /// returns false. Throws Error{system} when one cannot be started, has ended, or does nothing.
  bool start(const std::function<bool(Nanoseconds)>& interrupted_within);

  /// From here on is counted what shortfalls() and finish() tell. start() calls it when all are at work.
  void begin();

  /// Why one of them is no longer at work; empty while all are.
  std::string dead();

  /// A line for each load that works, but at less than nine tenths of what was asked of it.
  std::vector<std::string> shortfalls();

  /// Counts, stops all, and takes what the programs printed. What was not at work to the end has an error.
  std::vector<LoadData> finish();

  /// "read:/mnt,rate=20MB + cpu:2".
  std::string name() const;

 private:
  GuardProcess& guard_;
  std::vector<LoadSpec> specs_;
  LoadSettings settings_;
  std::vector<std::unique_ptr<RunningLoad>> running_;
};

}  // namespace xrunlab
