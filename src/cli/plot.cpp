#include "xrunlab/cli/plot.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "xrunlab/cli/output_files.hpp"
#include "xrunlab/cli/run_files.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/model/run_json.hpp"
#include "xrunlab/platform/piped_program.hpp"
#include "xrunlab/report/jack_plot.hpp"
#include "xrunlab/report/latency_plot.hpp"
#include "xrunlab/report/play_plot.hpp"

namespace xrunlab {
namespace {

constexpr auto kPlotFooter =
    "RUN is a run file that play, replay, latency or jack has written with --json=FILE. What is drawn:\n"
    "docs/plot.md.\n"
    "A file that is there already is replaced only by a picture of its own kind.\n"
    "\n"
    "Exit codes: 0 drawn; 2 usage; 3 system, or gnuplot failed; 4 no run file, or nothing in it to be "
    "drawn;\n"
    "77 there is no gnuplot (apt install gnuplot-nox).\n"
    "\n"
    "Examples:\n"
    "  xrunlab plot run.json -o run.png\n"
    "  xrunlab plot run.json --record run.trace -o run.svg\n";

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kStartBytes = 512;
constexpr Nanoseconds kGnuplotPatience = std::chrono::minutes{1};

bool starts_as(PictureFormat format, std::string_view start) {
  return format == PictureFormat::png ? start.starts_with(kPngStart)
                                      : start.find("<svg") != std::string_view::npos;
}

const char* name_of(PictureFormat format) {
  return format == PictureFormat::png ? "PNG" : "SVG";
}

/// What is there and is no picture of this kind was hardly meant.
void check_not_lost(const std::filesystem::path& output, PictureFormat format) {
  std::error_code ignored;
  const auto status = std::filesystem::status(output, ignored);
  if (!std::filesystem::is_regular_file(status) || std::filesystem::file_size(output, ignored) == 0) return;
  std::string start(kStartBytes, '\0');
  std::ifstream file(output, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  if (starts_as(format, start)) return;
  throw Error(ExitCode::usage,
              "-o: " + printable_name(output) + " is there already and is no " + name_of(format) + " picture",
              "remove it, or give another name");
}

PictureFormat check_picture(const PlotOptions& options) {
  const auto format = picture_format(options.output);
  if (!format) {
    throw Error(ExitCode::usage,
                "-o: " + printable_name(options.output) + " has an ending that is no picture's",
                "give it the ending .png or .svg");
  }
  check_not_this_input("-o", options.output, options.run);
  if (!options.record.empty()) check_not_this_input("-o", options.output, options.record);
  check_not_lost(options.output, *format);
  check_output_place(options.output, "-o");
  return *format;
}

PlotPicture picture_of(const PlotOptions& options) {
  const std::string shown = printable_text(options.run);
  const RunData run = run_from_json(read_run_text(options.run), shown);
  const bool played = run.kind != kLatencyKind && run.kind != "jack";
  if (!played && !options.record.empty()) {
    throw Error(ExitCode::usage,
                "--record: " + shown + " is a run of kind " + run.kind + ", which has no record",
                "leave it out");
  }
  if (run.kind == kLatencyKind) return latency_picture(run, shown);
  if (run.kind == "jack") return jack_picture(run, shown);
  const PlayTimeline timeline = options.record.empty()
                                    ? timeline_of_run(run)
                                    : timeline_of_record(options.record, printable_name(options.record), run);
  return play_picture(run, timeline, shown);
}

/// The first line that says something.
std::string first_line(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return "it printed nothing";
  return printable_text(text.substr(begin, text.find('\n', begin) - begin));
}

std::string draw(const PlotPicture& picture, PictureFormat format) {
  // Its start-up files might draw otherwise.
  const auto drawn =
      pipe_through({"gnuplot", "--default-settings"}, gnuplot_script(picture, format), kGnuplotPatience);
  if (!drawn) {
    throw Error(ExitCode::not_possible, "drawing takes gnuplot, and it is not there",
                "apt install gnuplot-nox");
  }
  if (drawn->exit_code == 0 && starts_as(format, drawn->out)) return drawn->out;
  throw Error(
      ExitCode::system,
      "gnuplot failed with exit code " + std::to_string(drawn->exit_code) + ": " + first_line(drawn->err),
      "it should be 5.4 or later, with the terminals pngcairo and svg: apt install gnuplot-nox");
}

}  // namespace

CLI::App* add_plot(CLI::App& app, PlotOptions& options) {
  auto* const plot = app.add_subcommand("plot", "Draw a run as a picture, with gnuplot");
  plot->add_option("RUN", options.run, "A run file")->required();
  plot->add_option("-o,--output", options.output, "The picture: a file that ends in .png or .svg")
      ->type_name("FILE")
      ->required();
  plot->add_option(
          "--record", options.record,
          "The record of the same run (play --record): each fragment, where the run file has ten seconds")
      ->type_name("FILE");
  plot->footer(kPlotFooter);
  return plot;
}

ExitCode run_plot(const PlotOptions& options) {
  const PictureFormat format = check_picture(options);
  write_whole_file(draw(picture_of(options), format), options.output, "-o");
  return ExitCode::ok;
}

}  // namespace xrunlab
