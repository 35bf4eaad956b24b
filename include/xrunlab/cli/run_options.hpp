// Options that several commands have, so that they mean the same everywhere: where results go, the load
// beside a run, and what its real-time threads want of the machine. Used by what measures; --json and ranges
// by nearly all commands.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace xrunlab {

/// Where the results of a run go.
struct RunOutput {
  std::string json;     ///< "-" for stdout, else a file; empty: none
  bool redact = false;  ///< in the run file
  bool quiet = false;
};

/// A range that help does not print: the description says what matters of it.
CLI::Validator between(std::int64_t least, std::int64_t most);

/// --json, whose help says of what it is: "The table". `json` must outlive the parsing, as all that follow.
/// It is "-" for --json alone.
void add_json_option(CLI::App& command, std::string& json, const std::string& what);

/// Whether --json=FILE was given.
bool names_file(const std::string& json);

/// Throws Error{system} where such a file could not be written, so that it is known before anything is done.
void check_json_option(const std::string& json);

/// --json, --redact and -q; `output` must outlive the parsing.
void add_output_options(CLI::App& command, RunOutput& output);

/// --load and --load-seed, as PlayLoad takes them. A seed without a load is refused.
void add_load_options(CLI::App& command, std::vector<std::string>& specs, std::string& seed);

/// --no-mlock and --dma-latency.
void add_hold_options(CLI::App& command, bool& no_mlock, std::string& dma_latency);

/// Of --dma-latency as typed; nothing where it was not. Throws Error{usage}.
std::optional<std::chrono::microseconds> parse_dma_latency(const std::string& text);

}  // namespace xrunlab
