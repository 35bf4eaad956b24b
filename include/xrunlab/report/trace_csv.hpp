// Prints a trace file as CSV: one line an event, the columns of docs/trace-file.md. Called by
// `xrunlab trace`.
#pragma once

#include <ostream>

#include "xrunlab/timing/trace_reader.hpp"

namespace xrunlab {

enum class CsvOutcome {
  whole,          ///< every event was printed
  trace_damaged,  ///< what could be read was printed; reader.fault() says where it ends
  output_failed,  ///< `out` took no more
};

/// Prints the head line and all events that can still be read from `reader`.
CsvOutcome write_trace_csv(TraceReader& reader, std::ostream& out);

}  // namespace xrunlab
