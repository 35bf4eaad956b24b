#include "xrunlab/cli/repro.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "xrunlab/cli/run_results.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/record_cut.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/virtual_run.hpp"
#include "xrunlab/model/redact.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/platform/system_info.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPiece = "record.trace";
constexpr const char* kRun = "run.json";
constexpr const char* kReadme = "README.txt";
constexpr const char* kCommand = "xrunlab replay record.trace --virtual";

void make_directory(const fs::path& directory) {
  std::error_code error;
  if (fs::exists(directory, error) &&
      !(fs::is_directory(directory, error) && fs::is_empty(directory, error))) {
    throw Error(ExitCode::usage,
                "-o: " + printable_name(directory) + " is there already and is no empty directory",
                "give another name");
  }
  fs::create_directories(directory, error);
  if (error)
    throw Error(ExitCode::system, "-o: cannot make " + printable_name(directory) + ": " + error.message());
}

RunData replay_piece(const fs::path& piece) {
  StreamRequest request;
  play_again(std::make_shared<const ReplayScript>(load_replay_script(piece)), {}, request);
  const Signals signals;
  RunData run = run_in_virtual_time(request, signals).run;
  run.cmdline = {"xrunlab", "replay", kPiece, "--virtual"};
  run.tool = this_program();
  // A replay in virtual time is of no machine; this is where the case was made.
  run.system = describe_system();
  return redacted(run);
}

std::string spoken_episode(const std::string& kind, const std::string& cause, std::int64_t duration_ns,
                           const std::optional<std::int64_t>& track) {
  std::string text = fmt::format("{} of {}, put down to: {}", kind, spoken_duration(duration_ns), cause);
  if (track) text += fmt::format(", track {}", *track + 1);
  return text;
}

std::string episode_text(const EpisodeEvent& episode) {
  return spoken_episode(std::string(to_string(static_cast<EpisodeKind>(episode.kind))),
                        std::string(to_string(static_cast<Cause>(episode.cause))), episode.duration_ns,
                        episode.track < 0 ? std::nullopt : std::optional(episode.track));
}

std::string episode_text(const EpisodeData& episode) {
  return spoken_episode(episode.kind, episode.cause, episode.duration_ns, episode.evidence.track);
}

/// The same kind of thing, put down to the same, as long but for a fragment.
bool shows(const EpisodeData& seen, const EpisodeEvent& recorded, std::int64_t fragment_ns) {
  return seen.kind == to_string(static_cast<EpisodeKind>(recorded.kind)) &&
         seen.cause == to_string(static_cast<Cause>(recorded.cause)) &&
         (recorded.track < 0 || seen.evidence.track == recorded.track) &&
         std::abs(seen.duration_ns - recorded.duration_ns) <= fragment_ns;
}

void write_readme(const fs::path& directory, const RecordCut& cut, const EpisodeData* seen) {
  std::ofstream out(directory / kReadme);
  out << "A run of xrunlab in which something went wrong, cut down to the moment at which it did.\n\n"
      << "In the record: " << episode_text(cut.worst) << ".\n"
      << "Played again:  " << (seen != nullptr ? episode_text(*seen) : "nothing") << ".\n\n"
      << "To see it, on any machine, without the files and the disk:\n\n    " << kCommand << "\n\n"
      << kPiece << "  the reads and wake-ups around that moment, " << spoken_duration(cut.length.count())
      << "\n"
      << kRun << "      what the command above gives as --json, and the machine on which this was made\n";
  out.close();
  if (!out) throw Error(ExitCode::system, "cannot write " + printable_name(directory / kReadme));
}

}  // namespace

CLI::App* add_repro(CLI::App& app, ReproOptions& options) {
  auto* const repro = app.add_subcommand("repro", "Make a small case for a bug report from a recorded run");
  repro->add_option("RECORD", options.record, "The trace of a run in which something went wrong")->required();
  repro->add_option("-o,--output", options.directory, "Where to put it: a directory that is not there yet")
      ->type_name("DIR")
      ->required();
  repro->add_flag("--keep-names", options.keep_names,
                  "Keep the names of the files, which else become numbers");
  repro->footer(
      "The case is the record around its worst episode, the run file of its replay with the machine in it, "
      "and\n"
      "one command. The host's name is left out.\n"
      "\n"
      "Exit codes: 0 the case shows the episode; 1 it does not; 2 usage; 3 system; 4 no record, or nothing\n"
      "went wrong in it.\n");
  return repro;
}

ExitCode run_repro(const ReproOptions& options) {
  // Before anything is made.
  check_replayable(TraceReader(options.record).header(), printable_name(options.record));
  const fs::path directory = options.directory;
  make_directory(directory);
  const auto cut = cut_worst_episode(options.record, directory / kPiece,
                                     options.keep_names ? TrackNames::kept : TrackNames::numbers);
  const RunData run = replay_piece(directory / kPiece);
  const auto fragment_ns =
      frames_to_duration(run.device.fragment_frames, {static_cast<std::uint32_t>(run.device.rate_hz)})
          .count();
  const EpisodeData* seen = nullptr;
  for (const auto& episode : run.episodes) {
    if (seen == nullptr || episode.duration_ns > seen->duration_ns) seen = &episode;
  }
  write_run_file(run, directory / kRun, "-o");
  write_readme(directory, cut, seen);
  const bool shown = seen != nullptr && shows(*seen, cut.worst, fragment_ns);
  print_out(fmt::format("{}: {} of the record, {} events\n", printable_name(directory / kPiece),
                        spoken_duration(cut.length.count()), cut.events));
  print_out(fmt::format("in the record  {}\n", episode_text(cut.worst)));
  print_out(fmt::format("played again   {}\n", seen != nullptr ? episode_text(*seen) : "nothing"));
  if (!shown)
    fmt::print(stderr, "xrunlab: the piece does not show the episode of the record; send the whole record\n");
  return exit_code_after_output(shown ? ExitCode::ok : ExitCode::limit_broken);
}

}  // namespace xrunlab
