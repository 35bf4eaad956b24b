#include "xrunlab/cli/play_options.hpp"

#include <CLI/CLI.hpp>

#include "xrunlab/cli/run_options.hpp"

namespace xrunlab {
namespace {

constexpr auto kPlayFooter =
    "SIZE: a plain number is frames; 5s and 250ms are times, 20MiB or 20MB bytes.\n"
    "TIME: a plain number is seconds; else with us, ms, s, m or h.\n"
    "BYTES: a plain number, or with KiB MiB GiB (1024) or kB MB GB (1000).\n"
    "\n"
    "The summary goes to stdout, progress and warnings to stderr. Exit codes: 0 PASS,\n"
    "MARGINAL or THROUGHPUT; 1 FAIL or NO VERDICT; 2 usage; 3 system; 4 an input\n"
    "file; 5 the audio device; 128+n ended by signal n.\n"
    "\n"
    "Examples:\n"
    "  xrunlab play --tracks 48            can this machine play 48 tracks?\n"
    "  xrunlab play takes/ -D hw:0         a directory's files, on a real card\n"
    "  xrunlab play takes/ --loop -d 10m --json=run.json\n";

constexpr std::int64_t kMostEvents = 1'000'000'000'000;

void add_inputs(CLI::App& play, PlayOptions& options) {
  play.add_option("INPUT", options.inputs, "Audio files; a directory stands for its audio files, by name");
  play.add_option("--tracks", options.tracks,
                  "Instead of files: write a set of N tracks of 60s (or -d), play it, remove it")
      ->type_name("N");
  play.add_option("--set", options.set, "What --tracks writes: rate/bits/channels; f for float: 44.1k/f/2")
      ->type_name("SET")
      ->capture_default_str();
  play.add_option("--in", options.in, "Where --tracks writes; choose the disk to be measured")
      ->type_name("DIR")
      ->capture_default_str();
  play.add_flag("--ignore-length", options.ignore_length,
                "Play the bytes that are there where a header's length is wrong");
}

void add_card(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Card";
  play.add_option("-D,--device", options.device,
                  "sim: a simulated card; sim:stall=3s+70ms: one with a fault (keys: channels, rate, "
                  "formats, period, "
                  "ppm, stall, capture); null: unpaced; jack: a JACK server's client (keys: server, connect, "
                  "client, timeout); "
                  "hw:0 or any other ALSA PCM")
      ->type_name("PCM")
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("-c,--channels", options.channels, "Channels of the card, 1 to 1024")
      ->type_name("N")
      ->check(between(1, 1024))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("-f,--format", options.format,
                  "Format of the card: S32_LE, S24_3LE, S24_LE, S16_LE, FLOAT_LE (default: the first it has)")
      ->type_name("FORMAT")
      ->group(kGroup);
  play.add_option("--period-size", options.period_size,
                  "Card period in frames; the nearest that the card has is taken")
      ->type_name("FRAMES")
      ->check(between(1, 1 << 24))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--periods", options.periods, "Card buffer in periods")
      ->type_name("N")
      ->check(between(1, 1 << 16))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--buffer-size", options.buffer_size, "Card buffer in frames, instead of --periods")
      ->type_name("FRAMES")
      ->check(between(1, 1 << 28))
      ->group(kGroup);
  play.add_option("--fragment", options.fragment,
                  "Frames read, mixed and written at once (default: the granted period)")
      ->type_name("FRAMES")
      ->check(between(1, 1 << 24))
      ->group(kGroup);
  play.add_option(
          "--map", options.map,
          "mix: all tracks mixed down to the card's channels; direct: file channels 1:1 on card channels")
      ->check(CLI::IsMember({"mix", "direct"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--gain", options.gain,
                  "Gain in dB (default: 0 on sim, null and file, -40 on what may be heard; 0dB lifts it)")
      ->type_name("DB")
      ->group(kGroup);
}

void add_disk(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Ring and disk";
  play.add_option("--ring", options.ring, "Read-ahead of each track; given in bytes: of all tracks together")
      ->type_name("SIZE")
      ->capture_default_str()
      ->group(kGroup);
  play.add_flag("--no-ring", options.no_ring, "No read-ahead: the playback thread reads the disk itself")
      ->group(kGroup);
  play.add_option("--io", options.io,
                  "How to read: auto is uring (io_uring), or pread with a warning where that is refused")
      ->check(CLI::IsMember({"auto", "uring", "pread"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--io-size", options.io_size,
                  "Bytes of one read, a multiple of 4KiB; auto: 1/8 of a track's ring, at most 256KiB")
      ->type_name("BYTES")
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--queue-depth", options.queue_depth, "Reads under way at once, at most (1 to 4096)")
      ->type_name("N")
      ->check(between(1, 4096))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--direct", options.direct,
                  "O_DIRECT; auto: on with --cache evict where the file system allows it, off with --no-ring")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_flag("--sqpoll", options.sqpoll, "io_uring: a kernel thread submits the reads")->group(kGroup);
  play.add_flag("--no-fixed-buffers", options.no_fixed_buffers, "io_uring: do not register the ring's memory")
      ->group(kGroup);
  play.add_option("--cache", options.cache,
                  "evict: put the files out of the page cache before the start; keep: leave it as it is")
      ->check(CLI::IsMember({"evict", "keep"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("-d,--duration", options.duration,
                  "Stop after this time (default: at the end of the longest track; with --loop: endless)")
      ->type_name("TIME")
      ->group(kGroup);
  play.add_flag("--loop", options.loop, "Play every track again and again, until -d or Ctrl-C")
      ->group(kGroup);
}

void add_threads(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Threads";
  play.add_option(
          "-P,--priority", options.priority,
          "Playback thread: f:N SCHED_FIFO, r:N SCHED_RR, o SCHED_OTHER (default: f:70; o with -D null)")
      ->type_name("POLICY")
      ->group(kGroup);
  play.add_flag("--no-rt", options.no_rt, "The same as -P o")->group(kGroup);
  play.add_option("--reader-priority", options.reader_priority, "Reader thread, as -P")
      ->type_name("POLICY")
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--io-priority", options.io_priority,
                  "I/O priority of the reads: none, rt:0-7, be:0-7 or idle (as in ionice)")
      ->type_name("CLASS")
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--affinity", options.affinity, "CPUs of threads, as in playback=1,reader=0")
      ->type_name("LIST")
      ->group(kGroup);
  add_hold_options(play, options.no_mlock, options.dma_latency);
}

void add_limits(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Limits";
  play.add_option("--on-xrun", options.on_xrun, "After an xrun: continue, or stop and report")
      ->check(CLI::IsMember({"continue", "stop"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--on-starve", options.on_starve,
                  "A ring without a fragment: wait until data is there, or play silence meanwhile")
      ->check(CLI::IsMember({"wait", "silence"}))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--max-xruns", options.max_xruns, "More xruns than this fail the run")
      ->type_name("N")
      ->check(between(0, kMostEvents))
      ->capture_default_str()
      ->group(kGroup);
  play.add_option("--max-starved", options.max_starved, "More starvation episodes than this fail the run")
      ->type_name("N")
      ->check(between(0, kMostEvents))
      ->capture_default_str()
      ->group(kGroup);
  play.add_flag("--fail-marginal", options.fail_marginal, "MARGINAL exits with 1 instead of 0")
      ->group(kGroup);
  play.add_option("--bound", options.bound,
                  "Allowed duration of a timed section; only counts (default: the length of one fragment)")
      ->type_name("TIME")
      ->group(kGroup);
}

void add_play_output(CLI::App& play, PlayOptions& options) {
  constexpr auto kGroup = "Output";
  add_output_options(play, options);
  play.add_flag("--classic", options.classic,
                "On stdout only the three timers, as the listings of 2000 had them")
      ->group(kGroup);
  play.add_flag("--hist", options.hist, "Print histograms too")->group(kGroup);
  play.add_option("--record", options.record, "Write every event to a trace file; xrunlab trace prints it")
      ->type_name("FILE")
      ->group(kGroup);
  play.add_option("--record-last", options.record_last,
                  "Of the trace keep only the last of it, this long, and as much before each episode")
      ->type_name("TIME")
      ->group(kGroup);
  play.add_flag("--blame", options.blame,
                "Also see who ran instead of our threads (the kernel's scheduler trace; root, tracefs)")
      ->group(kGroup);
  play.add_option("--status-interval", options.status_interval,
                  "Print a status line this often where stderr is no terminal (default: 1h)")
      ->type_name("TIME")
      ->group(kGroup);
  play.add_flag("--strict", options.strict,
                "Anything granted otherwise than asked, or odd in a file, is an error, not a warning")
      ->group(kGroup);
  play.add_flag("-v,--verbose", options.verbose, "Also print what was found in each file")->group(kGroup);
  play.add_flag("--dry-run", options.dry_run, "Print what would be played and how; play nothing")
      ->group(kGroup);
}

}  // namespace

void add_run_options(CLI::App& command, PlayOptions& options) {
  add_card(command, options);
  add_disk(command, options);
  add_threads(command, options);
  add_limits(command, options);
  add_play_output(command, options);
  add_fault_options(command, options.fault);
}

CLI::App* add_play(CLI::App& app, PlayOptions& options) {
  auto* const play =
      app.add_subcommand("play", "Stream a multitrack set from disk to an ALSA PCM and time it");
  add_inputs(*play, options);
  add_run_options(*play, options);
  add_load_options(*play, options.loads, options.load_seed);
  add_repeat_options(*play, options.repeat);
  play->footer(kPlayFooter);
  play->parse_complete_callback([play, &options] {
    refuse_contradictions(*play, options);
    settle_jack(*play, options);
  });
  return play;
}

}  // namespace xrunlab
