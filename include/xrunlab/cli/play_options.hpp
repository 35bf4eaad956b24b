// The options of `xrunlab play` as typed. play_request parses and checks them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/cli/fault_options.hpp"
#include "xrunlab/cli/repeated_runs.hpp"
#include "xrunlab/cli/run_options.hpp"

namespace CLI {
class App;
}

namespace xrunlab {

struct PlayOptions : RunOutput {
  std::vector<std::string> inputs;
  std::optional<int> tracks;
  std::string set = "48k/24/1";
  std::string in = ".";
  bool ignore_length = false;

  std::string device = "sim";
  int channels = 2;
  std::string format;
  std::int64_t period_size = 1024;
  std::optional<std::int64_t> fragment;
  int periods = 2;
  std::optional<std::int64_t> buffer_size;
  std::string map = "mix";
  std::string gain;

  std::string ring = "5s";
  bool no_ring = false;
  std::string io = "auto";
  std::string io_size = "auto";
  int queue_depth = 32;
  std::string direct = "auto";
  bool sqpoll = false;
  bool no_fixed_buffers = false;
  std::string cache = "evict";

  std::string duration;
  bool loop = false;

  std::string priority;
  bool no_rt = false;
  std::string reader_priority = "o";
  std::string io_priority = "none";
  std::string affinity;
  bool no_mlock = false;
  std::string dma_latency;

  std::string on_xrun = "continue";
  std::int64_t max_xruns = 0;
  std::int64_t max_starved = 0;
  bool fail_marginal = false;
  std::string on_starve = "wait";
  std::string bound;

  bool classic = false;
  bool hist = false;
  std::string record;
  std::string record_last;
  bool blame = false;
  std::string status_interval;
  bool strict = false;
  bool verbose = false;
  bool dry_run = false;

  FaultOptions fault;
  std::vector<std::string> loads;
  std::string load_seed = "1";
  RepeatOptions repeat;
};

/// Adds the subcommand; `options` must outlive the parsing.
CLI::App* add_play(CLI::App& app, PlayOptions& options);

/// The options of `play` about the run itself: card, ring and disk, threads, limits, output, faults; for
/// commands that do it with something else than files. `options` must outlive the parsing.
void add_run_options(CLI::App& command, PlayOptions& options);

/// Of those: throws Error{usage} for two of which one would silently undo the other. Typed values count,
/// defaults do not: that only the parser knows.
void refuse_contradictions(const CLI::App& command, const PlayOptions& options);

/// With -D jack:…: throws Error{usage} for typed options that cannot act there, and sets what goes without
/// saying: starving is answered by silence, and without --period-size the period is 0, which is the server's.
void settle_jack(const CLI::App& play, PlayOptions& options);

}  // namespace xrunlab
