#include "xrunlab/cli/play_options.hpp"

#include <CLI/CLI.hpp>

namespace xrunlab {
namespace {

void add_inputs(CLI::App& play, PlayOptions& options) {
  play.add_option("INPUT", options.inputs, "Audio files, and directories that stand for theirs");
  play.add_option("--tracks", options.tracks, "Instead of files: write N tracks, play them, remove them")
      ->type_name("N");
  play.add_option("--set", options.set, "What --tracks writes: rate/bits (or f)/channels")
      ->capture_default_str();
  play.add_option("--in", options.in, "Where --tracks writes")->type_name("DIR")->capture_default_str();
  play.add_flag("--ignore-length", options.ignore_length,
                "Take the bytes that are there when a header's length is wrong");
}

void add_card(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Card";
  play.add_option("-D,--device", options.device, "sim, sim:KEY=VALUE,..., null, hw:..., any ALSA PCM")
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("-c,--channels", options.channels, "Channels of the card")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("-f,--format", options.format, "Format of the card (the best it has)")->group(kGroup);
  play.add_option("--period-size", options.period_size, "Frames of a period; the nearest is taken")
      ->check(CLI::Range(1, 1 << 24))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--periods", options.periods, "Periods of the card's buffer")
      ->check(CLI::Range(1, 1 << 16))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--buffer-size", options.buffer_size, "Frames of the card's buffer, instead of --periods")
      ->check(CLI::Range(1, 1 << 28))
      ->group(kGroup);
  play.add_option("--fragment", options.fragment,
                  "Frames read, mixed and written at once (the granted period)")
      ->check(CLI::Range(1, 1 << 24))
      ->group(kGroup);
  play.add_option("--map", options.map, "mix: all tracks onto the card's channels; direct: file channels 1:1")
      ->check(CLI::IsMember({"mix", "direct"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--gain", options.gain, "In dB (0 on sim, null and file, -40 on every other PCM)")
      ->group(kGroup);
}

void add_disk(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Ring and disk";
  play.add_option("--ring", options.ring, "Read-ahead per track: frames, a time, or bytes over all tracks")
      ->capture_default_str()
      ->group(kGroup);
  play.add_flag("--no-ring", options.no_ring, "The playback thread reads the disk itself")->group(kGroup);
  play.add_option("--io", options.io, "auto, uring or pread")
      ->check(CLI::IsMember({"auto", "uring", "pread"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--io-size", options.io_size, "Bytes of one read, or auto")
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--queue-depth", options.queue_depth, "Reads in flight at most")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--direct", options.direct, "auto, on or off: O_DIRECT")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_flag("--sqpoll", options.sqpoll, "Let a kernel thread submit the reads")->group(kGroup);
  play.add_flag("--no-fixed-buffers", options.no_fixed_buffers, "Do not register the ring with io_uring")
      ->group(kGroup);
  play.add_option("--cache", options.cache, "evict: start with the files out of the page cache; keep")
      ->check(CLI::IsMember({"evict", "keep"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("-d,--duration", options.duration,
                  "Stop after this time (end of the longest track); 0 with --loop: endless")
      ->group(kGroup);
  play.add_flag("--loop", options.loop, "Play every track again and again")->group(kGroup);
}

void add_threads(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Threads";
  play.add_option("-P,--priority", options.priority,
                  "Playback thread: f:70, r:20 or o (f:70; o on an unpaced card)")
      ->group(kGroup);
  play.add_flag("--no-rt", options.no_rt, "The same as -P o")->group(kGroup);
  play.add_option("--reader-priority", options.reader_priority, "Reader thread, as -P")
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--io-priority", options.io_priority, "Of the reader's reads: none, rt:4, be:0, idle")
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--affinity", options.affinity, "CPUs: playback=1,reader=0")->group(kGroup);
  play.add_flag("--no-mlock", options.no_mlock, "Do not lock memory")->group(kGroup);
  play.add_option("--dma-latency", options.dma_latency, "Hold /dev/cpu_dma_latency at this many us (off)")
      ->group(kGroup);
}

void add_limits(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Limits";
  play.add_option("--on-xrun", options.on_xrun, "continue or stop")
      ->check(CLI::IsMember({"continue", "stop"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--on-starve", options.on_starve, "wait (the read lasts until data is there) or silence")
      ->check(CLI::IsMember({"wait", "silence"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--max-xruns", options.max_xruns, "More xruns fail the run")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--max-starved", options.max_starved, "More starvation episodes fail the run")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(kGroup);
  play.add_flag("--fail-marginal", options.fail_marginal, "MARGINAL exits with 1")->group(kGroup);
  play.add_option("--bound", options.bound, "Allowed duration of a timed section (one fragment)")
      ->group(kGroup);
}

void add_output(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Output";
  play.add_option("--json", options.json, "The run file: on stdout, or with --json=FILE in a file")
      ->type_name("[=FILE]")
      ->group(kGroup);
  play.add_flag("--classic", options.classic, "The three timers as the listings of 2000 had them")
      ->group(kGroup);
  play.add_flag("--hist", options.hist, "Histograms too")->group(kGroup);
  play.add_option("--record", options.record, "Write every event to a trace file (see xrunlab trace)")
      ->type_name("FILE")
      ->group(kGroup);
  play.add_flag("--redact", options.redact, "Hide paths, host and serials in the run file")->group(kGroup);
  play.add_option("--status-interval", options.status_interval,
                  "A status line this often where there is no terminal")
      ->group(kGroup);
  play.add_flag("--strict", options.strict, "What is granted otherwise than asked is an error")
      ->group(kGroup);
  play.add_flag("-q,--quiet", options.quiet, "The verdict only")->group(kGroup);
  play.add_flag("-v,--verbose", options.verbose, "What was found and granted, in full")->group(kGroup);
  play.add_flag("--dry-run", options.dry_run, "Check and plan, but play nothing")->group(kGroup);
}

}  // namespace

CLI::App* add_play(CLI::App& app, PlayOptions& options) {
  auto* const play =
      app.add_subcommand("play", "Stream a multitrack set from disk to an ALSA PCM and time it");
  add_inputs(*play, options);
  add_card(*play, options);
  add_disk(*play, options);
  add_threads(*play, options);
  add_limits(*play, options);
  add_output(*play, options);
  return play;
}

}  // namespace xrunlab
