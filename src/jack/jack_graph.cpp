#include "xrunlab/jack/jack_graph.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/jack/graph_client.hpp"
#include "xrunlab/jack/jack_library.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kGraphLook = std::chrono::milliseconds{5};
// It leaves when the board says so; what does not has hung.
constexpr Nanoseconds kClientPatience = std::chrono::milliseconds{300};
// Longer than jackd waits for a client that has not finished (half a second), so that it has had every
// chance.
constexpr Nanoseconds kNoCycle = std::chrono::seconds{1};
constexpr int kMeter = 0;
constexpr int kLeastPortLimit = 128;
constexpr int kReservedPorts = 8;  // jackd numbers its ports from 1, and registers some of its own

template <std::size_t size>
void put_name(char (&place)[size], const std::string& name) noexcept {
  std::snprintf(place, size, "%s", name.c_str());
}

}  // namespace

JackGraph::JackGraph(GuardProcess& guard, GraphRequest request)
    : guard_(guard),
      request_((check_graph(request), std::move(request))),
      board_(request_.clients + 1),
      server_name_(running_jack_server()) {}

JackGraph::~JackGraph() {
  if (!stopped_) stop();
}

bool JackGraph::start(const InterruptedWithin& interrupted_within) {
  JackLibrary::load();  // here it is only seen to be there; the clients call it
  if (request_.server.driver != JackDriver::running) {
    server_ = std::make_unique<JackServer>(
        guard_, JackServerRequest{.choice = request_.server,
                                  .rate = request_.rate,
                                  .period = request_.period,
                                  .periods = request_.periods,
                                  .priority = request_.priority,
                                  .ports = std::max(ports_needed(request_), kLeastPortLimit) + kReservedPorts,
                                  .tag = request_.tag});
    server_name_ = server_->name();
    if (!server_->wait_until_ready(request_.timeout, interrupted_within)) return false;
  }
  start_process(kMeter, {});
  bool interrupted = false;
  const std::string why = wait_for_work(kMeter, interrupted_within, interrupted);
  if (interrupted) return false;
  if (!why.empty()) {
    const bool ours = server_ != nullptr;
    throw Error(ExitCode::audio_device,
                ours ? "no client can use jackd: " + why : "no JACK server can be used: " + why,
                ours ? "see what jackd says by itself" : "start one, or give --server dummy");
  }
  return true;
}

bool JackGraph::add_client(const InterruptedWithin& interrupted_within) {
  const int seat = static_cast<int>(clients_.size());
  start_process(seat, source_of(seat));
  bool interrupted = false;
  const std::string why = wait_for_work(seat, interrupted_within, interrupted);
  if (interrupted) return false;
  if (!why.empty()) {
    const bool timeout = why.find("did not return") != std::string::npos;
    take_out(seat, {name_of(seat), timeout ? "timeout" : "failed", why, {}});
  }
  if (server_ != nullptr) server_->note_shared_memory();
  return true;
}

std::string JackGraph::name_of(int seat) const {
  return seat == kMeter ? "meter" : "client " + std::to_string(seat);
}

std::string JackGraph::source_of(int seat) const {
  if (request_.topology == JackTopology::silent) return {};
  // One that has been taken out gives nothing: the next before it does.
  const int first = request_.topology == JackTopology::star ? 1 : seat - 1;
  for (int source = first; source > kMeter && source < seat; --source) {
    if (clients_[static_cast<std::size_t>(source)].in) return board_.seat(source).name;
  }
  return {};
}

