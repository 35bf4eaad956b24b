#include "src/jack/jack_output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <mutex>
#include <thread>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

/// libjack with a server that can be told to hang in one call; a test calls the process callback itself.
struct FakeServer {
  // Never destroyed: threads that hang outlive the tests.
  static inline auto& mutex = *new std::mutex;   ///< of the next two: calls come on a thread of their own
  static inline auto& hangs = *new std::string;  ///< the call that never returns
  static inline auto& calls = *new std::string;
  static inline std::array<float, 4> buffer{};
  static inline int (*process)(std::uint32_t, void*) = nullptr;
  static inline void* process_argument = nullptr;

  static void call(const std::string& name) {
    std::unique_lock lock(mutex);
    calls += name + " ";
    const bool never = hangs == name;
    lock.unlock();
    while (never) std::this_thread::sleep_for(1h);
  }
  static void hang_in(const std::string& name) {
    const std::lock_guard lock(mutex);
    hangs = name;
    calls.clear();
  }

  static inline int client = 0;  ///< its address stands for a client and a port
  static JackClient* open(const char*, int, int*, ...) {
    call("open");
    return reinterpret_cast<JackClient*>(&client);
  }

  static JackLibrary library() {
    JackLibrary jack{};
    jack.set_error_function = [](void (*)(const char*)) {};
    jack.set_info_function = [](void (*)(const char*)) {};
    jack.client_open = &FakeServer::open;
    jack.client_close = [](JackClient*) {
      call("close");
      return 0;
    };
    jack.get_client_name = [](JackClient*) -> char* { return nullptr; };
    jack.get_sample_rate = [](JackClient*) { return 48'000U; };
    jack.get_buffer_size = [](JackClient*) { return 4U; };
    jack.port_register = [](JackClient*, const char*, const char*, unsigned long, unsigned long) {
      call("register");
      return reinterpret_cast<JackPort*>(&client);
    };
    jack.on_shutdown = [](JackClient*, void (*)(void*), void*) {};
    jack.set_xrun_callback = [](JackClient*, int (*)(void*), void*) { return 0; };
    jack.set_process_callback = [](JackClient*, int (*callback)(std::uint32_t, void*), void* argument) {
      process = callback;
      process_argument = argument;
      return 0;
    };
    jack.activate = [](JackClient*) {
      call("activate");
      return 0;
    };
    jack.deactivate = [](JackClient*) {
      call("deactivate");
      return 0;
    };
    jack.get_time = [] { return std::uint64_t{1}; };
    jack.get_cycle_times = [](const JackClient*, std::uint32_t*, std::uint64_t*, std::uint64_t*, float*) {
      return 1;
    };
    jack.port_get_buffer = [](JackPort*, std::uint32_t) -> void* { return buffer.data(); };
    return jack;
  }
};

const JackLibrary& fake_library() {
  static const JackLibrary jack = FakeServer::library();
  return jack;
}

std::unique_ptr<JackOutput> output_to(Nanoseconds timeout) {
  return std::make_unique<JackOutput>(fake_library(), JackPcmOptions{.timeout = timeout},
                                      [](std::uint32_t, Frames) { return PcmGrant{.channels = 1}; });
}

struct Ones final : CycleListener {
  JackOutput* output = nullptr;
  int cycles = 0;
  void cycle(const AudioCycle&) noexcept override {
    ++cycles;
    const std::array<float, 2> two{1, 1};
    output->write(reinterpret_cast<const std::byte*>(two.data()), 2);
  }
};

TEST(JackOutput, PlaysWhatTheListenerWritesAndSilenceBehind) {
  FakeServer::hang_in("");
  auto output = output_to(30s);
  EXPECT_EQ(output->connect_to("none"), "");
  Ones ones;
  ones.output = output.get();
  FakeServer::buffer.fill(9);
  FakeServer::process(4, FakeServer::process_argument);
  EXPECT_THAT(FakeServer::buffer, ElementsAre(0, 0, 0, 0)) << "nobody plays yet";
  output->start_cycles(ones);
  FakeServer::process(4, FakeServer::process_argument);
  EXPECT_THAT(FakeServer::buffer, ElementsAre(1, 1, 0, 0));
  EXPECT_TRUE(output->stop_cycles());
  FakeServer::process(4, FakeServer::process_argument);
  EXPECT_EQ(ones.cycles, 1);
  output.reset();
  EXPECT_EQ(FakeServer::calls, "open register activate deactivate close ");
}

TEST(JackOutput, ACallOfLibjackThatDoesNotReturnIsAnError) {
  for (const char* const name : {"open", "register", "activate"}) {
    FakeServer::hang_in(name);
    try {
      output_to(20ms)->connect_to("none");
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::audio_device);
      EXPECT_THAT(error.what(), HasSubstr("did not return within 20.0 ms")) << name;
    }
  }
}

TEST(JackOutput, AServerThatDoesNotLetGoMayStillCall) {
  FakeServer::hang_in("deactivate");
  auto output = output_to(20ms);
  output->connect_to("none");
  Ones ones;
  ones.output = output.get();
  output->start_cycles(ones);
  EXPECT_TRUE(output->stop_cycles()) << "the listener is let go all the same";
  output.reset();
  EXPECT_EQ(FakeServer::process(4, FakeServer::process_argument), 0);
  EXPECT_EQ(ones.cycles, 0);
}

}  // namespace
}  // namespace xrunlab
