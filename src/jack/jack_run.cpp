#include "xrunlab/jack/jack_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "run_shares.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/jack/cycle_ledger.hpp"
#include "xrunlab/jack/xrun_tally.hpp"
#include "xrunlab/platform/machine_usage.hpp"
#include "xrunlab/platform/scheduling.hpp"
#include "xrunlab/platform/thread.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kRunLook = std::chrono::milliseconds{100};
// Connecting a client may itself cost a cycle.
constexpr Nanoseconds kRampSettle = std::chrono::milliseconds{500};

/// The priority that can be had, and why it is not the one asked for, tried on a thread that then ends.
SchedResult try_priority(int priority) {
  SchedResult result;
  const SchedSpec wanted{SchedPolicy::fifo, priority};
  Thread("priority", [&result, wanted] { result = apply_scheduling(wanted); }).join();
  return result;
}

class JackRun {
 public:
  JackRun(const JackRunRequest& request, GuardProcess& guard, const Signals& signals,
          const JackRunListeners& listeners)
      : request_(request),
        signals_(signals),
        listeners_(listeners),
        graph_(guard, granted(request.graph)),
        tally_(graph_) {
    for (int seat = 0; seat < graph_.board().seats(); ++seat)
      readers_.emplace_back(graph_.board().seat(seat));
  }

  RunData run() {
    const auto waiting = [this](Nanoseconds time) { return interrupted_within(time); };
    if (graph_.start(waiting)) {
      describe_graph();
      if (request_.ramp == RampUp::yes) {
        measure_ramp();
      } else if (add_clients(request_.graph.clients) && go_on(request_.warmup)) {
        measure();
      }
    }
    graph_.stop();
    conclude();
    return std::move(run_);
  }

 private:
  GraphRequest granted(GraphRequest graph) {
    if (graph.priority > 0 && graph.server.driver != JackDriver::running) {
      const SchedResult result = try_priority(graph.priority);
      if (request_.strict && !result.warnings.empty()) {
        throw Error(ExitCode::system, result.warnings.front(), "leave --strict out, or give --no-rt");
      }
      run_.warnings = result.warnings;
      graph.priority = result.policy == policy_name(SchedPolicy::fifo) ? result.priority : 0;
    }
    return graph;
  }

  bool interrupted_within(Nanoseconds time) {
    if (!signals_.wait_for(time)) return false;
    run_.ended_by = "signal " + std::to_string(signals_.caught());
    return true;
  }

  void describe_graph() {
    const GraphRequest& graph = graph_.request();
    const CycleSeat& meter = graph_.meter();
    const bool dummy = graph.server.driver == JackDriver::dummy;
    run_.device.name = to_string(graph.server);
    run_.device.server = "JACK";
    run_.device.simulated = dummy;
    run_.device.rate_hz = meter.rate_hz;
    run_.device.period_frames = meter.period_frames;
    run_.device.fragment_frames = meter.period_frames;
    run_.bound_ns = frames_to_duration(meter.period_frames, {meter.rate_hz}).count();
    run_.rt.policy = meter.realtime != 0 ? "SCHED_FIFO" : "SCHED_OTHER";
    run_.rt.priority = meter.realtime != 0 ? meter.priority.load() : 0;
    jack_.server_name = graph_.server_name();
    if (graph.server.driver == JackDriver::running && meter.realtime == 0) {
      run_.warnings.emplace_back("the running server is not real-time");
    }
  }

  bool add_clients(int wanted) {
    const auto waiting = [this](Nanoseconds time) { return interrupted_within(time); };
    for (int client = 0; client < wanted; ++client) {
      if (!graph_.add_client(waiting)) return false;
      if (!look()) return false;
    }
    return true;
  }

  /// Waits, and does what is to be done meanwhile; false when the run is to end.
  bool go_on(Nanoseconds time) {
    const Nanoseconds until = clock_.now() + time;
    for (Nanoseconds now = clock_.now(); now < until; now = clock_.now()) {
      if (interrupted_within(std::min(kRunLook, until - now)) || !look()) return false;
    }
    return true;
  }

  bool look() {
    // First: where the server is gone its clients are not to blame.
    const std::string dead = graph_.dead();
    if (dead.empty()) graph_.look(begin_us_ == 0 ? std::nullopt : std::optional(elapsed().count()));
    const std::uint64_t now_us = graph_.now_us();
    const GraphCounts counts = tally_.counts();
    read_stamps();
    for (auto* const ledger : {whole_.get(), step_.get()}) {
      if (ledger != nullptr) ledger->look(now_us, counts);
    }
    if (listeners_.progress) {
      listeners_.progress({elapsed(), graph_.working(), counts.dsp_load_share, counts.xruns - first_.xruns,
                           counts.driver_late - first_.driver_late});
    }
    if (!dead.empty()) {
      run_.ended_by = "server";
      run_.error = dead;
      return false;
    }
    if (listeners_.goes_on && !listeners_.goes_on()) {
      run_.ended_by = "load";
      return false;
    }
    return true;
  }

  void read_stamps() {
    for (std::size_t seat = 0; seat < readers_.size(); ++seat) {
      stamps_.clear();
      readers_[seat].read(stamps_);
      for (const auto& stamp : stamps_) {
        for (auto* const ledger : {whole_.get(), step_.get()}) {
          if (ledger == nullptr) continue;
          if (seat == 0) {
            ledger->add_meter(stamp);
          } else {
            ledger->add_client(stamp);
          }
        }
      }
    }
  }

