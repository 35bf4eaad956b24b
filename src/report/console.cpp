#include "xrunlab/report/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "console_causes.hpp"
#include "console_parts.hpp"
#include "console_tables.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/model/redact.hpp"
#include "xrunlab/report/fault_line.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

std::string line(std::string_view label, std::string_view text) {
  return labelled(label, kSummaryIndent, text);
}

/// "48 x wav S24_3LE, 2 x flac FLAC": how often each kind of `name_of(input)` occurs, the commonest first.
template <class NameOf>
std::string kinds(const RunData& run, NameOf name_of) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& input : run.inputs) ++counts[name_of(input)];
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& left, const auto& right) { return left.second > right.second; });
  constexpr std::size_t kMostKinds = 3;
  std::string text;
  for (std::size_t index = 0; index < std::min(sorted.size(), kMostKinds); ++index) {
    if (!text.empty()) text += ", ";
    if (sorted.size() > 1) text += std::to_string(sorted[index].second) + " x ";
    text += sorted[index].first;
  }
  if (sorted.size() > kMostKinds) text += fmt::format(" and {} more", sorted.size() - kMostKinds);
  return text;
}

std::string place_of(const InputInfo& input) {
  std::string text = input.filesystem.empty() ? "unknown file system" : input.filesystem;
  if (!input.block_device.empty()) text += " on " + input.block_device;
  if (!input.io_scheduler.empty()) text += " [" + input.io_scheduler + "]";
  return text;
}

/// The length of the longest track, as far as the headers tell.
std::string length_text(const RunData& run) {
  std::int64_t longest = 0;
  bool all_known = true;
  for (const auto& input : run.inputs) {
    if (input.frames_known) longest = std::max(longest, input.frames);
    all_known = all_known && input.frames_known;
  }
  if (longest == 0) return "length unknown";
  return (all_known ? "" : "at least ") + spoken_duration(card_time_ns(run, longest));
}

std::string set_lines(const RunData& run) {
  if (run.inputs.empty()) return line("set", "no files");
  std::int64_t channels = 0;
  for (const auto& input : run.inputs) channels += input.channels;
  std::string names = run.inputs.front().path;
  if (run.inputs.size() > 1) names += " .. " + run.inputs.back().path;
  const auto format = kinds(run, [](const auto& input) { return input.container + " " + input.format; });
  return line("set", fmt::format("{}, {}, {} Hz, {}, {}",
                                 counted(static_cast<std::int64_t>(run.inputs.size()), "file"),
                                 counted(channels, "channel"), run.inputs.front().rate_hz, format,
                                 length_text(run))) +
         line("", names + " (" + kinds(run, place_of) + ")");
}

std::string card_line(const RunData& run) {
  const auto& device = run.device;
  std::string text = device.name;
  if (device.simulated) text += " (simulated card)";
  if (server_driven(run)) text += " (a client of " + device.server + ")";
  if (!device.server.empty() && !server_driven(run))
    text += " (the buffer of " + device.server + ", not of a card)";
  if (!device.paced) text += " (unpaced)";
  text += fmt::format(", {}, {} Hz, {}, map {} by {}, gain {} dB", device.format, device.rate_hz,
                      counted(device.channels, "channel"), device.mapping, device.samples,
                      fixed(device.gain_db, 1));
  return line("card", text);
}

std::string reader_line(const RunData& run) {
  const auto& io = run.io;
  std::string text = io.engine + (io.direct ? ", direct" : ", buffered");
  text += ", " + counted(io.queue_depth, "read") + " of " + binary_bytes(io.io_size_bytes) + " at once";
  if (io.fixed_buffers) text += ", fixed buffers";
  if (!io.io_priority.empty() && io.io_priority != "none") text += ", I/O priority " + io.io_priority;
  if (!io.cache.empty()) text += ", cache " + io.cache;
  if (io.cached_share_at_start)
    text += ", " + fixed(*io.cached_share_at_start * 100, 1) + " % cached at the start";
  return line("reader", text);
}

std::string playback_line(const RunData& run) {
  // A replay in virtual time has no thread that is scheduled.
  std::string text = run.rt.policy.empty() ? "in virtual time" : run.rt.policy;
  if (run.rt.priority.value_or(0) > 0) text += " " + std::to_string(*run.rt.priority);
  text += ", memory locked: " + (run.rt.mlock.empty() ? "off" : run.rt.mlock);
  if (run.rt.dma_latency_us) text += fmt::format(", DMA latency {} us", *run.rt.dma_latency_us);
  text += ", load: " + run.load;
  return line("playback", text);
}

