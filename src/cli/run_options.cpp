#include "xrunlab/cli/run_options.hpp"

#include <CLI/CLI.hpp>

#include "xrunlab/core/parse.hpp"
#include "xrunlab/model/run_file.hpp"

namespace xrunlab {

CLI::Validator between(std::int64_t least, std::int64_t most) {
  CLI::Validator range = CLI::Range(least, most);
  range.description("");
  return range;
}

void add_json_option(CLI::App& command, std::string& json, const std::string& what) {
  command.add_option("--json", json, what + ": alone on stdout, or with --json=FILE in a file")
      ->type_name("[=FILE]");
}

bool names_file(const std::string& json) {
  return !json.empty() && json != "-";
}

void check_json_option(const std::string& json) {
  if (names_file(json)) check_run_file(json);
}

void add_output_options(CLI::App& command, RunOutput& output) {
  constexpr auto kGroup = "Output";
  add_json_option(command, output.json, "The run file (JSON)");
  command.get_option("--json")->group(kGroup);
  command.add_flag("--redact", output.redact, "Hide directories, host name and UUIDs in the run file")
      ->group(kGroup);
  command.add_flag("-q,--quiet", output.quiet, "Print only the verdict, and warnings on stderr")
      ->group(kGroup);
}

void add_load_options(CLI::App& command, std::vector<std::string>& specs, std::string& seed) {
  constexpr auto kGroup = "Load";
  auto* const load =
      command
          .add_option("--load", specs,
                      "Work for the machine meanwhile, also several times: read:DIR write:DIR cpu:N fault:N "
                      "exec[:DIR] record:DIR,tracks=N jack:clients=N fio:JOBFILE stress-ng:'ARGS'; xrunlab "
                      "load --help tells the keys")
          ->type_name("SPEC")
          ->allow_extra_args(false)
          ->group(kGroup);
  command.add_option("--load-seed", seed, "Same loads and seed, same work")
      ->type_name("N")
      ->capture_default_str()
      ->check(
          [load](const std::string&) { return std::string(load->count() > 0 ? "" : "there is no --load"); })
      ->group(kGroup);
}

void add_hold_options(CLI::App& command, bool& no_mlock, std::string& dma_latency) {
  constexpr auto kGroup = "Threads";
  command.add_flag("--no-mlock", no_mlock, "Do not lock memory (page faults become possible)")->group(kGroup);
  command
      .add_option("--dma-latency", dma_latency,
                  "Keep the CPUs from sleep states that take longer than this to leave (cyclictest: 0); a "
                  "plain number is microseconds")
      ->type_name("US")
      ->group(kGroup);
}

std::optional<std::chrono::microseconds> parse_dma_latency(const std::string& text) {
  if (text.empty()) return std::nullopt;
  constexpr std::chrono::microseconds kMost{INT32_MAX};  // what /dev/cpu_dma_latency takes
  return std::chrono::duration_cast<std::chrono::microseconds>(
      parse_microseconds("--dma-latency", text, kMost));
}

}  // namespace xrunlab
