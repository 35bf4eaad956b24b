#include "xrunlab/cli/capacity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "xrunlab/cli/capacity_request.hpp"
#include "xrunlab/cli/capacity_trials.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/experiment/pass_rate.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/report/capacity_text.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

// A search without noise takes about so many trials beside the confirmation.
constexpr int kFewSteps = 4;
constexpr int kManySteps = 8;

/// What all searches of one call share.
struct SearchBench {
  const CapacityOptions& options;
  const std::vector<std::string>& cmdline;
  GuardProcess& guard;
  const Signals& signals;
  PlayChild child;
  RunFolder folder;
  ShowProgress progress;
};

std::string search_plan_text(const std::vector<CapacityRequest>& searches, const std::string& directory) {
  const CapacityRequest& first = searches.front();
  const Bytes track_bytes = track_file_bytes(first.track);
  const auto count = static_cast<std::int64_t>(searches.size());
  std::string text = count == 1
                         ? fmt::format("searching {} by {} in {}", first.set, to_string(first.by), directory)
                         : fmt::format("{} searches by tracks in {}, first {}", count, directory, first.set);
  if (first.by == CapacityBy::tracks) {
    const std::int64_t start = first.plan.ladder[first.plan.start];
    text += fmt::format("; {} a track: {} at first ({}), more as needed, at most {} ({}: {})",
                        binary_bytes(track_bytes), start, binary_bytes(start * track_bytes),
                        first.plan.ladder.back(), binary_bytes(first.plan.ladder.back() * track_bytes),
                        first.top.resource);
  } else {
    const auto& ladder = first.plan.ladder;
    text += fmt::format("; {}, {} in all; from {} frames down to {}", counted(first.tracks, "track"),
                        binary_bytes(first.tracks * track_bytes), ladder.front(), ladder.back());
  }
  const std::int64_t trial_ns = first.trial.count() * count;
  const int few = kFewSteps + first.plan.confirm;
  const int many = kManySteps + first.plan.confirm;
  return text + fmt::format("; usually {} to {} trials of {}{}: {} to {}, and the writing", few, many,
                            spoken_duration(first.trial.count()), count > 1 ? " each" : "",
                            spoken_duration(trial_ns * few), spoken_duration(trial_ns * many));
}

/// `play --dry-run` of one track: whatever it would refuse is told before anything is written.
void check_play_words(SearchBench& bench, const CapacityRequest& request) {
  auto words = request.words;
  for (auto& word : words_for(request, request.plan.ladder[request.plan.start]))
    words.push_back(std::move(word));
  for (const auto& word : {std::string("--dry-run"), std::string("--tracks=1"), "--set=" + request.set,
                           "--in=" + bench.options.directory}) {
    words.push_back(word);
  }
  if (bench.signals.caught() != 0) return;
  const auto checked = bench.child.play(words, bench.folder.unwritten());
  if (checked.interrupted || checked.exit_code == 0) return;
  throw Error(static_cast<ExitCode>(checked.exit_code), refusal_of(checked));
}

CapacityData empty_capacity(const SearchBench& bench, const CapacityRequest& request) {
  CapacityData data;
  data.tool = {"xrunlab", XRUNLAB_VERSION, ""};
  data.cmdline = bench.cmdline;
  data.by = request.by;
  data.set = request.set;
  data.directory = bench.options.directory;
  data.rate_hz = request.track.rate.hz;
  data.tracks = request.tracks;
  data.ring_frames = request.ring;
  data.fragment_frames = request.fragment;
  data.trial_ns = request.trial.count();
  return data;
}

std::optional<CapacityStep> capacity_step(const std::optional<StepTally>& tally) {
  if (!tally) return std::nullopt;
  return CapacityStep{tally->value, tally->passes, tally->trials()};
}

void conclude_search(const SearchResult& result, const CapacityRequest& request, const CapacityTrials& trials,
                     CapacityData& data) {
  data.answer = capacity_step(result.answer);
  data.comfortable = capacity_step(result.comfortable);
  if (data.answer && data.answer->trials > 0) {
    data.pass_rate_low = pass_rate_low(result.answer->passes, result.answer->trials());
  }
  data.complete = true;
  switch (result.end) {
    case SearchEnd::edge:
    case SearchEnd::bottom:
      data.first_failing = capacity_step(result.beyond);
      data.limit = trials.limit_of(result.beyond ? result.beyond->value : 0);
      break;
    case SearchEnd::top:
      data.limit = request.top;
      break;
    case SearchEnd::impossible:
      data.limit = {"system", result.reason};
      break;
    case SearchEnd::no_verdict:
    case SearchEnd::too_many:
    case SearchEnd::interrupted:
      data.complete = false;
      data.limit = {"not decided", result.end == SearchEnd::interrupted ? "interrupted"
                                   : result.end == SearchEnd::too_many
                                       ? fmt::format("no clear edge in {} trials", result.trials)
                                       : result.reason};
      break;
  }
}

CapacityData search_one(SearchBench& bench, const CapacityRequest& request, CapacitySet& set) {
  const SystemClock clock;
  const Nanoseconds begun = clock.now();
  CapacityData data = empty_capacity(bench, request);
  CapacityTrials trials(request, set, bench.child, bench.folder, bench.progress, data);
  const SearchResult result =
      search_capacity(request.plan, [&trials](std::int64_t value) { return trials.run(value); });
  conclude_search(result, request, trials, data);
  const bool by_tracks = request.by == CapacityBy::tracks;
  if (result.end != SearchEnd::interrupted && data.answer && !bench.options.table) {
    trials.run_unpaced(by_tracks ? data.answer->value : request.tracks);
  }
  data.took_ns = (clock.now() - begun).count();
  return data;
}