void JackGraph::start_process(int index, const std::string& source) {
  CycleSeat& seat = board_.seat(index);
  seat.role = index == kMeter ? SeatRole::meter : SeatRole::client;
  seat.ports = index == kMeter ? 0 : request_.ports;
  seat.burn_ppm = index == kMeter ? 0 : static_cast<std::int32_t>(request_.burn_share * 1e6);
  seat.awaits_server = server_ != nullptr && index == kMeter ? 1 : 0;
  put_name(seat.server, server_name_);
  put_name(seat.name, "xrunlab-" + std::to_string(::getpid()) + request_.tag + "-" + std::to_string(index));
  put_name(seat.source, source);
  ProgramStart start;
  start.argv = {"xrunlab", kGraphClientCommand, std::to_string(index)};
  start.program = request_.program;
  start.handed = {board_.fd()};
  start.patience = kClientPatience;
  // Where libjack is told of xruns and the like; killed, it leaves it behind.
  guard_.remove_at_end("/dev/shm/jack_" + std::string(seat.name) + "_" + std::to_string(::getuid()) + "_0");
  const ProgramId program = guard_.start(start);
  clients_.push_back({.program = program, .in = true, .last_cycle = SystemClock().now()});
}

std::string JackGraph::wait_for_work(int index, const InterruptedWithin& interrupted_within,
                                     bool& interrupted) {
  SystemClock clock;
  const CycleSeat& seat = board_.seat(index);
  JackStage stage = JackStage::starting;
  std::uint32_t calls = 0;
  Nanoseconds since = clock.now();
  for (;;) {
    const JackStage now = seat.stage.load(std::memory_order_acquire);
    if (now == JackStage::working) return {};
    if (now == JackStage::failed) return seat.what;
    const std::uint32_t returned = seat.calls.load(std::memory_order_acquire);
    if (now != stage || returned != calls) since = clock.now();
    stage = now;
    calls = returned;
    if (clock.now() - since > request_.timeout) {
      return std::string(call_of(stage)) + " did not return within " +
             spoken_duration(request_.timeout.count());
    }
    if (const std::string ended = why_ended(index); !ended.empty()) return ended;
    if (server_ != nullptr && index == kMeter) {
      if (const std::string fault = server_->fault(); !fault.empty()) return fault;
    }
    interrupted = interrupted_within(kGraphLook);
    if (interrupted) return {};
  }
}

std::string JackGraph::why_ended(int index) {
  const ProgramState state = guard_.state(clients_[static_cast<std::size_t>(index)].program);
  if (state.alive) return {};
  const CycleSeat& seat = board_.seat(index);
  if (seat.stage.load(std::memory_order_acquire) == JackStage::failed) return seat.what;
  if (state.exit_code > 128) return "ended by signal " + std::to_string(state.exit_code - 128);
  return "ended with exit code " + std::to_string(state.exit_code);
}

void JackGraph::take_out(int seat, JackFailure failure) {
  Client& client = clients_[static_cast<std::size_t>(seat)];
  client.in = false;
  guard_.stop(client.program);
  failures_.push_back(std::move(failure));
}

void JackGraph::look(std::optional<std::int64_t> at_ns) {
  if (server_ != nullptr) server_->counts();  // its pipe must not fill up
  const Nanoseconds now = SystemClock().now();
  std::optional<int> hangs;
  for (std::size_t index = 0; index < clients_.size(); ++index) {
    Client& client = clients_[index];
    const int seat = static_cast<int>(index);
    const std::uint64_t written = board_.seat(seat).written.load(std::memory_order_acquire);
    if (written != client.written) client.last_cycle = now;
    const bool works = written != client.written;
    client.written = written;
    if (works || !client.in || seat == kMeter) continue;
    if (const std::string ended = why_ended(seat); !ended.empty()) {
      take_out(seat, {name_of(seat), "died", ended, at_ns});
    } else if (board_.seat(seat).stage.load(std::memory_order_acquire) == JackStage::failed) {
      take_out(seat, {name_of(seat), "failed", board_.seat(seat).what, at_ns});
    } else if (!hangs && now - client.last_cycle > kNoCycle) {
      hangs = seat;
    }
  }
  const bool served = now - clients_[kMeter].last_cycle < kNoCycle;
  if (!hangs && served) return;
  // Where nobody is served it is not the client; and those behind one that hangs wait for it.
  for (auto& client : clients_) {
    if (&client != &clients_[kMeter]) client.last_cycle = now;
  }
  if (served)
    take_out(*hangs,
             {name_of(*hangs), "timeout", "no cycle for " + spoken_duration(kNoCycle.count()), at_ns});
}

