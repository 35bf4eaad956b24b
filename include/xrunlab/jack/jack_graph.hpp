// A JACK graph at work: a server of ours (or the running one), the meter, and clients that are processes of
// their own, all under the guard. Starts them, sees that they work, takes out those that hang or die, and
// ends them. No call of libjack is made here: a call that hangs is a process that is killed. Used by main,
// for `xrunlab jack`, and by the process of the load jack:….
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"
#include "xrunlab/jack/cycle_board.hpp"
#include "xrunlab/jack/graph_request.hpp"
#include "xrunlab/model/jack.hpp"
#include "xrunlab/platform/guard_process.hpp"

namespace xrunlab {

class JackGraph {
 public:
  /// Starts nothing yet. `guard` must outlive it. Throws as check_graph.
  JackGraph(GuardProcess& guard, GraphRequest request);
  JackGraph(const JackGraph&) = delete;
  JackGraph& operator=(const JackGraph&) = delete;

  /// Ends all that is still there.
  ~JackGraph();

  using InterruptedWithin = std::function<bool(Nanoseconds)>;

  /// Server and meter. Returns false when interrupted. Throws Error{not_possible} without jackd or libjack,
  /// Error{audio_device} when one of them does not come up.
  bool start(const InterruptedWithin& interrupted_within);

  /// The next client; one that fails to start is a failure and no error. Returns false when interrupted.
  bool add_client(const InterruptedWithin& interrupted_within);

  /// Takes out clients that hang or have died. Call it some ten times a second. `at_ns` goes into the
  /// failures.
  void look(std::optional<std::int64_t> at_ns);

  /// Why the graph is no longer at work: server or meter are gone or stand still; empty while they work.
  std::string dead();

  /// Tells all to leave, waits for those that work, at most the time-out, and ends the server. A client that
  /// does not leave is a failure.
  void stop();

  const GraphRequest& request() const noexcept { return request_; }
  const std::vector<JackFailure>& failures() const noexcept { return failures_; }
  int working() const noexcept;                 ///< clients, without the meter
  std::int64_t client_cycles() const noexcept;  ///< of all clients so far
  CycleBoard& board() noexcept { return board_; }
  const CycleSeat& meter() const noexcept { return board_.seat(0); }
  const std::string& server_name() const noexcept { return server_name_; }
  JackServer* server() noexcept { return server_.get(); }  ///< null: not ours

  /// µs of the server's clock.
  std::uint64_t now_us() const noexcept;

 private:
  struct Client {
    ProgramId program{};
    bool in = false;            ///< not taken out yet
    std::uint64_t written = 0;  ///< stamps when last looked at
    Nanoseconds last_cycle{};
  };

  void start_process(int seat, const std::string& source);
  std::string wait_for_work(int seat, const InterruptedWithin& interrupted_within, bool& interrupted);
  std::string why_ended(int seat);
  std::ptrdiff_t have_left() const noexcept;
  void take_out(int seat, JackFailure failure);
  std::string source_of(int seat) const;
  std::string name_of(int seat) const;

  GuardProcess& guard_;
  GraphRequest request_;
  CycleBoard board_;
  std::string server_name_;
  std::unique_ptr<JackServer> server_;
  std::vector<Client> clients_;  // by seat; the first is the meter
  std::vector<JackFailure> failures_;
  bool stopped_ = false;
};

}  // namespace xrunlab
