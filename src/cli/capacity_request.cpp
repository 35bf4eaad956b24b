#include "xrunlab/cli/capacity_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "xrunlab/cli/capacity_ceiling.hpp"
#include "xrunlab/cli/capacity_rings.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/experiment/capacity_ladder.hpp"
#include "xrunlab/jack/jack_pcm_options.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

constexpr const char* kTrialDefault = "30s";
constexpr std::int64_t kFirstTracks = 16;
constexpr int kTracksDefault = 16;
constexpr Frames kFirstFragment = 1024;
constexpr Frames kLargestFragment = 8192;
constexpr Frames kSmallestFragment = 16;
// A read-ahead in bytes of all tracks together says nothing of one track.
constexpr Nanoseconds kAheadUnknown = std::chrono::seconds{5};

/// The verdict's window ends with the last write, a card's buffer before the end of what is played.
Nanoseconds beyond_the_window(const PlayOptions& play, SampleRate rate) {
  const Frames fragments = kLargestFragment * play.periods;
  const Frames buffer = std::max(fragments, play.buffer_size.value_or(play.period_size * play.periods));
  return frames_to_duration(buffer, rate) * 3 / 2 + std::chrono::milliseconds{200};
}

[[noreturn]] void refuse_search(const std::string& what, const std::string& remedy) {
  throw Error(ExitCode::usage, what, remedy);
}

bool begins_with_option(const std::string& word, const std::string& option) {
  return word == option || word.starts_with(option + "=");
}

std::vector<std::string> words_without(std::vector<std::string> words,
                                       std::initializer_list<const char*> options) {
  for (const char* const option : options) {
    std::erase_if(words, [option](const std::string& word) { return begins_with_option(word, option); });
  }
  return words;
}

/// Frames of a ring that is given for one track; 0 for none and for bytes of all tracks together.
Frames ring_of_a_track(const PlayOptions& play, SampleRate rate) {
  if (play.no_ring) return 0;
  const AudioSize size = parse_audio_size("--ring", play.ring);
  if (const auto* const frames = std::get_if<FrameCount>(&size)) return frames->value;
  if (const auto* const time = std::get_if<Nanoseconds>(&size)) return duration_to_frames_ceil(*time, rate);
  return 0;
}

std::size_t nearest_step(const std::vector<std::int64_t>& ladder, std::int64_t value) {
  const auto found = std::min_element(ladder.begin(), ladder.end(), [value](std::int64_t a, std::int64_t b) {
    return std::abs(a - value) < std::abs(b - value);
  });
  return static_cast<std::size_t>(found - ladder.begin());
}

void plan_tracks(const CapacityOptions& options, CapacityRequest& request) {
  const CapacityCeiling ceiling = find_ceiling(options, request);
  if (ceiling.tracks < 1) {
    refuse_search("not even one track may be written into " + printable_text(options.directory) + ": " +
                      ceiling.limit.evidence,
                  "choose another directory, or add --force");
  }
  request.top = ceiling.limit;
  request.plan.ladder = track_ladder(ceiling.tracks);
  request.plan.start = nearest_step(request.plan.ladder, std::min(kFirstTracks, ceiling.tracks));
}

void plan_rings(const CapacityOptions& options, CapacityRequest& request) {
  if (request.ring == 0)
    refuse_search("--by ring varies the ring", "give --ring as a time or in frames, or leave it out");
  request.tracks = options.tracks.value_or(kTracksDefault);
  check_room(options, request);
  const RingSteps rings(options.play, request.track);
  request.plan.ladder = rings.down_from(request.trial / kShortestWindowRings);
  request.plan.start = nearest_step(request.plan.ladder, request.ring);
  request.top = {"ring size", fmt::format("a ring has {} reads of {} a track and two fragments at the least",
                                          RingSteps::kLeastReads, binary_bytes(rings.smallest_read()))};
  request.words = words_without(request.words, {"--ring"});
  request.ring = 0;
}

void plan_fragment(const CapacityOptions& options, CapacityRequest& request) {
  request.tracks = options.tracks.value_or(kTracksDefault);
  check_room(options, request);
  // A card's buffer holds two at the least.
  const Frames largest =
      std::min(kLargestFragment, options.play.buffer_size.value_or(2 * kLargestFragment) / 2);
  request.plan.ladder = fragment_ladder(largest, kSmallestFragment);
  request.plan.start = nearest_step(request.plan.ladder, options.play.fragment.value_or(kFirstFragment));
  request.top = {"fragment size",
                 fmt::format("{} frames are the smallest fragment that is tried", kSmallestFragment)};
  request.words = words_without(request.words, {"--fragment"});
}