/// "search 3 of 24: 48k/24/1, ring 1 s, fragment 64 frames; 5 min so far, about 50 min left"
std::string next_search_text(const CapacityRequest& request, const std::vector<CapacityData>& found,
                             std::size_t searches, Nanoseconds so_far) {
  std::string text = fmt::format(
      "search {} of {}: {}, ring {}, fragment {} frames", found.size() + 1, searches, request.set,
      spoken_duration(frames_to_duration(request.ring, request.track.rate).count()), request.fragment);
  if (found.empty()) return text;
  const auto done = static_cast<std::int64_t>(found.size());
  const std::int64_t left_ns = so_far.count() / done * (static_cast<std::int64_t>(searches) - done);
  return text +
         fmt::format("; {} so far, about {} left", spoken_duration(so_far.count()), spoken_duration(left_ns));
}

/// A table takes hours: what is known of it stands in the file after each search.
void keep_table(const SearchBench& bench, const std::vector<CapacityData>& found, std::size_t searches) {
  if (bench.progress == ShowProgress::yes) fmt::print(stderr, "{}\n", capacity_line(found.back()));
  const auto& file = bench.options.json;
  if (!file.empty() && file != "-") write_json_file(to_json(found, searches), file);
}

/// What has been found is there too when a later search throws.
void search_all(SearchBench& bench, std::vector<CapacityRequest>& searches,
                std::vector<CapacityData>& found) {
  const SystemClock clock;
  const Nanoseconds begun = clock.now();
  std::unique_ptr<CapacitySet> set;
  std::string set_name;
  for (auto& request : searches) {
    if (!set || set_name != request.set) {
      set.reset();
      set = std::make_unique<CapacitySet>(bench.guard, bench.signals, bench.options.directory, request.track,
                                          bench.options.keep ? KeepSet::yes : KeepSet::no, bench.progress);
      set_name = request.set;
    } else if (found.back().answer) {
      // The neighbouring search is the best guess.
      const auto& ladder = request.plan.ladder;
      const auto after = std::upper_bound(ladder.begin(), ladder.end(), found.back().answer->value);
      if (after != ladder.begin()) request.plan.start = static_cast<std::size_t>(after - ladder.begin() - 1);
    }
    if (bench.options.table && bench.progress == ShowProgress::yes)
      fmt::print(stderr, "{}\n", next_search_text(request, found, searches.size(), clock.now() - begun));
    found.push_back(search_one(bench, request, *set));
    if (bench.options.table) keep_table(bench, found, searches.size());
    if (bench.signals.caught() != 0) break;
  }
}

void print_warnings(const std::vector<CapacityData>& found) {
  std::set<std::string> told;
  for (const auto& one : found) {
    for (const auto& warning : one.warnings) {
      if (told.insert(warning).second) fmt::print(stderr, "xrunlab: warning: {}\n", printable(warning));
    }
  }
}

void print_capacity(const CapacityOptions& options, const std::vector<CapacityData>& found,
                    std::size_t searches) {
  const std::string json = options.table ? to_json(found, searches) : to_json(found.front());
  if (options.json == "-") {
    print_out(json);
    return;
  }
  if (options.table) {
    print_out(capacity_table(found));
  } else if (options.quiet) {
    print_warnings(found);
    print_out(capacity_line(found.front()) + "\n");
  } else {
    print_out(capacity_text(found.front()));
  }
  flush_out();
  if (names_file(options.json)) write_json_file(json, options.json);
}

}  // namespace

int run_capacity(const CapacityOptions& options, const std::vector<std::string>& cmdline) {
  GuardProcess guard;
  const Signals signals;
  check_json_option(options.json);
  std::error_code error;
  if (std::filesystem::exists(options.directory, error) &&
      !std::filesystem::is_directory(options.directory, error)) {
    throw Error(ExitCode::usage, options.directory + " is no directory",
                "name a directory on the disk that is to be measured");
  }
  std::vector<CapacityRequest> searches =
      options.table ? parse_capacity_table(options) : std::vector{parse_capacity(options)};
  SearchBench bench{options,
                    cmdline,
                    guard,
                    signals,
                    PlayChild(guard, signals),
                    RunFolder(guard, options.runs),
                    options.quiet ? ShowProgress::no : ShowProgress::yes};
  for (const auto& request : searches) check_play_words(bench, request);
  if (options.dry_run) {
    print_out(search_plan_text(searches, options.directory) +
              "\nnothing was written or played (--dry-run)\n");
    return static_cast<int>(exit_code_after_output(ExitCode::ok));
  }
  if (!options.quiet) fmt::print(stderr, "xrunlab: {}\n", search_plan_text(searches, options.directory));
  std::vector<CapacityData> found;
  try {
    search_all(bench, searches, found);
  } catch (const Error&) {
    if (!found.empty()) print_capacity(options, found, searches.size());
    throw;
  }
  print_capacity(options, found, searches.size());
  if (signals.caught() != 0) return signals.exit_code();
  const bool decided = std::all_of(found.begin(), found.end(),
                                   [](const CapacityData& one) { return one.complete && one.answer; });
  return static_cast<int>(exit_code_after_output(decided ? ExitCode::ok : ExitCode::limit_broken));
}

}  // namespace xrunlab
