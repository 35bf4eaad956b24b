#include "xrunlab/jack/jack_library.hpp"

#include <dlfcn.h>

#include <string>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr const char* kPackage = "apt-get install libjack-jackd2-0, or pipewire-jack";

template <class Function>
void find_function(void* library, const char* name, Function*& function) {
  // What dlsym gives is a function of that type: POSIX has the conversion, C++ leaves it to the machine.
  function = reinterpret_cast<Function*>(::dlsym(library, name));
  if (function == nullptr) {
    throw Error(ExitCode::not_possible, std::string("libjack.so.0 lacks ") + name, kPackage);
  }
}

JackLibrary open_library() {
  // Never closed: it starts threads, and its callbacks may still run.
  void* const library = ::dlopen("libjack.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error(ExitCode::not_possible, "there is no libjack (libjack.so.0)", kPackage);
  JackLibrary jack{};
  find_function(library, "jack_client_open", jack.client_open);
  find_function(library, "jack_client_close", jack.client_close);
  find_function(library, "jack_get_client_name", jack.get_client_name);
  find_function(library, "jack_activate", jack.activate);
  find_function(library, "jack_deactivate", jack.deactivate);
  find_function(library, "jack_get_sample_rate", jack.get_sample_rate);
  find_function(library, "jack_get_buffer_size", jack.get_buffer_size);
  find_function(library, "jack_set_process_callback", jack.set_process_callback);
  find_function(library, "jack_set_xrun_callback", jack.set_xrun_callback);
  find_function(library, "jack_on_shutdown", jack.on_shutdown);
  find_function(library, "jack_port_register", jack.port_register);
  find_function(library, "jack_port_get_buffer", jack.port_get_buffer);
  find_function(library, "jack_port_name", jack.port_name);
  find_function(library, "jack_connect", jack.connect);
  find_function(library, "jack_get_ports", jack.get_ports);
  find_function(library, "jack_free", jack.free);
  find_function(library, "jack_cpu_load", jack.cpu_load);
  find_function(library, "jack_last_frame_time", jack.last_frame_time);
  find_function(library, "jack_frames_since_cycle_start", jack.frames_since_cycle_start);
  find_function(library, "jack_get_cycle_times", jack.get_cycle_times);
  find_function(library, "jack_get_time", jack.get_time);
  find_function(library, "jack_get_max_delayed_usecs", jack.get_max_delayed_usecs);
  find_function(library, "jack_reset_max_delayed_usecs", jack.reset_max_delayed_usecs);
  find_function(library, "jack_is_realtime", jack.is_realtime);
  find_function(library, "jack_client_real_time_priority", jack.client_real_time_priority);
  find_function(library, "jack_set_error_function", jack.set_error_function);
  find_function(library, "jack_set_info_function", jack.set_info_function);
  return jack;
}

}  // namespace

const JackLibrary& JackLibrary::load() {
  static const JackLibrary jack = open_library();
  return jack;
}

}  // namespace xrunlab
