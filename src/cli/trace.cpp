#include "xrunlab/cli/trace.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "xrunlab/report/trace_csv.hpp"

namespace xrunlab {

CLI::App* add_trace(CLI::App& app, TraceOptions& options) {
  auto* const trace = app.add_subcommand("trace", "Print a trace that play --record has written");
  trace->add_option("FILE", options.file, "The trace file")->required();
  trace->add_option("--to", options.to, "Form of the output: csv, one line an event")
      ->check(CLI::IsMember({"csv"}))
      ->capture_default_str();
  trace->footer(
      "The columns are explained in docs/trace-file.md; times are in nanoseconds.\n"
      "Exit codes: 0 printed; 2 usage; 3 stdout failed; 4 no trace, or a damaged one\n"
      "(printed as far as it could be read).\n");
  return trace;
}

ExitCode run_trace(const TraceOptions& options) {
  TraceReader reader(options.file);
  std::ios::sync_with_stdio(false);
  switch (write_trace_csv(reader, std::cout)) {
    case CsvOutcome::whole:
      break;
    case CsvOutcome::trace_damaged:
      throw Error(ExitCode::input_file, reader.fault());
    case CsvOutcome::output_failed:
      throw Error(ExitCode::system, "cannot write the CSV to standard output");
  }
  if (reader.header().fault_injected) {
    fmt::print(stderr, "xrunlab: {}: faults were injected into this run: it is no measurement\n",
               options.file);
  }
  if (reader.end()->dropped > 0) {
    fmt::print(stderr, "xrunlab: {}: {} events are not in this trace: their queue was full\n", options.file,
               reader.end()->dropped);
  }
  return ExitCode::ok;
}

}  // namespace xrunlab
