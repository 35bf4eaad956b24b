#include "xrunlab/cli/repeated_runs.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

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

constexpr std::string_view kDraftStart = ".run-";
constexpr std::string_view kDraftEnd = ".json";

fs::path draft_of(const fs::path& directory, pid_t process) {
  return directory / (std::string(kDraftStart) + std::to_string(process) + std::string(kDraftEnd));
}

/// The process that a draft of this name is of; 0 when it is none.
pid_t process_of_draft(std::string_view name) {
  if (!name.starts_with(kDraftStart) || !name.ends_with(kDraftEnd)) return 0;
  const auto digits = name.substr(kDraftStart.size(),
                                  name.size() - std::min(name.size(), kDraftStart.size() + kDraftEnd.size()));
  pid_t process = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), process);
  const bool whole = error == std::errc{} && end == digits.data() + digits.size();
  return whole && process > 0 ? process : 0;
}

/// A run that was killed has left its draft, whole as it was written last and incomplete by its own word.
void name_left_drafts(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> drafts;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const pid_t process = process_of_draft(entry.path().filename().string());
    if (process != 0 && ::kill(process, 0) != 0 && errno == ESRCH) drafts.push_back(entry.path());
  }
  for (const auto& draft : drafts) {
    try {
      fmt::print(stderr, "xrunlab: {} is of a run that was killed\n",
                 printable_name(name_run_file(draft, directory)));
    } catch (const Error& why) {
      fmt::print(stderr, "xrunlab: {} is left as it is: {}\n", printable_name(draft), why.what());
    }
  }
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
                const std::function<int(const OneRun&)>& once) {
  if (options.count == 1 && options.directory.empty()) return once({json, [] {}});
  check_repeat(options, json, record);
  const fs::path directory(options.directory);
  std::error_code error;
  const bool made = fs::create_directories(directory, error);
  if (error) {
    throw Error(ExitCode::system,
                "-o: cannot make the directory " + options.directory + ": " + error.message(),
                "name one that may be written to");
  }
  name_left_drafts(directory);
  const fs::path draft = draft_of(directory, ::getpid());
  int worst = 0;
  for (std::int64_t index = 0; index < options.count && worst < kFirstSignalCode; ++index) {
    const auto give_name = [&] {
      std::error_code ignored;
      if (!fs::exists(draft, ignored)) return;  // ended before it began
      const fs::path name = name_run_file(draft, directory);
      if (!options.quiet)
        fmt::print(stderr, "xrunlab: {} of {}: {}\n", index + 1, options.count, printable_name(name));
    };
    fs::remove(draft, error);
    try {
      worst = std::max(worst, once({draft.string(), give_name}));
    } catch (...) {
      give_name();
      if (made) fs::remove(directory, error);  // unless there is something in it
      throw;
    }
    give_name();
  }
  return worst;
}

}  // namespace xrunlab
