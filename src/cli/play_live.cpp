#include "xrunlab/cli/play_live.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "xrunlab/core/parse.hpp"

namespace xrunlab {
namespace {

std::optional<Nanoseconds> status_interval(const PlayOptions& options) {
  if (options.status_interval.empty()) return std::nullopt;
  return parse_duration("--status-interval", options.status_interval);
}

/// In a log a line now and then shows that a run of hours still goes on.
constexpr Nanoseconds kUnaskedStatus = std::chrono::hours{1};

LiveMode mode_of(const PlayOptions& options) {
  if (options.quiet) return LiveMode::off;
  const LiveTerminal terminal = describe_terminal(STDERR_FILENO);
  if (!terminal.is_terminal) return LiveMode::plain_lines;
  return choose_live_mode(terminal, status_interval(options));
}

}  // namespace

PlayLive::PlayLive(const PlayOptions& options)
    : quiet_(options.quiet),
      mode_(mode_of(options)),
      line_(STDERR_FILENO, mode_, describe_terminal(STDERR_FILENO),
            status_interval(options).value_or(kUnaskedStatus)) {}

StreamListeners PlayLive::listeners() {
  StreamListeners listeners;
  if (mode_ != LiveMode::off) listeners.live = [this](const PlaybackParts& parts) { show(parts); };
  if (!quiet_) {
    listeners.warn = [this](const std::string& warning) {
      line_.clear();
      fmt::print(stderr, "xrunlab: {}\n", warning);
    };
  }
  return listeners;
}

void PlayLive::show(const PlaybackParts& parts) {
  const auto started = parts.progress.started_ns.load(std::memory_order_relaxed);
  if (started == 0) return;
  const Nanoseconds now = parts.clock.now();
  const LiveFigures figures = parts.recorder->live();
  LiveStatus status{
      .elapsed = now - Nanoseconds{started},
      .starved_reads = figures.starved_reads,
      .xruns = figures.xruns,
      .ring_read_max = Nanoseconds{figures.ring_read_max_ns},
      .pcm_write_max = Nanoseconds{figures.pcm_write_max_ns},
      .outside_max = Nanoseconds{figures.outside_max_ns},
      .cycle_max = figures.cycle_max_ns ? std::optional(Nanoseconds{*figures.cycle_max_ns}) : std::nullopt,
      .fault_injected = tormented(parts)};
  if (parts.ring_source) {
    const auto capacity = static_cast<double>(parts.ring_source->capacity());
    if (figures.fill) status.ring_fill = static_cast<double>(*figures.fill) / capacity;
    if (figures.ring_low_water)
      status.ring_low_water = static_cast<double>(*figures.ring_low_water) / capacity;
    const Bytes bytes = parts.reader->bytes_read();
    // Over a second at least: reads come in bursts.
    if (now - last_at_ >= std::chrono::seconds{1}) {
      if (last_at_.count() != 0)
        rate_ = static_cast<double>(bytes - last_bytes_) / to_seconds(now - last_at_);
      last_at_ = now;
      last_bytes_ = bytes;
    }
    status.read_bytes_per_s = rate_;
  }
  line_.show(status);
}

void PlayLive::clear() {
  line_.clear();
}

}  // namespace xrunlab
