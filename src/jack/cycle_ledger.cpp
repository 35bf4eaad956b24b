#include "xrunlab/jack/cycle_ledger.hpp"

#include <algorithm>
#include <cmath>

namespace xrunlab {
namespace {

constexpr std::uint64_t kSecondUs = 1'000'000;
constexpr double kFilterCycles = 64;

std::int64_t ns_between(std::uint64_t from_us, std::uint64_t to_us) noexcept {
  return (static_cast<std::int64_t>(to_us) - static_cast<std::int64_t>(from_us)) * 1000;
}

void raise(std::optional<std::int64_t>& most, std::int64_t ns) noexcept {
  most = std::max(most.value_or(0), ns);
}

std::optional<std::int64_t> largest(const Histogram& histogram) noexcept {
  if (histogram.count() == 0) return std::nullopt;
  return histogram.max_ns();
}

}  // namespace

CycleLedger::CycleLedger(const LedgerSettings& settings) : settings_(settings) {}

void CycleLedger::begin(std::uint64_t begin_us, const GraphCounts& counts) {
  begin_us_ = begin_us;
  first_counts_ = counts;
  last_counts_ = counts;
}

CycleLedger::Cycle& CycleLedger::cycle_of(const CycleStamp& stamp) {
  // The frame time wraps after 2^32 frames, 27 hours at 44.1 kHz.
  const auto ahead = static_cast<std::int32_t>(stamp.frame_time - static_cast<std::uint32_t>(last_frame_));
  const std::int64_t frame = has_frame_ ? last_frame_ + ahead : stamp.frame_time;
  last_frame_ = has_frame_ ? std::max(last_frame_, frame) : frame;
  has_frame_ = true;
  const auto [found, is_new] = open_.try_emplace(frame);
  Cycle& cycle = found->second;
  if (is_new) cycle.start_us = stamp.start_us;
  cycle.seen_us = std::min(cycle.seen_us, stamp.begin_us);
  return cycle;
}

void CycleLedger::add_meter(const CycleStamp& stamp) {
  Cycle& cycle = cycle_of(stamp);
  cycle.start_us = stamp.start_us;
  cycle.wake_us = stamp.wake_us;
  cycle.entry_us = stamp.begin_us;
}

void CycleLedger::add_client(const CycleStamp& stamp) {
  Cycle& cycle = cycle_of(stamp);
  cycle.latest_end_us = std::max(cycle.latest_end_us, stamp.end_us);
}

void CycleLedger::look(std::uint64_t now_us, const GraphCounts& counts) {
  close_until(now_us > kSettleUs ? now_us - kSettleUs : 0);
  note_counts(now_us, counts);
  dsp_sum_ += counts.dsp_load_share;
  ++dsp_samples_;
}

void CycleLedger::end(std::uint64_t end_us, const GraphCounts& counts) {
  end_us_ = end_us;
  close_until(UINT64_MAX);
  note_counts(end_us - 1, counts);
  for (auto& second : seconds_) {
    const std::int64_t length = ns_between(begin_us_, end_us) - second.start_ns;
    second.length_ns = std::clamp<std::int64_t>(length, 0, kNsPerSecond);
  }
}

void CycleLedger::close_until(std::uint64_t seen_us) {
  while (!open_.empty() && open_.begin()->second.seen_us <= seen_us) {
    close_cycle(open_.begin()->second);
    open_.erase(open_.begin());
  }
}

void CycleLedger::close_cycle(const Cycle& cycle) {
  if (cycle.seen_us < begin_us_ || cycle.seen_us >= end_us_) return;
  if (cycle.wake_us != 0) note_filter(cycle);
  if (cycle.entry_us) note_delay(cycle);
  if (cycle.latest_end_us != 0) note_use(cycle);
}

/// A filter that has settled is right in the mean. After an xrun this one takes seconds, and is off by many
/// periods meanwhile: nothing is done about it here but that it is told.
void CycleLedger::note_filter(const Cycle& cycle) {
  const double early_us = static_cast<double>(ns_between(cycle.start_us, cycle.wake_us)) / 1000;
  filter_bias_us_ += (early_us - filter_bias_us_) / kFilterCycles;
  const Nanoseconds allowed = std::max(settings_.period / 16, settings_.frame * 2);
  if (std::fabs(filter_bias_us_) * 1000 > static_cast<double>(allowed.count())) ++unsettled_cycles_;
}

void CycleLedger::note_delay(const Cycle& cycle) {
  const std::int64_t delay = ns_between(cycle.start_us, *cycle.entry_us);
  ++cycles_;
  if (delay < 0) ++early_cycles_;
  delay_.record(delay);
  if (cycle.wake_us != 0) wake_delay_.record(ns_between(cycle.wake_us, *cycle.entry_us));
  JackSecond& second = second_of(cycle.seen_us);
  ++second.cycles;
  raise(second.delay_max_ns, delay);
  if (previous_entry_us_) {
    interval_excess_.record(ns_between(*previous_entry_us_, *cycle.entry_us) - settings_.period.count());
  }
  previous_entry_us_ = cycle.entry_us;
  while (!uses_.empty() && uses_.front().seen_us + kSecondUs < cycle.seen_us) uses_.pop_front();
  const std::int64_t spare = settings_.period.count() - (uses_.empty() ? 0 : uses_.front().ns);
  if (delay > spare) ++over_spare_;
  if (delay > settings_.delay_bound.count()) ++over_bound_;
}

void CycleLedger::note_use(const Cycle& cycle) {
  const std::int64_t use = ns_between(cycle.start_us, cycle.latest_end_us);
  use_.record(use);
  if (cycle.wake_us != 0) wake_use_.record(ns_between(cycle.wake_us, cycle.latest_end_us));
  raise(second_of(cycle.seen_us).cycle_max_ns, use);
  while (!uses_.empty() && uses_.back().ns <= use) uses_.pop_back();
  uses_.push_back({cycle.seen_us, use});
}

JackSecond& CycleLedger::second_of(std::uint64_t at_us) {
  const std::size_t index = (std::max(at_us, begin_us_) - begin_us_) / kSecondUs;
  while (seconds_.size() <= index) {
    seconds_.push_back({.start_ns = static_cast<std::int64_t>(seconds_.size()) * kNsPerSecond});
  }
  return seconds_[index];
}

void CycleLedger::note_counts(std::uint64_t now_us, const GraphCounts& counts) {
  if (now_us < begin_us_) return;
  JackSecond& second = second_of(now_us);
  second.xruns += counts.xruns - last_counts_.xruns;
  second.driver_late += counts.driver_late - last_counts_.driver_late;
  second.dsp_load_share = counts.dsp_load_share;
  last_counts_ = counts;
}

void CycleLedger::report(JackData& jack) const {
  jack.measured_ns = ns_between(begin_us_, end_us_);
  jack.cycles = cycles_;
  jack.early_cycles = early_cycles_;
  jack.unsettled_cycles = unsettled_cycles_;
  jack.delay = delay_.snapshot();
  jack.interval_excess = interval_excess_.snapshot();
  jack.cycle = use_.snapshot();
  if (wake_delay_.count() > 0) jack.wake_delay = wake_delay_.snapshot();
  if (wake_use_.count() > 0) jack.wake_cycle = wake_use_.snapshot();
  if (const auto most = largest(use_)) jack.spare_least_ns = settings_.period.count() - *most;
  jack.seconds = seconds_;
  JackFigures& figures = jack.figures;
  figures.xruns = jack_count(last_counts_.xruns - first_counts_.xruns, jack.measured_ns);
  figures.driver_late = jack_count(last_counts_.driver_late - first_counts_.driver_late, jack.measured_ns);
  figures.over_spare = jack_count(over_spare_, jack.measured_ns);
  figures.over_bound = jack_count(over_bound_, jack.measured_ns);
  figures.delay_bound_ns = settings_.delay_bound.count();
  figures.delay_max_ns = largest(delay_);
  figures.cycle_max_ns = largest(use_);
  if (dsp_samples_ > 0) figures.dsp_load_share = dsp_sum_ / static_cast<double>(dsp_samples_);
}

JackStep CycleLedger::step(std::int64_t clients) const {
  JackData jack;
  report(jack);
  return {.clients = clients,
          .length_ns = jack.measured_ns,
          .cycles = cycles_,
          .dsp_load_share = jack.figures.dsp_load_share,
          .delay_max_ns = jack.figures.delay_max_ns,
          .cycle_max_ns = jack.figures.cycle_max_ns,
          .xruns = jack.figures.xruns.count.value_or(0),
          .driver_late = jack.figures.driver_late.count.value_or(0)};
}

}  // namespace xrunlab
