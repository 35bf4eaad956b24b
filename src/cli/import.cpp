#include "xrunlab/cli/import.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/import/read_listing.hpp"
#include "xrunlab/model/run_file.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{64} << 20;  // a listing of a million lines; more is no listing

std::string listing_from(std::istream& stream, const std::string& source) {
  std::string text;
  std::string piece(std::size_t{64} << 10, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())) || stream.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() <= kMostBytes) continue;
    throw Error(ExitCode::input_file, source + ": is longer than 64 MiB", "cut out what is to be imported");
  }
  return text;
}

std::string listing_in(const std::string& file, const std::string& source) {
  if (file == "-") return listing_from(std::cin, source);
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file, ignored)) {
    throw Error(ExitCode::input_file, source + ": cannot be read: " + errno_text(stream ? EISDIR : errno),
                "name what cyclictest, jack_test3 or play --classic has printed");
  }
  return listing_from(stream, source);
}

/// Letters, digits, dots and underscores stay, in small; each stretch of anything else becomes a '-'.
std::string slug(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    const bool upper = letter >= 'A' && letter <= 'Z';
    const bool stays = upper || (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
                       letter == '.' || letter == '_';
    if (stays) {
      result += static_cast<char>(upper ? letter - 'A' + 'a' : letter);
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  constexpr std::size_t kLongest = 80;
  if (result.size() > kLongest) result.resize(kLongest);
  while (result.ends_with('-') || result.ends_with('.')) result.pop_back();
  return result;
}

/// "2011-06-cyclictest-2.6.39.1.json", of what is known: date, program, title or kernel.
std::string name_for(const RunData& run) {
  const auto& known = *run.imported;
  const std::string release = run.system.kernel.substr(0, run.system.kernel.find(' '));
  std::string name = slug(known.date.empty() ? run.start.substr(0, 10) : known.date);
  for (const auto& part :
       {run.tool.name.empty() ? known.format : run.tool.name, known.title.empty() ? release : known.title}) {
    const auto short_part = slug(part);
    if (!short_part.empty()) name += (name.empty() ? "" : "-") + short_part;
  }
  return name;
}

/// Of several runs of one name each but the first gets its number.
fs::path path_for(const RunData& run, const std::string& directory, std::vector<fs::path>& taken) {
  const std::string name = name_for(run);
  fs::path path = fs::path(directory) / (name + ".json");
  for (int number = 2; std::find(taken.begin(), taken.end(), path) != taken.end(); ++number)
    path = fs::path(directory) / (name + "-" + std::to_string(number) + ".json");
  taken.push_back(path);
  return path;
}

void refuse_to_overwrite(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return;
  throw Error(ExitCode::usage, printable_text(path.string()) + " is there already",
              "remove it, or give another directory with -o");
}

std::string microseconds(double ns) {
  return three_digits(ns / 1000) + " us";
}

std::string figures_line(const RunData& run) {
  if (run.jack) {
    const auto& delay = run.jack->figures.delay_max_ns;
    return delay ? "largest delay " + microseconds(static_cast<double>(*delay)) : "no largest delay";
  }
  if (run.kind != kLatencyKind) {
    std::string text;
    const auto add = [&](const char* path, const std::string& figure) {
      if (is_stated(run, path)) text += (text.empty() ? "" : ", ") + figure;
    };
    add("timers.ring_read.count", counted(run.timers.ring_read.histogram.count, "read"));
    add("timers.pcm_write.count", counted(run.timers.pcm_write.histogram.count, "write"));
    add("bound_ns", "bound " + short_duration(run.bound_ns));
    return text.empty() ? "three timers" : text;
  }
  std::string text = counted(static_cast<std::int64_t>(run.latency.rounds.size()), "round");
  if (const auto median = median_of_maxima_ns(run.latency))
    text += ", median of maxima " + microseconds(*median);
  if (run.latency.all.max_ns)
    text += ", largest " + microseconds(static_cast<double>(*run.latency.all.max_ns));
  return text;
}

void import_file(const std::string& file, const ListingFacts& facts, const ImportOptions& options,
                 std::vector<fs::path>& taken) {
  const std::string source = file == "-" ? "standard input" : printable_text(file);
  const auto runs = read_listing(listing_in(file, source), facts, source);
  std::vector<fs::path> paths;
  for (const auto& run : runs) {
    paths.push_back(path_for(run, options.directory, taken));
    if (!options.dry_run) refuse_to_overwrite(paths.back());
  }
  for (std::size_t index = 0; index < runs.size(); ++index) {
    const auto& run = runs[index];
    if (!options.dry_run) write_run_file(run, paths[index], "-o");
    print_out(printable_text(paths[index].string()) + ": " + run.kind + ", " + figures_line(run) + "\n");
    for (const auto& warning : run.warnings) fmt::print(stderr, "xrunlab: {}: {}\n", source, warning);
  }
}

std::string fact_lines() {
  std::string text;
  for (const auto& fact : fact_names()) text += fmt::format("  {:10}{}\n", fact.name, fact.meaning);
  return text;
}

}  // namespace

CLI::App* add_import(CLI::App& app, ImportOptions& options) {
  auto* const import =
      app.add_subcommand("import", "Make run files of what cyclictest, jack_test3 or ecasound have printed");
  import->add_option("FILES", options.files, "Listings, also as mailed; - is standard input")->required();
  import->add_option("-o,--output", options.directory, "Directory of the run files")
      ->type_name("DIR")
      ->capture_default_str();
  import
      ->add_option(
          "--fact", options.facts,
          "What the listing does not say, as kernel=6.1.0-rt. Repeatable; a line '## kernel: 6.1.0-rt' "
          "in the file does the same")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("NAME=VALUE");
  import->add_flag("--dry-run", options.dry_run, "Only say what would be written");
  import->footer(
      "Facts:\n" + fact_lines() +
      "\n"
      "What a listing does not say is absent, never 0. A line '## run: TITLE' in the file begins a\n"
      "run; what follows it holds for that run. See also docs/import.md.\n"
      "Exit codes: 0 written; 2 usage, or a file is there already; 3 cannot write;\n"
      "4 no listing, or one that contradicts itself.\n"
      "\n"
      "Example:\n"
      "  cyclictest -q -l 10000 -h 400 | xrunlab import - --fact kernel=$(uname -r)\n");
  return import;
}

ExitCode run_import(const ImportOptions& options) {
  ListingFacts facts;
  for (const auto& fact : options.facts) add_fact(facts, fact);
  std::vector<fs::path> taken;
  for (const auto& file : options.files) import_file(file, facts, options, taken);
  flush_out();
  return exit_code_after_output(ExitCode::ok);
}

}  // namespace xrunlab
