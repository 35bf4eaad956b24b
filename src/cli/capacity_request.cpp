#include "xrunlab/cli/capacity_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "xrunlab/cli/capacity_set.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/experiment/capacity_ladder.hpp"
#include "xrunlab/model/verdict.hpp"
#include "xrunlab/platform/limits.hpp"

namespace xrunlab {
namespace {

constexpr const char* kTrialDefault = "30s";
constexpr std::int64_t kFirstTracks = 16;
constexpr int kTracksDefault = 16;
constexpr Frames kFirstFragment = 1024;
constexpr Frames kLargestFragment = 8192;
constexpr Frames kSmallestFragment = 16;
// A ring is four blocks of a page at the least.
constexpr Bytes kSmallestRing = 4 * kPageBytes;
// What `play` opens besides its tracks.
constexpr std::int64_t kOtherFiles = 64;
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

/// The most that may be tried, and what says so.
struct Ceiling {
  std::int64_t tracks = 0;
  CapacityLimit limit;

  void lower_to(std::int64_t most, const std::string& resource, const std::string& evidence) {
    if (most >= tracks) return;
    tracks = most;
    limit = {resource, evidence};
  }
};

Ceiling find_ceiling(const CapacityOptions& options, const CapacityRequest& request) {
  Ceiling ceiling{options.max_tracks, {"--max-tracks", fmt::format("--max-tracks {}", options.max_tracks)}};
  const SetRoom room = room_for_set(options.directory, options.force);
  ceiling.lower_to(room.allowed / track_file_bytes(request.track), "disk space",
                   fmt::format("{} are free, {} of them may be taken{}", binary_bytes(room.free),
                               binary_bytes(room.allowed), options.force ? "" : " (--force takes more)"));
  const ResourceLimit files = read_limit("Max open files");
  if (files.hard != kUnlimited) {
    ceiling.lower_to(files.hard - kOtherFiles, "open files",
                     fmt::format("at most {} open files (ulimit -Hn)", files.hard));
  }
  if (const Bytes memory = available_memory_bytes(); memory > 0 && request.ring > 0) {
    const Bytes ring = request.ring * request.track.channels * bytes_per_sample(request.track.format);
    ceiling.lower_to(
        memory / 10 * 9 / std::max<Bytes>(1, ring), "memory",
        fmt::format("{} are available, a track's ring takes {}", binary_bytes(memory), binary_bytes(ring)));
  }
  return ceiling;
}

std::size_t nearest_step(const std::vector<std::int64_t>& ladder, std::int64_t value) {
  const auto found = std::min_element(ladder.begin(), ladder.end(), [value](std::int64_t a, std::int64_t b) {
    return std::abs(a - value) < std::abs(b - value);
  });
  return static_cast<std::size_t>(found - ladder.begin());
}

void plan_tracks(const CapacityOptions& options, CapacityRequest& request) {
  const Ceiling ceiling = find_ceiling(options, request);
  if (ceiling.tracks < 1) {
    refuse_search("not even one track may be written into " + printable_text(options.directory) + ": " +
                      ceiling.limit.evidence,
                  "choose another directory, or add --force");
  }
  request.top = ceiling.limit;
  request.plan.ladder = track_ladder(ceiling.tracks);
  request.plan.start = nearest_step(request.plan.ladder, std::min(kFirstTracks, ceiling.tracks));
}

void check_fixed_set(const CapacityOptions& options, CapacityRequest& request) {
  request.tracks = options.tracks.value_or(kTracksDefault);
  const SetRoom room = room_for_set(options.directory, options.force);
  const Bytes needed = request.tracks * track_file_bytes(request.track);
  if (needed <= room.allowed) return;
  refuse_search(fmt::format("{} take {}, and {} are free in {}", counted(request.tracks, "track"),
                            binary_bytes(needed), binary_bytes(room.free), printable_text(options.directory)),
                "add --force to take more than half of it, or ask for fewer --tracks");
}

void plan_ring(const CapacityOptions& options, CapacityRequest& request) {
  if (request.ring == 0)
    refuse_search("--by ring varies the ring", "give --ring as a time or in frames, or leave it out");
  check_fixed_set(options, request);
  const SampleRate rate = request.track.rate;
  const Frames least = kSmallestRing / (request.track.channels * bytes_per_sample(request.track.format));
  const Nanoseconds longest = request.trial / kShortestWindowRings;
  for (const auto ring_ns : ring_ladder(longest.count(), frames_to_duration(least, rate).count())) {
    request.plan.ladder.push_back(duration_to_frames_ceil(Nanoseconds{ring_ns}, rate));
  }
  request.plan.start = nearest_step(request.plan.ladder, request.ring);
  request.top = {"ring size", "a smaller ring cannot be had: it has four blocks of 4 KiB a track"};
  request.words = words_without(request.words, {"--ring"});
  request.ring = 0;
}

void plan_fragment(const CapacityOptions& options, CapacityRequest& request) {
  check_fixed_set(options, request);
  request.plan.ladder = fragment_ladder(kLargestFragment, kSmallestFragment);
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
  // So the reader has something to read to the end of the trial.
  const Nanoseconds most_ahead = options.by == "ring" ? request.trial / kShortestWindowRings : ahead;
  const Nanoseconds played = request.trial + beyond_the_window(options.play, request.track.rate);
  request.track.duration = played + most_ahead + std::chrono::seconds{1};
  check_set(request.track);
  request.words = words_without(options.play_words, {"--duration"});
  request.words.push_back(fmt::format("--duration={}ms", played.count() / 1'000'000));
  return request;
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
    plan_ring(options, request);
  } else {
    request.by = CapacityBy::fragment;
    plan_fragment(options, request);
  }
  return request;
}

std::vector<CapacityRequest> parse_capacity_table(const CapacityOptions& options) {
  if (options.by != "tracks" || options.tracks)
    refuse_search("--table is made by tracks", "leave --by and --tracks out");
  std::vector<CapacityRequest> table;
  for (const auto& format : parse_list("--formats", options.formats)) {
    for (const auto& ring : parse_list("--rings", options.rings)) {
      for (const auto& fragment : parse_list("--fragments", options.fragments)) {
        CapacityOptions cell = options;
        cell.set = format;
        cell.play.ring = ring;
        cell.play.fragment = parse_integer("--fragments", fragment, 1, 1 << 24);
        cell.play_words = words_without(options.play_words, {"--ring", "--fragment", "--period-size"});
        cell.play_words.push_back("--ring=" + ring);
        cell.play_words.push_back("--period-size=" + fragment);
        cell.play_words.push_back("--fragment=" + fragment);
        table.push_back(parse_capacity(cell));
      }
    }
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
