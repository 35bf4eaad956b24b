#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "xrunlab/cli/capacity.hpp"
#include "xrunlab/cli/run_options.hpp"

namespace xrunlab {
namespace {

constexpr auto kCapacityFooter =
    "PLAY-OPTIONS are those of play that say how to play (xrunlab play --help):\n"
    "-D -c -f --period-size --buffer-size --ring --io --load -P ... -d is what each\n"
    "trial plays (default: 30s).\n"
    "\n"
    "Each trial is a run of play in a process of its own, from a cold cache, with no\n"
    "file used twice. The answer does not fail, the step beyond it does; the\n"
    "comfortable one has PASS. The set is written into DIR as it is needed.\n"
    "Exit codes: 0 found; 1 not even the first step passes, or it is undecided;\n"
    "2 usage; 3 system; 4 an input file; 5 the audio device; 128+n ended by signal n.\n"
    "\n"
    "Examples:\n"
    "  xrunlab capacity ~/music                       how many tracks?\n"
    "  xrunlab capacity --by ring --tracks 48 ~/music how small a ring for 48?\n"
    "  xrunlab capacity --load write:. --json=n.json  how many while it writes?\n";

/// What of `play` cannot be given: `capacity` decides it itself, or it would spoil every trial.
constexpr std::array kNotOfCapacity{
    "INPUT",        "--tracks", "--set",          "--in",          "--ignore-length",   "--json",
    "--classic",    "--hist",   "--record",       "--record-last", "--repeat",          "--output",
    "--redact",     "--quiet",  "--verbose",      "--dry-run",     "--status-interval", "--fault",
    "--fault-seed", "--loop",   "--fail-marginal"};

/// What was given of `play`, as words.
std::vector<std::string> words_of(const CLI::App& play) {
  std::vector<std::string> words;
  for (const auto* const option : play.get_options([](const CLI::Option* one) { return one->count() > 0; })) {
    const std::string name = "--" + option->get_lnames().front();
    if (option->get_items_expected_max() == 0) {
      words.push_back(name);
    } else {
      for (const auto& value : option->results()) words.push_back(name + "=" + value);
    }
  }
  return words;
}

void add_search(CLI::App& capacity, CapacityOptions& options) {
  capacity.add_option("DIR", options.directory, "Where the set is written: the disk to be measured")
      ->capture_default_str();
  capacity
      .add_option("--by", options.by,
                  "tracks: the largest number; ring, fragment: the smallest one for --tracks tracks")
      ->check(CLI::IsMember({"tracks", "ring", "fragment"}))
      ->capture_default_str();
  capacity.add_option("--set", options.set, "What a track is: rate/bits/channels; f for float: 44.1k/f/2")
      ->type_name("SET")
      ->capture_default_str();
  capacity.add_option("--tracks", options.tracks, "By ring and by fragment: tracks to play (default: 16)")
      ->type_name("N")
      ->check(between(1, 10'000));
  capacity.add_option("--max-tracks", options.max_tracks, "By tracks: no more than these")
      ->type_name("N")
      ->check(between(1, 10'000))
      ->capture_default_str();
  capacity.add_option("--confirm", options.confirm, "The answer has to pass so often of so many")
      ->type_name("N")
      ->check(between(1, 1000))
      ->capture_default_str();
  capacity.add_flag("--table", options.table, "Tracks for all of --formats, --fragments and --rings");
  capacity.add_option("--formats", options.formats, "For --table, as --set, with commas between")
      ->type_name("SET,...")
      ->capture_default_str();
  capacity.add_option("--fragments", options.fragments, "For --table: frames, each also the card's period")
      ->type_name("FRAMES,...")
      ->capture_default_str();
  capacity.add_option("--rings", options.rings, "For --table")->type_name("SIZE,...")->capture_default_str();
}

void add_files(CLI::App& capacity, CapacityOptions& options) {
  capacity.add_flag("--keep", options.keep, "Leave the set in DIR; the next search there uses it again");
  capacity.add_flag("--force", options.force, "Take more than half of the free space");
  capacity.add_option("--runs", options.runs, "Keep the run file of each trial in this new directory")
      ->type_name("DIR");
  add_json_option(capacity, options.json, "The result (JSON)");
  capacity.add_flag("--dry-run", options.dry_run, "Print what would be written and tried; do nothing");
  capacity.add_flag("-q,--quiet", options.quiet, "Print only the last line, and warnings on stderr");
}

/// play's options, as a group without a name: parsed as if they were our own.
CLI::App* add_play_words(CLI::App& capacity, CapacityOptions& options) {
  CLI::App scratch;
  add_play(scratch, options.play);
  const CLI::App_p play = scratch.get_subcommand_ptr("play");
  scratch.remove_subcommand(play.get());
  play->name("");
  play->group("");
  play->footer("");
  play->set_help_flag();
  play->parse_complete_callback({});  // play looks itself, and knows those that are taken away here
  for (const char* const name : kNotOfCapacity) play->remove_option(play->get_option(name));
  capacity.add_subcommand(play);
  return play.get();
}

/// What would be passed over without a word.
void refuse_idle_options(const CLI::App& capacity, const CapacityOptions& options) {
  const auto given = [&capacity](const char* name) { return capacity.get_option(name)->count() > 0; };
  if (options.table && given("--set"))
    throw Error(ExitCode::usage, "--set does nothing with --table", "name the formats with --formats");
  if (given("--max-tracks") && options.by != "tracks")
    throw Error(ExitCode::usage, "--max-tracks does nothing by " + options.by, "--tracks says how many play");
  for (const char* const name : {"--formats", "--fragments", "--rings"}) {
    if (given(name) && !options.table)
      throw Error(ExitCode::usage, std::string(name) + " is for --table", "add --table, or leave it out");
  }
}

}  // namespace

CLI::App* add_capacity(CLI::App& app, CapacityOptions& options) {
  auto* const capacity =
      app.add_subcommand("capacity", "Find how many tracks, or how small a ring, this machine can play");
  add_search(*capacity, options);
  add_files(*capacity, options);
  const auto* const play = add_play_words(*capacity, options);
  capacity->footer(kCapacityFooter);
  capacity->callback([capacity, play, &options] {
    refuse_idle_options(*capacity, options);
    options.play_words = words_of(*play);
  });
  return capacity;
}

}  // namespace xrunlab