std::string JackGraph::dead() {
  if (server_ != nullptr) {
    if (const std::string fault = server_->fault(); !fault.empty()) return "jackd is gone: " + fault;
  }
  if (const std::string ended = why_ended(kMeter); !ended.empty()) return "the meter is gone: " + ended;
  if (meter().stage.load(std::memory_order_acquire) == JackStage::failed) {
    return std::string("the meter is out: ") + meter().what;
  }
  const Nanoseconds now = SystemClock().now();
  Client& client = clients_[kMeter];
  const std::uint64_t written = meter().written.load(std::memory_order_acquire);
  if (written != client.written) client.last_cycle = now;
  client.written = written;
  if (now - client.last_cycle > request_.timeout) {
    return "the server has made no cycle for " + spoken_duration(request_.timeout.count());
  }
  return {};
}

void JackGraph::stop() {
  stopped_ = true;
  board_.stop();
  SystemClock clock;
  // Without a server that answers no client can leave, and none is to blame.
  bool served = false;
  Nanoseconds until{};
  const auto leaving = [this, &served](int seat) {
    const JackStage stage = board_.seat(seat).stage.load(std::memory_order_acquire);
    return served && clients_[static_cast<std::size_t>(seat)].in && stage != JackStage::closed &&
           stage != JackStage::failed && why_ended(seat).empty();
  };
  // jackd lets them go one after the other: what counts is how long none has gone.
  std::ptrdiff_t gone = -1;
  const auto waits = [&](int seat) {
    if (!leaving(seat)) return false;
    const auto now_gone = have_left();
    if (now_gone != gone) until = clock.now() + request_.timeout;
    gone = now_gone;
    return clock.now() < until;
  };
  try {
    served = clients_.empty() || dead().empty();
    for (int seat = 0; seat < static_cast<int>(clients_.size()); ++seat) {
      while (waits(seat)) clock.sleep_until(clock.now() + kGraphLook);
      if (leaving(seat)) {
        const std::string call = call_of(board_.seat(seat).stage.load());
        take_out(seat, {name_of(seat),
                        "timeout",
                        call + " did not return within " + spoken_duration(request_.timeout.count()),
                        {}});
      } else {
        guard_.stop(clients_[static_cast<std::size_t>(seat)].program);
      }
    }
  } catch (const Error&) {  // the guard is gone, and all with it
  }
  server_.reset();
}

std::ptrdiff_t JackGraph::have_left() const noexcept {
  std::ptrdiff_t left = 0;
  for (int seat = 0; seat < static_cast<int>(clients_.size()); ++seat) {
    const JackStage stage = board_.seat(seat).stage.load(std::memory_order_acquire);
    left += stage == JackStage::closed || stage == JackStage::failed ? 1 : 0;
  }
  return left;
}

int JackGraph::working() const noexcept {
  return static_cast<int>(std::count_if(clients_.begin(), clients_.end(),
                                        [](const Client& client) { return client.in; })) -
         1;
}

std::int64_t JackGraph::client_cycles() const noexcept {
  std::int64_t cycles = 0;
  for (int seat = 1; seat < board_.seats(); ++seat) {
    cycles += static_cast<std::int64_t>(board_.seat(seat).written.load(std::memory_order_relaxed));
  }
  return cycles;
}

std::uint64_t JackGraph::now_us() const noexcept {
  return static_cast<std::uint64_t>(SystemClock().now().count() / 1000 +
                                    meter().clock_offset_us.load(std::memory_order_relaxed));
}

}  // namespace xrunlab
