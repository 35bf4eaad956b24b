// A jackd of our own, under the guard: with a private name, so that it meets no other server, and gone with
// its shared memory when xrunlab is. Used by main for `xrunlab jack`, for the load jack:… and for playing to
// a server.
//
//   JackServer server(guard, {.driver = JackDriver::dummy, .ports = 200});
//   if (!server.wait_until_ready(5s, interrupted_within)) return;   // a signal came
//   … jack.client_open(…, server.name().c_str()) …
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/platform/guard_process.hpp"

namespace xrunlab {

enum class JackDriver {
  dummy,    ///< jackd's own driver without a card
  alsa,     ///< playback on a card
  running,  ///< no server of ours: what is there
};

/// --server as typed: "dummy", "alsa:hw:0", "running".
struct JackServerChoice {
  JackDriver driver = JackDriver::dummy;
  std::string device;  ///< of alsa

  friend bool operator==(const JackServerChoice&, const JackServerChoice&) = default;
};

/// Throws Error{usage} that names `option`.
JackServerChoice parse_jack_server(std::string_view option, std::string_view text);

std::string to_string(const JackServerChoice& choice);

/// The name under which a running server is found: JACK_DEFAULT_SERVER, or "default".
std::string running_jack_server();

/// What jackd holds at the most, as Debian builds it. A server that was built with more is not asked.
inline constexpr int kMostJackClients = 64 - 2;   ///< two are its drivers
inline constexpr int kMostJackPorts = 4096 - 16;  ///< some it keeps for itself

struct JackServerRequest {
  JackServerChoice choice;  ///< not `running`
  SampleRate rate{44'100};
  Frames period = 64;
  int periods = 2;   ///< of a card
  int priority = 0;  ///< SCHED_FIFO; 0: not real-time
  int ports = 256;   ///< its limit, its own ports included
  std::string tag;   ///< at the end of its name, where one process has more than one server
};

/// What jackd has printed so far.
struct JackServerCounts {
  std::int64_t client_not_finished = 0;
  std::int64_t driver_late = 0;
  std::int64_t lines_lost = 0;  ///< times it says that it could not print all
};

class JackServer {
 public:
  /// Starts it. `guard` must outlive it. Throws Error{not_possible} with the package where there is no jackd.
  JackServer(GuardProcess& guard, const JackServerRequest& request);
  JackServer(const JackServer&) = delete;
  JackServer& operator=(const JackServer&) = delete;

  /// Ends it; what it leaves in /dev/shm is removed.
  ~JackServer();

  /// "xrunlab-" and the number of this process: what clients give as the server's name.
  const std::string& name() const noexcept { return name_; }

  /// Returns true when clients may open, false when `interrupted_within`, which waits as long as it is told
  /// to, says so. Throws Error{audio_device} when it has ended or `timeout` has passed.
  bool wait_until_ready(Nanoseconds timeout, const std::function<bool(Nanoseconds)>& interrupted_within);

  /// Why it is no longer at work; empty while it is.
  std::string fault();

  /// Takes what it has printed since and counts. Call it at least once a second.
  const JackServerCounts& counts();

  /// Remembers what it has in /dev/shm now, so that this is removed too when it is killed or dies. Called
  /// when clients have been added.
  void note_shared_memory();

 private:
  void read_output();

  GuardProcess& guard_;
  std::string name_;
  UniqueFd output_;
  ProgramId program_{};
  std::string cut_line_;    // a line whose end has not come yet
  std::string first_line_;  // alsa-lib's own left out
  std::string last_line_;
  std::string start_remedy_;
  JackServerCounts counts_;
  std::set<std::filesystem::path> shared_memory_;
};

}  // namespace xrunlab
