// `xrunlab jack`: many clients on a JACK server, and what the kernel makes of them. Also the hidden command
// that each client is. Called by main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xrunlab/cli/repeated_runs.hpp"
#include "xrunlab/cli/run_options.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

/// The options as typed.
struct JackOptions : RunOutput {
  int clients = 20;
  int ports = 4;
  std::int64_t period_size = 64;
  int periods = 2;
  std::string rate = "44100";
  std::string duration = "300s";
  std::string warmup = "2s";
  std::string server = "dummy";
  std::string priority = "f:60";
  bool no_rt = false;
  std::string topology = "silent";
  std::string burn = "0%";
  bool ramp = false;
  std::string ramp_step = "2s";
  std::string delay_bound = "1ms";
  std::string timeout = "5s";
  std::vector<std::string> loads;
  std::string load_seed = "1";
  std::int64_t max_xruns = 0;
  bool fail_marginal = false;
  bool strict = false;
  RepeatOptions repeat;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_jack(CLI::App& app, JackOptions& options);

/// Returns the exit code of the verdict, 5 when the server broke off, 128 + n after a signal. Throws Error.
int run_jack_command(const JackOptions& options, const std::vector<std::string>& cmdline);

/// `command`: the program, kGraphClientCommand and the seat, with the board as descriptor 3.
int run_jack_client(const std::vector<std::string>& command);

}  // namespace xrunlab
