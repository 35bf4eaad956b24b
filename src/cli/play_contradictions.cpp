#include <CLI/CLI.hpp>
#include <array>

#include "xrunlab/cli/play_options.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/jack/jack_pcm_options.hpp"

namespace xrunlab {
namespace {

/// Two options of which one would silently undo the other.
struct Contradiction {
  const char* first;
  const char* second;
};
constexpr std::array kContradictions{
    Contradiction{"--no-ring", "--ring"},
    Contradiction{"--no-ring", "--io-size"},
    Contradiction{"--no-ring", "--queue-depth"},
    Contradiction{"--no-ring", "--sqpoll"},
    Contradiction{"--no-ring", "--reader-priority"},
    Contradiction{"--no-ring", "--no-fixed-buffers"},
    Contradiction{"--buffer-size", "--periods"},
    Contradiction{"--quiet", "--verbose"},
};

[[noreturn]] void refuse(const Contradiction& pair) {
  throw Error(ExitCode::usage, std::string(pair.first) + " and " + pair.second + " contradict each other",
              "leave one of them out");
}

// What a JACK server decides, or what takes a card of which one knows the position.
constexpr const char* kNotOnJack[] = {"--no-ring",     "--record",  "--priority", "--no-rt",
                                      "--buffer-size", "--periods", "--on-starve"};

}  // namespace

void settle_jack(const CLI::App& play, PlayOptions& options) {
  if (!is_jack(options.device)) return;
  for (const char* const option : kNotOnJack) {
    if (play.count(option) == 0) continue;
    throw Error(ExitCode::usage,
                std::string(option) + " does nothing on " + options.device + ": the server calls us",
                "leave it out");
  }
  if (options.affinity.find("playback") != std::string::npos) {
    throw Error(ExitCode::usage, "--affinity playback: on " + options.device + " that thread is the server's",
                "leave it out");
  }
  options.on_starve = "silence";
  if (play.count("--period-size") == 0) options.period_size = 0;
}

void refuse_contradictions(const CLI::App& play, const PlayOptions& options) {
  for (const auto& pair : kContradictions) {
    if (play.count(pair.first) > 0 && play.count(pair.second) > 0) refuse(pair);
  }
  if (options.no_ring && options.on_starve == "silence") refuse({"--no-ring", "--on-starve silence"});
  if (options.no_ring && options.io == "uring") refuse({"--no-ring", "--io uring"});
  for (const char* const option : {"--queue-depth", "--no-fixed-buffers"}) {
    if (options.io == "pread" && play.count(option) > 0) refuse({"--io pread", option});
  }
}

}  // namespace xrunlab
