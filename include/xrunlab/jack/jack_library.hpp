// libjack as it is found at run time (JACK's own, or PipeWire's under pw-jack), so that xrunlab is built and
// runs without it. Used by every process that is a JACK client: the clients of `xrunlab jack`, and whoever
// plays to a JACK server. The functions are libjack's under their own names without "jack_"; which of them
// may be called on the process thread is JACK's to say.
//
//   const JackLibrary& jack = JackLibrary::load();   // exit 77 with the package where there is none
//   JackClient* client = jack.client_open("name", kJackNoStartServer | kJackServerName, &status, "server");
#pragma once

#include <cstdint>

namespace xrunlab {

struct JackClient;  ///< libjack's jack_client_t: never looked into
struct JackPort;    ///< libjack's jack_port_t

/// Options of client_open.
inline constexpr int kJackNoStartServer = 0x01;
inline constexpr int kJackUseExactName = 0x02;
inline constexpr int kJackServerName = 0x04;  ///< the server's name follows `status`

/// Bits of its status.
inline constexpr int kJackServerFailed = 0x10;  ///< no server can be reached

/// Flags of port_register and get_ports.
inline constexpr unsigned long kJackPortIsInput = 0x1;
inline constexpr unsigned long kJackPortIsOutput = 0x2;
inline constexpr unsigned long kJackPortIsPhysical = 0x4;

/// The type of every port here: 32-bit float samples.
inline constexpr const char* kJackAudioPort = "32 bit float mono audio";

struct JackLibrary {
  /// Loads it, once a process. Throws Error{not_possible} that names the package where there is none, or
  /// lacks a function.
  static const JackLibrary& load();

  JackClient* (*client_open)(const char* name, int options, int* status, ...);
  int (*client_close)(JackClient*);
  char* (*get_client_name)(JackClient*);
  int (*activate)(JackClient*);
  int (*deactivate)(JackClient*);
  std::uint32_t (*get_sample_rate)(JackClient*);
  std::uint32_t (*get_buffer_size)(JackClient*);
  int (*set_process_callback)(JackClient*, int (*)(std::uint32_t frames, void*), void*);
  int (*set_xrun_callback)(JackClient*, int (*)(void*), void*);
  void (*on_shutdown)(JackClient*, void (*)(void*), void*);
  JackPort* (*port_register)(JackClient*, const char* name, const char* type, unsigned long flags,
                             unsigned long buffer_size);
  void* (*port_get_buffer)(JackPort*, std::uint32_t frames);
  const char* (*port_name)(const JackPort*);
  int (*connect)(JackClient*, const char* source, const char* destination);
  const char** (*get_ports)(JackClient*, const char* name_pattern, const char* type_pattern,
                            unsigned long flags);
  void (*free)(void*);
  float (*cpu_load)(JackClient*);  ///< percent
  std::uint32_t (*last_frame_time)(const JackClient*);
  std::uint32_t (*frames_since_cycle_start)(const JackClient*);
  /// Times in µs of the server's clock; 0 when it worked.
  int (*get_cycle_times)(const JackClient*, std::uint32_t* frames, std::uint64_t* current_us,
                         std::uint64_t* next_us, float* period_us);
  std::uint64_t (*get_time)();  ///< µs of the server's clock
  float (*get_max_delayed_usecs)(JackClient*);
  void (*reset_max_delayed_usecs)(JackClient*);
  int (*is_realtime)(JackClient*);
  int (*client_real_time_priority)(JackClient*);  ///< of its process thread; −1: none
  void (*set_error_function)(void (*)(const char*));
  void (*set_info_function)(void (*)(const char*));
};

}  // namespace xrunlab