  Nanoseconds elapsed() const noexcept {
    if (begin_us_ == 0) return Nanoseconds{-1};
    return std::chrono::microseconds{static_cast<std::int64_t>(graph_.now_us() - begin_us_)};
  }

  LedgerSettings ledger_settings() const {
    return {.period = Nanoseconds{run_.bound_ns},
            .frame = frames_to_duration(1, {graph_.meter().rate_hz}),
            .delay_bound = request_.delay_bound};
  }

  void begin_whole() {
    whole_ = std::make_unique<CycleLedger>(ledger_settings());
    first_ = tally_.in_a_pause([this](Nanoseconds time) { return interrupted_within(time); });
    first_lines_ = tally_.lines();
    first_callbacks_ = tally_.callbacks();
    usage_before_ = sample_machine_usage();
    read_stamps();
    lost_before_ = lost_stamps();
    begin_us_ = graph_.now_us();
    whole_->begin(begin_us_, first_);
  }

  void end_whole() {
    const GraphCounts last = tally_.in_a_pause([this](Nanoseconds time) { return interrupted_within(time); });
    const std::uint64_t end_us = graph_.now_us();
    read_stamps();
    whole_->end(end_us, last);
    const MachineUsage after = sample_machine_usage();
    run_.machine_usage = machine_usage(usage_before_, after);
    whole_->report(jack_);
    jack_.xrun_callbacks = tally_.callbacks() - first_callbacks_;
    lines_ = tally_.lines() - first_lines_;
    jack_.lost_cycles = lost_stamps() - lost_before_;
  }

  std::int64_t lost_stamps() const noexcept {
    std::int64_t lost = 0;
    for (const auto& reader : readers_) lost += reader.lost();
    return lost;
  }

  void measure() {
    begin_whole();
    if (go_on(request_.duration)) finish("duration");
    end_whole();
  }

  void measure_ramp() {
    begin_whole();
    jack_.clients_that_fit = 0;
    for (int clients = 1; clients <= request_.graph.clients; ++clients) {
      if (!add_clients(1) || !go_on(kRampSettle)) break;
      if (graph_.working() < clients) {  // one that cannot start, hangs or dies
        finish("client");
        break;
      }
      step_ = std::make_unique<CycleLedger>(ledger_settings());
      step_->begin(graph_.now_us(), tally_.counts());
      const bool to_its_end = go_on(request_.ramp_step);
      read_stamps();
      step_->end(graph_.now_us(), tally_.counts());
      jack_.ramp.push_back(step_->step(clients));
      step_.reset();
      if (!to_its_end) break;
      if (jack_.ramp.back().xruns > 0) {
        finish("xrun");
        break;
      }
      jack_.clients_that_fit = clients;
      if (clients == request_.graph.clients) finish("end");
    }
    end_whole();
  }

  void finish(const char* by) {
    run_.complete = true;
    run_.ended_by = by;
  }

  void conclude() {
    run_.kind = "jack";
    run_.limits.max_xruns = request_.max_xruns;
    const GraphRequest& graph = graph_.request();
    jack_.server = to_string(graph.server);
    jack_.clients = graph.clients;
    jack_.ports = graph.ports;
    jack_.topology = to_string(graph.topology);
    jack_.burn_share = graph.burn_share;
    jack_.warmup_ns = request_.warmup.count();
    jack_.failures = graph_.failures();
    jack_.figures.timeouts = jack_count(timeouts_within(jack_), jack_.measured_ns);
    const bool ours = graph.server.driver != JackDriver::running;
    jack_.xruns_from = ours && lines_ == xruns_of_both_kinds(jack_) ? "server" : "callbacks";
    if (run_.machine_usage) add_processor_shares(*run_.machine_usage, jack_.figures);
    run_.window.length_ns = jack_.measured_ns;
    run_.window.exposure_ns = jack_.measured_ns;
    run_.self_checks = jack_self_checks(jack_);
    for (auto& line : jack_warnings(jack_, ours ? std::optional(lines_) : std::nullopt))
      run_.warnings.push_back(std::move(line));
    run_.jack = std::move(jack_);
  }

  const JackRunRequest& request_;
  const Signals& signals_;
  const JackRunListeners& listeners_;
  SystemClock clock_;
  RunData run_;
  JackData jack_;
  JackGraph graph_;
  XrunTally tally_;
  std::vector<StampReader> readers_;  // by seat; the first is the meter's
  std::vector<CycleStamp> stamps_;
  std::unique_ptr<CycleLedger> whole_;
  std::unique_ptr<CycleLedger> step_;  // of a ramp
  MachineUsage usage_before_;
  GraphCounts first_;
  std::int64_t first_lines_ = 0;
  std::int64_t lines_ = 0;  // of xruns, printed by the server in the measured stretch
  std::int64_t first_callbacks_ = 0;
  std::int64_t lost_before_ = 0;
  std::uint64_t begin_us_ = 0;  // 0: not yet
};

}  // namespace

RunData run_jack(const JackRunRequest& request, GuardProcess& guard, const Signals& signals,
                 const JackRunListeners& listeners) {
  return JackRun(request, guard, signals, listeners).run();
}

}  // namespace xrunlab
