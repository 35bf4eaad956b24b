// One measurement of a JACK graph, from the start of the server to its end: what `xrunlab jack` does. On
// main.
#pragma once

#include <functional>
#include <optional>

#include "xrunlab/jack/jack_graph.hpp"
#include "xrunlab/model/run.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {

enum class RampUp { no, yes };

struct JackRunRequest {
  GraphRequest graph;
  Nanoseconds duration = std::chrono::seconds{300};
  Nanoseconds warmup = std::chrono::seconds{2};
  Nanoseconds delay_bound = std::chrono::milliseconds{1};
  RampUp ramp =
      RampUp::no;  ///< one client after the other, until a client is late, the measuring of each ramp_step
  Nanoseconds ramp_step = std::chrono::seconds{2};
  std::int64_t max_xruns = 0;
  bool strict = false;  ///< a refused priority is an error
};

/// How far it is, some times a second.
struct JackProgress {
  Nanoseconds elapsed{};  ///< of the measured stretch; negative: before it
  int clients = 0;        ///< at work
  double dsp_load_share = 0;
  std::int64_t xruns = 0;
  std::int64_t driver_late = 0;
};

/// What it does beside measuring; all may be empty.
struct JackRunListeners {
  std::function<void(const JackProgress&)> progress;
  std::function<bool()> goes_on;  ///< false ends the run as if a load had died
};

/// Runs it to its end, or to a signal. Of the run are filled kind, device, bound, rt, limits, window,
/// complete, ended_by, error, warnings, self_checks, machine_usage and jack; it is not judged. Throws
/// Error{not_possible} without jackd or libjack, Error{audio_device} when the server cannot be used,
/// Error{system} for a refused priority with `strict`; a signal before the measured stretch yields a run that
/// is not complete.
RunData run_jack(const JackRunRequest& request, GuardProcess& guard, const Signals& signals,
                 const JackRunListeners& listeners = {});

}  // namespace xrunlab
