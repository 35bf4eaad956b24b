#include "xrunlab/cli/repeated_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

constexpr int kFirstSignalCode = 128;
constexpr int kMostOfOneName = 100'000;

/// Letters, digits and what names of kernels have besides; nothing that a shell or a file system minds.
std::string name_part(std::string_view text) {
  std::string part;
  for (const char letter : text) {
    const bool plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                       (letter >= 'A' && letter <= 'Z') || letter == '.' || letter == '_' || letter == '-' ||
                       letter == '+';
    part += plain ? letter : '_';
  }
  return part;
}

/// "2026-11-30T22:15:04.350Z" as "20261130T221504Z".
std::string compact_time(const std::string& utc) {
  std::string time = utc.substr(0, utc.find_first_of(".Z"));
  std::erase_if(time, [](char letter) { return letter == '-' || letter == ':'; });
  return name_part(time) + "Z";
}

RunData read_draft(const fs::path& draft) {
  std::ifstream file(draft, std::ios::binary);
  return run_from_json({std::istreambuf_iterator<char>(file), {}}, printable_name(draft));
}

[[noreturn]] void refuse_repeat(const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::usage, what, remedy);
}

void check_repeat(const RepeatOptions& options, const std::string& json, const std::string& record) {
  if (options.directory.empty())
    refuse_repeat("-n makes a run file of each run, but there is no directory for them", "add -o DIR");
  if (!json.empty()) refuse_repeat("-o and --json both say where the run file goes", "leave one of them out");
  if (!record.empty() && options.count > 1)
    refuse_repeat("--record with -n: each run would overwrite the file of the one before", "leave -n out");
}

}  // namespace

void add_repeat_options(CLI::App& command, RepeatOptions& options) {
  constexpr auto kGroup = "Repetition";
  command.add_option("-n,--repeat", options.count, "Run so many times, a run file of each in -o")
      ->type_name("N")
      ->check(between(1, 1'000'000))
      ->capture_default_str()
      ->group(kGroup);
  command
      .add_option("-o,--output", options.directory,
                  "Directory of the run files, named by kind, kernel and UTC time; nothing is overwritten")
      ->type_name("DIR")
      ->group(kGroup);
}

std::string run_file_stem(const RunData& run) {
  const std::string release = run.system.kernel.substr(0, run.system.kernel.find(' '));
  return name_part(run.kind) + "-" + name_part(release) + "-" + compact_time(run.start);
}

fs::path name_run_file(const fs::path& draft, const fs::path& directory) {
  const std::string stem = run_file_stem(read_draft(draft));
  for (int number = 1; number <= kMostOfOneName; ++number) {
    const std::string suffix = number == 1 ? "" : "-" + std::to_string(number);
    const fs::path name = directory / (stem + suffix + ".json");
    // Unlike a rename, a link fails where the name is taken.
    if (::link(draft.c_str(), name.c_str()) == 0) {
      ::unlink(draft.c_str());
      return name;
    }
    if (errno != EEXIST) {
      throw Error(ExitCode::system,
                  "cannot give the run file its name " + name.string() + ": " + errno_text(errno),
                  "it is left as " + draft.string());
    }
  }
  throw Error(ExitCode::system, "too many run files are called " + stem, "choose another -o DIR");
}

int repeat_runs(const RepeatOptions& options, const std::string& json, const std::string& record,
                const std::function<int(const std::string& json)>& once) {
  if (options.count == 1 && options.directory.empty()) return once(json);
  check_repeat(options, json, record);
  const fs::path directory(options.directory);
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw Error(ExitCode::system,
                "-o: cannot make the directory " + options.directory + ": " + error.message(),
                "name one that may be written to");
  }
  const fs::path draft = directory / (".run-" + std::to_string(::getpid()) + ".json");
  int worst = 0;
  for (std::int64_t index = 0; index < options.count && worst < kFirstSignalCode; ++index) {
    fs::remove(draft, error);
    worst = std::max(worst, once(draft.string()));
    if (!fs::exists(draft, error)) continue;  // ended before it began
    const fs::path name = name_run_file(draft, directory);
    if (!options.quiet)
      fmt::print(stderr, "xrunlab: {} of {}: {}\n", index + 1, options.count, printable_name(name));
  }
  return worst;
}

}  // namespace xrunlab
