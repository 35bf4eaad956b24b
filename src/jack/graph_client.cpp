#include "xrunlab/jack/graph_client.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>

#include "activation.hpp"
#include "client_callbacks.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr Nanoseconds kClientLook = std::chrono::milliseconds{20};
constexpr Nanoseconds kRetry = std::chrono::milliseconds{50};

/// What libjack said last; its message functions take no argument of ours.
std::string last_words;

void keep_words(const char* words) noexcept {
  try {
    // jackd's library says this behind whatever was wrong.
    if (std::string_view(words).starts_with("JackShmReadWritePtr")) return;
    last_words = words;
  } catch (const std::exception&) {  // without memory there is nothing to be said
  }
}

std::string with_words(const std::string& text) {
  return last_words.empty() ? text : text + ": " + last_words;
}

class GraphClient {
 public:
  GraphClient(const CycleBoard& board, CycleSeat& seat)
      : board_(board), seat_(seat), jack_(JackLibrary::load()) {
    jack_.set_error_function(keep_words);
    jack_.set_info_function([](const char*) {});
  }

  /// What failed; empty when it works.
  std::string start() {
    enter(JackStage::opening);
    if (!open()) return with_words("jack_client_open failed");
    seat_.rate_hz = jack_.get_sample_rate(client_);
    seat_.period_frames = jack_.get_buffer_size(client_);
    seat_.realtime = jack_.is_realtime(client_) > 0 ? 1 : 0;
    seat_.priority = std::max(0, jack_.client_real_time_priority(client_));
    const auto now = SystemClock().now();
    seat_.clock_offset_us = static_cast<std::int64_t>(jack_.get_time()) - now.count() / 1000;
    enter(JackStage::registering);
    if (!register_ports()) return with_words("jack_port_register gave no port");
    enter(JackStage::activating);
    set_callbacks();
    if (!activate_client(jack_, client_, [this] { count_call(); })) return with_words("jack_activate failed");
    enter(JackStage::connecting);
    if (!connect()) return with_words("jack_connect failed");
    enter(JackStage::working);
    return {};
  }

  void work() {
    SystemClock clock;
    while (!board_.stopped() && !shut_down_.load(std::memory_order_acquire)) {
      if (seat_.role == SeatRole::meter) {
        seat_.dsp_load_ppm = static_cast<std::uint32_t>(jack_.cpu_load(client_) * 10'000);
      }
      clock.sleep_until(clock.now() + kClientLook);
    }
    if (shut_down_.load(std::memory_order_acquire)) return seat_.fail("the server has shut it down");
    enter(JackStage::closing);
    jack_.deactivate(client_);
    jack_.client_close(client_);
    enter(JackStage::closed);
  }

 private:
  void enter(JackStage stage) noexcept { seat_.stage.store(stage, std::memory_order_release); }
  void count_call() noexcept { seat_.calls.fetch_add(1, std::memory_order_release); }

  bool open() {
    SystemClock clock;
    int status = 0;
    // Main ends this when it takes too long.
    for (;;) {
      client_ = jack_.client_open(seat_.name, kJackNoStartServer | kJackUseExactName | kJackServerName,
                                  &status, seat_.server);
      if (client_ != nullptr) return true;
      if ((status & kJackServerFailed) == 0 || seat_.awaits_server == 0 || board_.stopped()) return false;
      clock.sleep_until(clock.now() + kRetry);
    }
  }

  bool register_ports() {
    for (int port = 1; port <= seat_.ports; ++port) {
      const std::string number = std::to_string(port);
      JackPort* const in =
          jack_.port_register(client_, ("in_" + number).c_str(), kJackAudioPort, kJackPortIsInput, 0);
      JackPort* const out =
          jack_.port_register(client_, ("out_" + number).c_str(), kJackAudioPort, kJackPortIsOutput, 0);
      count_call();
      if (in == nullptr || out == nullptr) return false;
      callbacks_.ins.push_back(in);
      callbacks_.outs.push_back(out);
    }
    return true;
  }

  void set_callbacks() {
    callbacks_.jack = &jack_;
    callbacks_.client = client_;
    callbacks_.seat = &seat_;
    const double period_us = 1e6 * seat_.period_frames.load() / seat_.rate_hz.load();
    callbacks_.burn_us = static_cast<std::uint64_t>(period_us * seat_.burn_ppm / 1e6);
    if (seat_.role == SeatRole::meter) callbacks_.us_per_frame = 1e6 / seat_.rate_hz.load();
    callbacks_.sources.resize(callbacks_.ins.size());
    callbacks_.sinks.resize(callbacks_.outs.size());
    jack_.set_process_callback(client_, process_cycle, &callbacks_);
    jack_.on_shutdown(
        client_,
        [](void* self) {
          static_cast<GraphClient*>(self)->shut_down_.store(true, std::memory_order_release);
        },
        this);
    if (seat_.role == SeatRole::meter) {
      jack_.set_xrun_callback(
          client_, [](void* self) { return static_cast<GraphClient*>(self)->count_xrun(); }, this);
    }
  }

  /// On a thread of libjack's, one call for each client that had not finished and for each lateness of the
  /// driver.
  int count_xrun() noexcept {
    // Only a late driver sets it.
    if (jack_.get_max_delayed_usecs(client_) > 0) {
      jack_.reset_max_delayed_usecs(client_);
      seat_.driver_xruns.fetch_add(1, std::memory_order_relaxed);
    }
    seat_.xruns.fetch_add(1, std::memory_order_release);
    return 0;
  }

  bool connect() {
    const std::string source = seat_.source;
    if (source.empty()) return true;
    for (int out = 1; out <= seat_.ports; ++out) {
      const std::string from = source + ":out_" + std::to_string(out);
      for (JackPort* const in : callbacks_.ins) {
        if (jack_.connect(client_, from.c_str(), jack_.port_name(in)) != 0) return false;
        count_call();
      }
    }
    return true;
  }

  const CycleBoard& board_;
  CycleSeat& seat_;
  const JackLibrary& jack_;
  JackClient* client_ = nullptr;
  ClientCallbacks callbacks_;
  std::atomic<bool> shut_down_{false};
};

/// Touches the whole seat: its pages must not have to be fetched on the process thread.
void touch_seat(CycleSeat& seat) noexcept {
  for (auto& words : seat.stamps) words[0].store(0, std::memory_order_relaxed);
}

}  // namespace

int run_graph_client(const CycleBoard& board, int index) {
  CycleSeat& seat = board.seat(index);
  seat.pid = ::getpid();
  touch_seat(seat);
  try {
    GraphClient client(board, seat);
    const std::string failed = client.start();
    if (failed.empty()) {
      client.work();
    } else {
      seat.fail(failed);
    }
    // libjack's threads may still call back, or hang in the server's absence: they end with the process.
    ::_exit(seat.stage.load() == JackStage::closed ? 0 : static_cast<int>(ExitCode::system));
  } catch (const std::exception& error) {
    seat.fail(error.what());
  }
  return static_cast<int>(ExitCode::system);
}

}  // namespace xrunlab
