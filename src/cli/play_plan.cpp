#include "xrunlab/cli/play_plan.hpp"

#include <fmt/format.h>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/set_writer.hpp"
#include "xrunlab/engine/rehearsal.hpp"

namespace xrunlab {
namespace {

std::string length_text(Frames frames, SampleRate rate) {
  return fmt::format("{} frames, {:.3f} s", frames, to_seconds(frames_to_duration(frames, rate)));
}

/// The set as if it had been written.
std::vector<AudioFile> unwritten_files(const SetSpec& spec) {
  AudioFile file;
  file.container = spec.container;
  file.codec = "pcm";
  file.raw_format = spec.format;
  file.rate = spec.rate;
  file.channels = spec.channels;
  file.frames = spec.frames();
  file.data_bytes = file.frames * file.frame_bytes();
  file.file_bytes = track_file_bytes(spec);
  file.data_offset = file.file_bytes - file.data_bytes;
  std::vector<AudioFile> files(static_cast<std::size_t>(spec.tracks), file);
  for (int index = 0; index < spec.tracks; ++index) {
    files[static_cast<std::size_t>(index)].path = track_name(spec, index);
  }
  return files;
}

std::string warnings_text(const std::vector<Fallback>& fallbacks) {
  std::string text;
  for (const auto& fallback : fallbacks) text += fmt::format("warning  {}\n", fallback.text);
  return text;
}

std::string card_text(const PcmGrant& card) {
  return fmt::format("card     {} ({}), {}, {} channels\n", card.name, card.plugin, to_string(card.format),
                     card.channels) +
         fmt::format("period   {}\n", length_text(card.period, card.rate)) +
         fmt::format("buffer   {}\n", length_text(card.buffer, card.rate)) +
         fmt::format("fragment {}\n", length_text(card.fragment, card.rate));
}

std::string ring_text(Frames ring, SampleRate rate, Bytes bytes_of_all) {
  return fmt::format("ring     {}, {} in all\n", length_text(ring, rate), binary_bytes(bytes_of_all));
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
  const auto parts = rehearse(request);
  std::string text = warnings_text(parts->fallbacks);
  for (const auto& warning : parts->lock->warnings()) text += fmt::format("warning  {}\n", warning);
  text +=
      fmt::format("set      {}, {} Hz\n", counted(static_cast<std::int64_t>(request.files.size()), "track"),
                  parts->inputs.rate.hz) +
      card_text(parts->pcm->grant());
  const std::string how = parts->inputs.direct ? "direct" : "buffered";
  if (parts->ring_source) {
    text += ring_text(parts->ring_source->capacity(), parts->inputs.rate,
                      static_cast<Bytes>(parts->arena->all().size()));
    text += fmt::format("reads    {} each, {} in flight, {}\n",
                        binary_bytes(parts->geometries.front().block_bytes), request.disk.queue_depth, how);
  } else {
    text += fmt::format("ring     none, {}\n", how);
  }
  for (const auto& fault : request.faults.specs) text += fmt::format("fault    {}\n", fault.text);
  return text + "nothing was played (--dry-run)\n";
}

std::string temporary_set_text(const StreamRequest& request, const SetSpec& spec,
                               const std::string& directory) {
  check_temporary_set(directory, spec);
  StreamRequest planned = request;
  planned.files = unwritten_files(spec);
  const auto parts = rehearse_unwritten(planned);
  std::string text =
      warnings_text(parts->fallbacks) +
      fmt::format("set      {} of {}, {} Hz, {}, {} in all, in {}\n", counted(spec.tracks, "track"),
                  length_text(spec.frames(), spec.rate), spec.rate.hz, to_string(spec.format),
                  binary_bytes(track_file_bytes(spec) * spec.tracks), directory) +
      card_text(parts->pcm->grant());
  if (!parts->geometries.empty()) {
    const Bytes ring = parts->geometries.front().bytes();
    text += ring_text(ring / planned.files.front().frame_bytes(), spec.rate, ring * spec.tracks);
  }
  return text + "nothing was written or played (--dry-run)\n";
}

}  // namespace xrunlab
