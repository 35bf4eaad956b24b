// The options of `xrunlab latency` as typed. latency_request parses and checks them.
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

struct LatencyOptions : RunOutput {
  std::string clock = "nanosleep";
  std::string interval;
  std::int64_t loops = 10'000;
  std::string duration;
  int ticks = 2;
  int rtc_rate = 4096;
  std::int64_t period_size = 1024;
  std::string rate = "48k";

  std::string threads = "1";
  std::string priority = "f:80";
  std::string affinity;
  bool no_mlock = false;
  std::string dma_latency;
  std::string burn;

  std::int64_t rounds = 1;
  std::string pause = "10s";
  std::string stop_over;

  bool cyclictest = false;
  bool hist = false;
  std::string record;
  bool strict = false;

  std::vector<std::string> loads;
  std::string load_seed = "1";
  RepeatOptions repeat;

  bool loops_typed = false;  ///< set by the parser, as the next one
  bool interval_typed = false;
  std::string of_rtc;   ///< one of those typed that concern the rtc only; empty: none
  std::string of_card;  ///< the same, of a card
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_latency(CLI::App& app, LatencyOptions& options);

}  // namespace xrunlab