std::string trouble_lines(const RunData& run) {
  const auto& counters = run.counters;
  std::string starvation = counted(counters.starvation_episodes, "episode");
  if (counters.starvation_episodes > 0) {
    starvation += ", longest " + spoken_duration(counters.starvation_longest_ns) + ", total " +
                  spoken_duration(counters.starved_ns);
  }
  std::string text = line("starvation", starvation);
  if (!run.device.paced) return text;
  std::string xruns = std::to_string(counters.device_xruns);
  if (counters.lost_ns > 0) xruns += ", the card stood still for " + spoken_duration(counters.lost_ns);
  xruns += "; " + counted(counters.dropouts, "dropout");
  if (counters.suspends > 0) xruns += "; " + counted(counters.suspends, "suspend");
  return text + line("xruns", xruns);
}

std::string clipped_line(const RunData& run) {
  const auto clipped = run.counters.clipped_samples;
  return clipped == 0 ? "" : line("clipped", counted(clipped, "sample") + " beyond full scale");
}

std::string low_water_lines(const RunData& run) {
  const auto& ring = run.ring;
  const std::string of_ring = " of " + spoken_duration(card_time_ns(run, ring.frames));
  std::string low;
  if (ring.used && ring.low_water_frames) {
    low = "ring " + spoken_duration(card_time_ns(run, *ring.low_water_frames)) + of_ring;
    if (ring.low_water_share) low += " (" + fixed(*ring.low_water_share * 100, 1) + " %)";
  }
  if (run.device.paced && run.slack_low_water_frames) {
    const auto most = run.device.buffer_frames - run.device.fragment_frames;
    if (!low.empty()) low += ", ";
    low += "card " + spoken_duration(card_time_ns(run, *run.slack_low_water_frames)) + " of " +
           spoken_duration(card_time_ns(run, most)) + " slack";
  }
  std::string needed;
  if (ring.used && ring.ring_needed_frames) {
    const auto time = spoken_duration(card_time_ns(run, *ring.ring_needed_frames));
    needed = *ring.ring_needed_frames > ring.frames
                 ? "needs " + time + " of ring, has " + spoken_duration(card_time_ns(run, ring.frames)) + "; "
                 : "ring " + time + of_ring + "; ";
  }
  const auto& throughput = run.throughput;
  if (throughput.headroom) needed += "headroom " + fixed(*throughput.headroom, 2) + "; ";
  if (throughput.sustained) needed += *throughput.sustained ? "sustained; " : "NOT sustained; ";
  if (!needed.empty()) needed.resize(needed.size() - 2);
  return line("low water", low.empty() ? "-" : low) + (needed.empty() ? "" : line("needed", needed));
}

std::string data_lines(const RunData& run) {
  const auto& throughput = run.throughput;
  std::string text = fmt::format(
      "{} in {}, {} MB/s = {} MiB/s, needed {} MB/s", binary_bytes(throughput.bytes_read),
      counted(throughput.reads, "read"), three_digits(throughput.bytes_per_s / 1e6),
      three_digits(throughput.bytes_per_s / 1048576.0), three_digits(throughput.needed_bytes_per_s / 1e6));
  if (throughput.device_read_bytes)
    text += ", from the device " + binary_bytes(*throughput.device_read_bytes);
  std::string lines = line("data", text);
  if (!run.device.paced) lines += line("speed", three_digits(throughput.realtime_factor) + " x real time");
  return lines +
         line("start", "ring touched in " + spoken_duration(run.ring_touch_ns) + ", primed in " +
                           spoken_duration(run.priming_ns) + ", all else " + spoken_duration(run.startup_ns));
}

}  // namespace

std::string console_summary(const RunData& full_run, ConsoleStyle style) {
  const RunData run = with_base_names(full_run);
  return heading_line(run) + fault_line(run) + set_lines(run) + card_line(run) + reader_line(run) +
         playback_line(run) + "\n" + buffers_table(run) + "\n" + timers_table(run) + "\n" +
         trouble_lines(run) + cause_lines(run) + clipped_line(run) + low_water_lines(run) + data_lines(run) +
         "\n" + threads_table(run) + loads_lines(run) + warning_lines(run) + check_lines(run) +
         incomplete_line(run) + "\n" + verdict_lines(run, style);
}

}  // namespace xrunlab