/// Checks what all searches share; sets all but the ladder.
CapacityRequest basic_request(const CapacityOptions& options) {
  if (options.play.device == "null") {
    refuse_search("-D null has no deadlines to be kept",
                  "name a card, or leave -D out: an unpaced run is made beside");
  }
  if (options.directory.empty())
    refuse_search("DIR: the name is empty", "name a directory on the disk to be measured");
  if (options.play.cache == "keep")
    refuse_search("--cache keep: what is in memory says nothing of the disk",
                  "leave it out: each trial is cold");
  if (is_jack(options.play.device) && (options.by == "fragment" || options.table)) {
    refuse_search(
        "a fragment on " + options.play.device + " is the server's period, which cannot be varied from here",
        "search by tracks or by ring, or start the server with each period in turn");
  }
  CapacityRequest request;
  request.set = options.set;
  request.track = parse_set(options.set);
  request.track.tracks = 1;
  request.trial = parse_duration("-d", options.play.duration.empty() ? kTrialDefault : options.play.duration);
  request.ring = ring_of_a_track(options.play, request.track.rate);
  if (options.by != "fragment") request.fragment = options.play.fragment.value_or(0);
  request.plan.confirm = options.confirm;
  const Nanoseconds ahead =
      request.ring > 0 ? frames_to_duration(request.ring, request.track.rate) : kAheadUnknown;
  const bool bounded = request.ring > 0 && options.by != "ring";
  const Nanoseconds least =
      std::max(Nanoseconds{kShortestWindowNs}, bounded ? ahead * kShortestWindowRings : Nanoseconds{});
  if (request.trial < least) {
    refuse_search(
        fmt::format("-d: a trial of {} is too short for a verdict{}", spoken_duration(request.trial.count()),
                    bounded ? " with a ring of " + spoken_duration(ahead.count()) : ""),
        "give at least " + spoken_duration(least.count()));
  }
  // What is granted may be a little more than was asked for, and the window is held against that.
  const Nanoseconds granted =
      bounded ? frames_to_duration(RingSteps(options.play, request.track).granted(request.ring),
                                   request.track.rate)
              : Nanoseconds{};
  const Nanoseconds window = std::max(request.trial, granted * kShortestWindowRings);
  const Nanoseconds played = window + beyond_the_window(options.play, request.track.rate);
  // So the reader has something to read to the end of the trial.
  const Nanoseconds most_ahead =
      options.by == "ring" ? request.trial / kShortestWindowRings : std::max(ahead, granted);
  request.track.duration = played + most_ahead + std::chrono::seconds{1};
  check_set(request.track);
  request.words = words_without(options.play_words, {"--duration"});
  request.words.push_back(fmt::format("--duration={}ms", played.count() / 1'000'000));
  return request;
}

std::vector<std::string> distinct_parts(const char* option, const std::string& text) {
  auto items = parse_list(option, text);
  for (auto item = items.begin(); item != items.end(); ++item) {
    if (std::find(items.begin(), item, *item) != item)
      refuse_search(fmt::format("{}: {} is there twice", option, *item), "name each once");
  }
  return items;
}

void check_table_options(const CapacityOptions& options) {
  if (options.by != "tracks" || options.tracks)
    refuse_search("--table is made by tracks", "leave --by and --tracks out");
  for (const auto& word : options.play_words) {
    if (begins_with_option(word, "--ring") || begins_with_option(word, "--no-ring"))
      refuse_search(word + " does nothing with --table", "name the rings with --rings");
    if (begins_with_option(word, "--fragment") || begins_with_option(word, "--period-size"))
      refuse_search(word + " does nothing with --table", "name the fragments with --fragments");
  }
}

}  // namespace

CapacityRequest parse_capacity(const CapacityOptions& options) {
  if (options.by == "tracks" && options.tracks) {
    refuse_search("--tracks says what is played by ring and by fragment",
                  "add --by ring, or give --max-tracks");
  }
  CapacityRequest request = basic_request(options);
  if (options.by == "tracks") {
    plan_tracks(options, request);
  } else if (options.by == "ring") {
    request.by = CapacityBy::ring;
    plan_rings(options, request);
  } else {
    request.by = CapacityBy::fragment;
    plan_fragment(options, request);
  }
  return request;
}

std::vector<CapacityRequest> parse_capacity_table(const CapacityOptions& options) {
  check_table_options(options);
  std::vector<CapacityOptions> cells;
  for (const auto& format : distinct_parts("--formats", options.formats)) {
    for (const auto& ring : distinct_parts("--rings", options.rings)) {
      for (const auto& fragment : distinct_parts("--fragments", options.fragments)) {
        CapacityOptions& cell = cells.emplace_back(options);
        cell.set = format;
        cell.play.ring = ring;
        cell.play.fragment = parse_integer("--fragments", fragment, 1, 1 << 24);
        cell.play_words.push_back("--ring=" + ring);
        cell.play_words.push_back("--period-size=" + fragment);
        cell.play_words.push_back("--fragment=" + fragment);
      }
    }
  }
  std::vector<CapacityRequest> table;
  std::map<std::string, Nanoseconds> longest;
  for (const auto& cell : cells) {
    table.push_back(basic_request(cell));
    longest[cell.set] = std::max(longest[cell.set], table.back().track.duration);
  }
  for (std::size_t index = 0; index < cells.size(); ++index) {
    // Rings of other lengths want tracks of other lengths: the longest serve all of a format.
    table[index].track.duration = longest[table[index].set];
    plan_tracks(cells[index], table[index]);
  }
  return table;
}

std::vector<std::string> words_for(const CapacityRequest& request, std::int64_t value) {
  switch (request.by) {
    case CapacityBy::tracks:
      return {};
    case CapacityBy::ring:
      return {fmt::format("--ring={}", value)};
    case CapacityBy::fragment:
      break;
  }
  const bool has_period =
      std::any_of(request.words.begin(), request.words.end(),
                  [](const std::string& word) { return begins_with_option(word, "--period-size"); });
  std::vector<std::string> words{fmt::format("--fragment={}", value)};
  if (!has_period) words.push_back(fmt::format("--period-size={}", value));
  return words;
}

std::vector<std::string> unpaced_words(const CapacityRequest& request) {
  auto words = words_without(request.words, {"--device", "--format", "--priority", "--on-xrun"});
  words.emplace_back("--device=null");
  return words;
}

}  // namespace xrunlab
