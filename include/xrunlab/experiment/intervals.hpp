// What a few counts over a limited time say about a rate, and a few runs about a share: 95 % intervals. Pure
// functions; used for the figures of `compare`, never for its verdict.
#pragma once

#include <cstdint>
#include <vector>

#include "xrunlab/model/comparison.hpp"

namespace xrunlab {

/// Events of one run and the time in which they could have happened.
struct Exposure {
  std::int64_t events = 0;
  std::int64_t time_ns = 0;  ///< above 0
};

/// Events an hour over all runs with the exact interval of a Poisson rate. Where the runs differ by more than
/// chance (Σ(k − λT)² ÷ λT has p < 0.01) the events cluster, and the interval is that of 2,000 resamplings of
/// the runs, of a fixed seed. Nothing over no time.
std::optional<RateFigure> pooled_rate(const std::vector<Exposure>& runs);

/// `hits` of `runs` with the exact interval of a binomial share (Clopper and Pearson 1934). runs above 0.
ShareFigure share_of(std::int64_t hits, std::int64_t runs);

}  // namespace xrunlab
