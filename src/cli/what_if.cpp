#include "xrunlab/cli/what_if.hpp"

#include <CLI/CLI.hpp>

#include "xrunlab/cli/output_files.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/engine/lead_in.hpp"
#include "xrunlab/engine/replay_script.hpp"
#include "xrunlab/engine/replay_setup.hpp"
#include "xrunlab/engine/virtual_run.hpp"
#include "xrunlab/experiment/ring_search.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/report/what_if_text.hpp"

namespace xrunlab {
namespace {

constexpr auto kWhatIfFooter =
    "RECORD is what play --record has written. Each line is a replay in virtual time. A ring is granted in\n"
    "whole reads, so it may be a little more than was asked for.\n"
    "\n"
    "Exit codes: 0 a ring that does not starve was found, whatever xruns remain; 1 none in the range; 2 "
    "usage;\n"
    "4 no record, or one that cannot be played again.\n"
    "\n"
    "Examples:\n"
    "  xrunlab what-if run.trace\n"
    "  xrunlab what-if run.trace --ring 100ms..2s --period-size 64,256,1024\n";

// Without --ring: from this share of the recorded ring to this many times it.
constexpr Frames kLeastShare = 16;
constexpr Frames kMostTimes = 4;
constexpr std::int64_t kMostFrames = 1 << 28;

std::vector<Frames> parse_list(const char* option, const std::string& text) {
  std::vector<Frames> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    values.push_back(parse_integer(option, text.substr(begin, end - begin), 1, kMostFrames));
    begin = end + 1;
  }
  return values;
}

Frames parse_ring(const std::string& text, const ReplayScript& script) {
  const AudioSize size = parse_audio_size("--ring", text);
  if (const auto* const frames = std::get_if<FrameCount>(&size)) return frames->value;
  if (const auto* const time = std::get_if<Nanoseconds>(&size))
    return duration_to_frames_ceil(*time, script.header.rate);
  throw Error(ExitCode::usage, "--ring: '" + text + "' is an amount of bytes",
              "give frames or a time, such as 100ms..5s");
}

RingRange parse_rings(const std::string& text, const ReplayScript& script, Frames recorded) {
  const Frames least = 2 * script.header.fragment;
  if (text.empty()) return {std::max(least, recorded / kLeastShare), std::max(least, kMostTimes * recorded)};
  const auto dots = text.find("..");
  if (dots == std::string::npos) {
    throw Error(ExitCode::usage, "--ring: '" + text + "' is no range", "write it as in 100ms..5s");
  }
  const RingRange rings{parse_ring(text.substr(0, dots), script), parse_ring(text.substr(dots + 2), script)};
  if (rings.least <= 0 || rings.most < rings.least) {
    throw Error(ExitCode::usage, "--ring: '" + text + "' is an empty range", "put the smaller one first");
  }
  return rings;
}

Frames recorded_ring_frames(const ReplayScript& script) {
  Frames least = INT64_MAX;
  for (const auto& track : script.header.chain->tracks) {
    least = std::min(least, track.block_bytes * track.block_count / played_frame_bytes(track));
  }
  return least;
}

void check_has_rings(const ReplayScript& script) {
  if (has_rings(*script.header.chain)) return;
  throw Error(
      ExitCode::input_file, script.name + ": was recorded with --no-ring: it has no ring to be another",
      "xrunlab replay " + script.name + " --virtual --buffer-size N tells what another card buffer does");
}

WhatIfPlan make_plan(const WhatIfOptions& options, const ReplayScript& script) {
  const Frames period = script.header.chain->period;
  const Frames buffer = script.header.buffer;
  WhatIfPlan plan{.recorded = {recorded_ring_frames(script), period, buffer}, .rings = {}, .cards = {}};
  plan.rings = parse_rings(options.rings, script, plan.recorded.ring);
  const auto periods =
      options.periods.empty() ? std::vector{period} : parse_list("--period-size", options.periods);
  for (const Frames size : periods) {
    if (options.buffers.empty()) {
      plan.cards.push_back({0, size, size == period ? buffer : std::max(2 * size, buffer / period * size)});
      continue;
    }
    for (const Frames frames : parse_list("--buffer-size", options.buffers))
      plan.cards.push_back({0, size, frames});
  }
  return plan;
}

/// One line of the table: the record played with these sizes.
class RecordPlayer {
 public:
  RecordPlayer(std::shared_ptr<const ReplayScript> script, std::optional<Bytes> io_size,
               const Signals& signals)
      : script_(std::move(script)), io_size_(io_size), signals_(signals) {}

