#include "xrunlab/cli/gen.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <charconv>
#include <cstdio>

#include "xrunlab/cli/set_progress.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/disk/extents.hpp"
#include "xrunlab/disk/set_writer.hpp"
#include "xrunlab/platform/signals.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

template <typename Value>
Value named(const char* option, const std::string& text, std::optional<Value> value, const char* accepted) {
  if (value) return *value;
  throw Error(ExitCode::usage, fmt::format("{}: '{}' is unknown", option, text),
              fmt::format("write {}", accepted));
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc{} && rest == end) return seed;
  throw Error(ExitCode::usage,
              fmt::format("--seed: '{}' is not a whole number from 0 to 18446744073709551615", text));
}

SetSpec spec_of(const GenOptions& options) {
  SetSpec spec;
  spec.tracks = options.tracks;
  spec.rate = parse_rate("-r", options.rate);
  spec.format = named("-f", options.format, sample_format_from(options.format),
                      "U8, S16_LE, S24_3LE, S32_LE or FLOAT_LE");
  spec.duration = parse_duration("-d", options.duration);
  spec.channels = options.channels;
  spec.container = options.container;
  spec.signal = named("--signal", options.signal, signal_from(options.signal), "noise, ramp or tone");
  spec.seed = parse_seed(options.seed);
  spec.layout = named("--layout", options.layout, layout_from(options.layout), "contiguous or interleaved");
  return spec;
}

LiveMode progress_mode(const GenOptions& options) {
  if (options.quiet) return LiveMode::off;
  const auto interval = options.verbose ? std::optional<Nanoseconds>(std::chrono::seconds{1}) : std::nullopt;
  return choose_live_mode(describe_terminal(STDERR_FILENO), interval);
}

std::string extents_text(const std::vector<fs::path>& files) {
  const auto summary = summarize_extents(files);
  if (!summary) return "not known: this file system has no FIEMAP";
  return fmt::format("{} a file (median), {} at most, {} long (median)", summary->median_count,
                     summary->max_count, binary_bytes(summary->median_length));
}

void print_summary(const SetSpec& spec, const fs::path& dir, const std::vector<fs::path>& files,
                   Nanoseconds taken) {
  Bytes bytes = 0;
  for (const auto& file : files) bytes += static_cast<Bytes>(fs::file_size(file));
  const double seconds = to_seconds(taken);
  fmt::print("{}: {} {} of {} frames ({:.3f} s), {} Hz, {}, {} channel{} each\n", dir.string(), files.size(),
             files.size() == 1 ? "track" : "tracks", spec.frames(),
             to_seconds(frames_to_duration(spec.frames(), spec.rate)), spec.rate.hz, to_string(spec.format),
             spec.channels, spec.channels == 1 ? "" : "s");
  fmt::print("files    {} … {}, {}, {}\n", files.front().filename().string(),
             files.back().filename().string(), spec.container, to_string(spec.layout));
  fmt::print("size     {} ({} bytes)\n", binary_bytes(bytes), bytes);
  fmt::print("written  in {:.3f} s, {:.1f} MB/s, synced\n", seconds,
             static_cast<double>(bytes) / 1e6 / std::max(seconds, 1e-9));
  fmt::print("signal   {}, seed {}\n", to_string(spec.signal), spec.seed);
  fmt::print("extents  {}\n", extents_text(files));
}

}  // namespace

CLI::App* add_gen(CLI::App& app, GenOptions& options) {
  auto* const gen = app.add_subcommand("gen", "Write a set of test tracks, or remove one");
  gen->add_option("DIR", options.directory, "Directory of the set; made if it is not there")->required();
  gen->add_option("--tracks", options.tracks, "Number of files")->type_name("N")->capture_default_str();
  gen->add_option("-r,--rate", options.rate, "Sample rate in Hz: 44100 or 44.1k")
      ->type_name("RATE")
      ->capture_default_str();
  gen->add_option("-f,--format", options.format, "U8, S16_LE, S24_3LE, S32_LE or FLOAT_LE")
      ->type_name("FORMAT")
      ->capture_default_str();
  gen->add_option("-d,--duration", options.duration, "Length of each track: seconds, or with ms, s, m or h")
      ->type_name("TIME")
      ->capture_default_str();
  gen->add_option("--channels", options.channels, "Channels of each track")
      ->type_name("N")
      ->capture_default_str();
  gen->add_option("--container", options.container, "wav, rf64, w64, aiff or flac")
      ->type_name("NAME")
      ->capture_default_str();
  gen->add_option("--signal", options.signal,
                  "noise (full scale: it is loud, and no disk can compress it), ramp or tone")
      ->type_name("NAME")
      ->capture_default_str();
  gen->add_option("--seed", options.seed, "Same options and seed, same bytes")
      ->type_name("N")
      ->capture_default_str();
  gen->add_option("--layout", options.layout,
                  "contiguous, or interleaved: all files grow together, as in a recording")
      ->type_name("NAME")
      ->capture_default_str();
  gen->add_flag("--force", options.force,
                "Overwrite a set written before; take more than half of the free space; with --remove, "
                "remove changed files too");
  gen->add_flag("--remove", options.remove, "Remove the set in DIR: only what its manifest names");
  gen->add_flag("-q,--quiet", options.quiet, "Print errors and warnings only");
  gen->add_flag("-v,--verbose", options.verbose, "Show progress even when stderr is no terminal");
  gen->footer(
      "Exit codes: 0 written or removed; 2 usage; 3 the disk is full, or no right to\n"
      "write; 4 no set there, or changed since (--remove); 128+n ended by signal n (the\n"
      "directory is then as it was before).\n"
      "\n"
      "Example:\n"
      "  xrunlab gen set --tracks 24 -r 48k -d 2m && xrunlab play set\n");
  return gen;
}

ExitCode run_gen(const GenOptions& options) {
  if (options.quiet && options.verbose) {
    throw Error(ExitCode::usage, "--quiet and --verbose contradict each other", "leave one of them out");
  }
  const fs::path dir = options.directory;
  const Force force = options.force ? Force::yes : Force::no;
  if (options.remove) {
    const int removed = remove_set(dir, force);
    if (!options.quiet) fmt::print("{}: {} files removed\n", dir.string(), removed);
    return exit_code_after_output(ExitCode::ok);
  }
  const SetSpec spec = spec_of(options);
  const Signals signals;
  std::atomic<bool> stop{false};
  SetProgress line(progress_mode(options));
  WriteOptions write_options;
  write_options.force = force;
  write_options.stop = &stop;
  write_options.progress = [&](const WriteProgress& progress) {
    if (signals.caught() != 0) stop = true;
    line.show(progress);
  };
  write_options.warn = [&](const std::string& text) {
    line.clear();
    fmt::print(stderr, "xrunlab: warning: {}\n", text);
  };
  const SystemClock clock;
  const Nanoseconds start = clock.now();
  const auto files = write_set(dir, spec, write_options);
  const Nanoseconds taken = clock.now() - start;
  line.clear();
  if (files.empty()) {
    fmt::print(stderr, "xrunlab: interrupted; {} is as it was before\n", dir.string());
    return static_cast<ExitCode>(signals.exit_code());
  }
  if (!options.quiet) print_summary(spec, dir, files, taken);
  return exit_code_after_output(ExitCode::ok);
}

}  // namespace xrunlab
