#include "xrunlab/cli/run_results.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/model/redact.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

constexpr const char* kCompiler =
#if defined(__clang__)
    "clang " __clang_version__;
#else
    "gcc " __VERSION__;
#endif

}  // namespace

ConsoleStyle stdout_style() {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  const bool colour = isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0') &&
                      (term == nullptr || std::string(term) != "dumb");
  return colour ? ConsoleStyle::colour : ConsoleStyle::plain;
}

ToolInfo this_program() {
  return {"xrunlab", XRUNLAB_VERSION, kCompiler};
}

void print_run(const RunOutput& output, const RunText& text, const RunData& run) {
  const RunData shown = output.redact ? redacted(run) : run;
  const bool json_on_stdout = output.json == "-";
  const bool listed = !json_on_stdout && !text.listing.empty();
  if (json_on_stdout) {
    print_out(to_json(shown));
  } else if (listed) {
    print_out(text.listing);
  } else {
    print_out(output.quiet ? run.verdict_line + "\n" : text.summary);
  }
  if ((json_on_stdout || listed) && !output.quiet) fmt::print(stderr, "xrunlab: {}\n", run.verdict_line);
  if (!json_on_stdout && !text.histograms.empty()) print_out("\n" + text.histograms);
  // Quiet, nobody heard of them while it ran.
  if (output.quiet) {
    for (const auto& warning : run.warnings) fmt::print(stderr, "xrunlab: warning: {}\n", warning);
  }
  if (!run.error.empty()) fmt::print(stderr, "xrunlab: {}\n", run.error);
  if (!run.load_error.empty())
    fmt::print(stderr, "xrunlab: the load '{}' was dead: {}\n", run.load, run.load_error);
  flush_out();
  // Last: when it fails, what was measured has been seen.
  if (names_file(output.json)) write_run_file(shown, output.json);
}

}  // namespace xrunlab
