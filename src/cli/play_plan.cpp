#include "xrunlab/cli/play_plan.hpp"

#include <fmt/format.h>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/engine/playback_setup.hpp"

namespace xrunlab {
namespace {

std::string length_text(Frames frames, SampleRate rate) {
  return fmt::format("{} frames, {:.3f} s", frames, to_seconds(frames_to_duration(frames, rate)));
}

/// The simulated card without its capture file, which would be emptied.
std::string without_capture(std::string device) {
  const std::string key = "capture=";
  const auto begin = device.find(key);
  if (!device.starts_with("sim:") || begin == std::string::npos) return device;
  const auto comma = device.find(',', begin);
  return device.erase(begin, comma == std::string::npos ? comma : comma + 1 - begin);
}

}  // namespace

std::string inputs_text(const RunData& run) {
  std::string text;
  for (const auto& input : run.inputs) {
    const auto where =
        input.block_device.empty() ? input.filesystem : input.filesystem + " on " + input.block_device;
    text +=
        fmt::format("{}: {} {}, {} Hz, {} channel{}, {} frames from byte {}, {}\n",
                    printable_name(std::filesystem::path(input.path)), input.container, input.format,
                    input.rate_hz, input.channels, input.channels == 1 ? "" : "s",
                    input.frames_known ? std::to_string(input.frames) : "unknown", input.data_offset, where);
  }
  return text;
}

std::string plan_text(const StreamRequest& request) {
  StreamRequest unwritten = request;
  unwritten.record.reset();
  unwritten.card.device = without_capture(request.card.device);
  const auto parts = set_up_playback(unwritten, {});
  const PcmGrant& card = parts->pcm->grant();
  std::string text;
  for (const auto& fallback : parts->fallbacks) text += fmt::format("warning  {}\n", fallback.text);
  for (const auto& warning : parts->lock->warnings()) text += fmt::format("warning  {}\n", warning);
  text +=
      fmt::format("set      {}, {} Hz\n", counted(static_cast<std::int64_t>(request.files.size()), "track"),
                  parts->inputs.rate.hz);
  text += fmt::format("card     {} ({}), {}, {} channels\n", card.name, card.plugin, to_string(card.format),
                      card.channels);
  text += fmt::format("period   {}\n", length_text(card.period, card.rate));
  text += fmt::format("buffer   {}\n", length_text(card.buffer, card.rate));
  text += fmt::format("fragment {}\n", length_text(card.fragment, card.rate));
  if (parts->ring_source) {
    const Frames ring = parts->ring_source->capacity();
    text += fmt::format("ring     {}, {} in all\n", length_text(ring, card.rate),
                        binary_bytes(static_cast<Bytes>(parts->arena->all().size())));
    text += fmt::format("reads    {} each, {} in flight, {}\n",
                        binary_bytes(parts->geometries.front().block_bytes), request.disk.queue_depth,
                        parts->inputs.direct ? "direct" : "buffered");
  } else {
    text += fmt::format("ring     none, {}\n", parts->inputs.direct ? "direct" : "buffered");
  }
  for (const auto& fault : request.faults.specs) text += fmt::format("fault    {}\n", fault.text);
  return text + "nothing was played (--dry-run)\n";
}

std::string temporary_set_text(const SetSpec& spec, const std::string& directory) {
  return fmt::format("set      {} of {}, {} Hz, {}, {} in all, in {}\nnothing was written (--dry-run)\n",
                     counted(spec.tracks, "track"), length_text(spec.frames(), spec.rate), spec.rate.hz,
                     to_string(spec.format), binary_bytes(track_file_bytes(spec) * spec.tracks), directory);
}

}  // namespace xrunlab
