#include "xrunlab/cli/sweep_play.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "xrunlab/cli/play_load.hpp"
#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/cli/play_request.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/rehearsal.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

constexpr const char* kInputKey = "input";

/// What `sweep` decides itself, or what would be overwritten by the next run.
constexpr std::array kNotVaried{"json",   "quiet",   "verbose", "classic",         "hist",
                                "record", "dry-run", "redact",  "status-interval", "help"};

bool is_not_varied(const std::string& key) {
  return std::find(kNotVaried.begin(), kNotVaried.end(), key) != kNotVaried.end();
}

/// The options of `play`, and a parser for them.
struct PlayParser {
  PlayOptions options;
  CLI::App app{"", "xrunlab"};
  CLI::App* play = add_play(app, options);

  CLI::Option* option(const std::string& key) const { return play->get_option_no_throw("--" + key); }
};

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

std::unique_ptr<PlayParser> parse_words(const std::vector<std::string>& words) {
  auto parser = std::make_unique<PlayParser>();
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  reversed.emplace_back("play");
  try {
    parser->app.parse(reversed);
  } catch (const CLI::Success&) {
    throw Error(ExitCode::usage, "--help of play cannot be given to a sweep",
                "xrunlab play --help lists all options");
  } catch (const CLI::ParseError& error) {
    throw Error(ExitCode::usage, std::string("play: ") + error.what(),
                "xrunlab play --help lists all options");
  }
  for (const char* const key : kNotVaried) {
    const auto* const option = parser->option(key);
    if (option == nullptr || option->count() == 0) continue;
    throw Error(ExitCode::usage, std::string("--") + key + " of play cannot be given to a sweep",
                "leave it out: each run has a file of its own");
  }
  return parser;
}

/// At the most: the duration, or the longest file. 0 for a stream that does not tell its length.
Nanoseconds length_of(const StreamRequest& request, Nanoseconds longest) {
  if (request.looping == Looping::once) {
    if (!request.duration) return longest;
    return longest.count() == 0 ? *request.duration : std::min(*request.duration, longest);
  }
  if (request.duration && request.duration->count() > 0) return *request.duration;
  throw Error(ExitCode::usage, "--loop without -d: a run would never end", "add -d TIME behind --");
}

Nanoseconds least_length(const PlaybackParts& parts) {
  if (!parts.pcm->grant().paced) return {};
  const Frames ring = parts.ring_source ? parts.ring_source->capacity() : 0;
  return std::max(Nanoseconds{kShortestWindowNs},
                  kShortestWindowRings * frames_to_duration(ring, parts.inputs.rate));
}

SweepPreview preview_unwritten(const PlayOptions& options, const StreamRequest& request) {
  const SetSpec spec = parse_temporary_set(options, request);
  const bool buffered = request.disk.direct == DirectMode::off || request.disk.ring_use == RingUse::none ||
                        request.disk.cache == CacheUse::keep;
  return {length_of(request, spec.duration),
          {},
          buffered && request.disk.direct != DirectMode::on ? SweepReads::buffered : SweepReads::direct,
          {options.in}};
}

}  // namespace

void check_play_key(const std::string& option, const std::string& key) {
  if (key == kInputKey) return;
  const PlayParser parser;
  if (parser.option(key) != nullptr) {
    if (!is_not_varied(key)) return;
    throw Error(ExitCode::usage, option + ": " + quoted_text(key) + " of play cannot be varied",
                "leave it out: each run has a file of its own");
  }
  throw Error(ExitCode::usage, option + ": " + quoted_text(key) + " is no setting and no option of play",
              "xrunlab sweep --help lists the settings, xrunlab play --help the options");
}

std::vector<std::string> sweep_play_words(const std::vector<std::string>& arguments,
                                          const std::vector<SweepFix>& values) {
  const PlayParser parser;
  std::vector<std::string> words;
  std::vector<std::string> inputs;
  for (const auto& [key, value] : values) {
    const auto* const option = parser.option(key);
    if (key == kInputKey) {
      inputs.push_back(value);
    } else if (option == nullptr || (key == "load" && value == "none")) {
      continue;
    } else if (!is_flag(*option)) {
      words.push_back("--" + key + "=" + value);
    } else if (value == "on") {
      words.push_back("--" + key);
    } else if (value != "off") {
      throw Error(ExitCode::usage, key + " is on or off, not " + quoted_text(value),
                  "write " + key + "=on,off");
    }
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), inputs.begin(), inputs.end());
  return words;
}

SweepPreview preview_play(const std::vector<std::string>& words, const std::function<void()>& checkpoint) {
  const auto parser = parse_words(words);
  const PlayOptions& options = parser->options;
  StreamRequest request = parse_play(options);
  request.checkpoint = checkpoint;
  const PlayLoad load(options.loads, options.load_seed, true);
  if (options.tracks && options.inputs.empty()) return preview_unwritten(options, request);
  if (options.tracks || options.inputs.empty()) {
    throw Error(ExitCode::usage, options.tracks ? "--tracks and files exclude each other" : "nothing to play",
                "name audio files or directories behind --, or give --tracks N there");
  }
  request.files = open_files({options.inputs.begin(), options.inputs.end()}, options.ignore_length);
  const auto parts = rehearse(request);
  Nanoseconds longest{};
  SweepPreview preview;
  for (const auto& file : request.files) {
    longest = std::max(longest, frames_to_duration(file.frames, file.rate));
    preview.files.push_back(file.path);
  }
  preview.length = length_of(request, longest);
  preview.least = least_length(*parts);
  preview.reads = parts->inputs.direct ? SweepReads::direct : SweepReads::buffered;
  return preview;
}

void check_given_once(const std::vector<std::string>& arguments, const std::vector<std::string>& keys) {
  const auto parser = parse_words(arguments);
  for (const auto& key : keys) {
    const auto* const option = parser->option(key);
    const bool given =
        key == kInputKey ? !parser->options.inputs.empty() : option != nullptr && option->count() > 0;
    if (!given) continue;
    throw Error(ExitCode::usage, key + " is varied or fixed, and given behind -- too",
                "leave one of them out");
  }
}

}  // namespace xrunlab
