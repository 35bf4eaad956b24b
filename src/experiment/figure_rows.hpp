// The figures that can be taken from a run, a row each, by kinds of run; put together by run_figures().
#pragma once

#include <optional>
#include <vector>

#include "xrunlab/experiment/run_summary.hpp"

namespace xrunlab {

using OptionalFigure = std::optional<double>;
using FigureFunction = OptionalFigure (*)(const RunData&);

struct FigureRow {
  RunFigure figure;
  FigureFunction of;
};

/// A row whose key is its name with the unit.
FigureRow figure_row(const char* kinds, const char* name, const char* label, FigureUnit unit,
                     FigureFunction of);

/// Of a maximum: the largest of a group.
FigureRow largest_row(const char* kinds, const char* name, const char* label, FigureFunction of);

/// Adds up over a group, so more runs have more of it: it decides nothing.
FigureRow count_row(const char* kinds, const char* name, const char* label, FigureFunction of);

/// The mean of a group, every run by its length.
FigureRow weighted_row(const char* kinds, const char* name, const char* label, FigureUnit unit,
                       FigureFunction of);

FigureRow more_is_better(FigureRow row);

OptionalFigure optional_figure(const std::optional<std::int64_t>& value);

/// Nothing when `count` is absent or `by` is not above 0.
OptionalFigure quotient(const std::optional<std::int64_t>& count, double by);

std::vector<FigureRow> stream_figure_rows();
std::vector<FigureRow> latency_figure_rows();
std::vector<FigureRow> jack_figure_rows();
std::vector<FigureRow> machine_figure_rows();
std::vector<FigureRow> event_figure_rows();

}  // namespace xrunlab