  WhatIfTrial operator()(const WhatIfSizes& sizes) const {
    if (signals_.caught() != 0)
      throw Error(static_cast<ExitCode>(signals_.exit_code()), "interrupted; there is no table");
    StreamRequest request;
    request.disk.ring = FrameCount{sizes.ring};
    request.disk.io_size = io_size_;
    request.card.period = sizes.period;
    request.card.buffer = sizes.buffer;
    const auto& header = script_->header;
    const bool other_period = sizes.period != header.chain->period;
    const ReplayChanges changes{.ring = true, .io_size = true, .period = other_period, .buffer = true};
    play_again(script_, changes, request);
    const RunData run = run_in_virtual_time(request, signals_).run;
    WhatIfTrial trial{.granted = {run.ring.frames, run.device.period_frames, run.device.buffer_frames},
                      .starvations = run.counters.starvation_episodes,
                      .starved_ns = run.counters.starved_ns,
                      .longest_ns = run.counters.starvation_longest_ns,
                      .xruns = run.counters.device_xruns,
                      .ring_low_water = run.ring.low_water_frames,
                      .slack_low_water = run.slack_low_water_frames,
                      .ring_needed = run.ring.ring_needed_frames};
    for (const auto& track : header.chain->tracks)
      trial.block_frames = std::max(trial.block_frames, run.io.io_size_bytes / played_frame_bytes(track));
    return trial;
  }

 private:
  std::shared_ptr<const ReplayScript> script_;
  std::optional<Bytes> io_size_;
  const Signals& signals_;
};

std::optional<Bytes> parse_io_size(const std::string& text, const ReplayScript& script) {
  if (text == "auto") return std::nullopt;
  if (text == "recorded") return script.header.chain->tracks.front().block_bytes;
  return parse_bytes("--io-size", text);
}

}  // namespace

CLI::App* add_what_if(CLI::App& app, WhatIfOptions& options) {
  auto* const command = app.add_subcommand(
      "what-if", "Tell what other rings and card buffers would have done to a recorded run");
  command->add_option("RECORD", options.record, "The trace of a run")->required();
  command
      ->add_option(
          "--ring", options.rings,
          "Rings of each track, from the smallest to the largest (default: 1/16 of the recorded one to four "
          "times it)")
      ->type_name("A..B");
  command
      ->add_option("--period-size", options.periods,
                   "Card periods, which are the fragments (default: as recorded)")
      ->type_name("FRAMES,...");
  command
      ->add_option("--buffer-size", options.buffers,
                   "Card buffers (default: as recorded, or as many periods as were recorded)")
      ->type_name("FRAMES,...");
  command
      ->add_option("--io-size", options.io_size,
                   "Bytes of one read; auto: as play has it for that ring; or recorded")
      ->type_name("BYTES")
      ->capture_default_str();
  add_json_option(*command, options.json, "The table as JSON");
  command->footer(kWhatIfFooter);
  return command;
}

ExitCode run_what_if(const WhatIfOptions& options) {
  check_json_option(options.json);
  if (names_file(options.json)) check_not_this_input("--json", options.json, options.record);
  const auto script = std::make_shared<const ReplayScript>(load_replay_script(options.record));
  check_has_rings(*script);
  const WhatIfPlan plan = make_plan(options, *script);
  const Signals signals;
  const Frames lead_in = lead_in_frames(*script, plan.rings.most);
  const auto under_way = std::make_shared<const ReplayScript>(with_lead_in(*script, lead_in));
  WhatIfTable table =
      what_if(plan, RecordPlayer(under_way, parse_io_size(options.io_size, *script), signals));
  table.led_in = lead_in > 0;
  table.record = script->name;
  table.rate_hz = script->header.rate.hz;
  if (options.json == "-") {
    print_out(what_if_json(table));
  } else {
    print_out(what_if_text(table));
    if (names_file(options.json)) write_json_file(what_if_json(table), options.json);
  }
  const bool all_safe = std::all_of(table.safe.begin(), table.safe.end(),
                                    [](const SafeRing& safe) { return safe.smallest.has_value(); });
  return exit_code_after_output(all_safe ? ExitCode::ok : ExitCode::limit_broken);
}

}  // namespace xrunlab
