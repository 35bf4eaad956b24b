#include <algorithm>

#include "trace_numbers.hpp"
#include "xrunlab/timing/trace_format.hpp"

namespace xrunlab {
namespace {

constexpr std::uint8_t kEndKind = 0;

}  // namespace

void TraceEncoder::append(const Event& event, std::vector<std::byte>& out) {
  out.push_back(static_cast<std::byte>(event.kind));
  put_difference(out, event.at_ns, last_at_ns_);
  last_at_ns_ = event.at_ns;
  switch (event.kind) {
    case EventKind::fragment: {
      const auto& fragment = event.fragment;
      put_difference(out, fragment.index, last_index_);
      last_index_ = fragment.index;
      put_number(out, static_cast<std::uint64_t>(fragment.t1_ns));
      put_number(out, static_cast<std::uint64_t>(fragment.t2_ns));
      put_optional_number(out, fragment.t3_ns);
      put_optional_number(
          out, fragment.planned_ns < 0
                   ? -1
                   : std::max<std::int64_t>(0, wrapping_subtract(event.at_ns, fragment.planned_ns)));
      put_optional_number(out, fragment.fill_frames);
      put_optional_number(out, fragment.slack_frames);
      break;
    }
    case EventKind::read:
      put_number(out, event.read.track);
      put_number(out, static_cast<std::uint64_t>(event.read.offset));
      put_number(out, static_cast<std::uint64_t>(event.read.size));
      put_difference(out, event.at_ns, event.read.completed_ns);
      put_difference(out, event.read.completed_ns, event.read.submitted_ns);
      put_number(out, event.read.in_flight);
      put_number(out, static_cast<std::uint64_t>(event.read.fill_ns));
      break;
    case EventKind::starvation:
      put_number(out, event.starvation.track);
      put_number(out, static_cast<std::uint64_t>(event.starvation.duration_ns));
      break;
    case EventKind::xrun:
      put_optional_number(out, event.xrun.dry_ns);
      break;
    default:
      append_finding(event, out);
      break;
  }
}

void TraceEncoder::append_finding(const Event& event, std::vector<std::byte>& out) {
  switch (event.kind) {
    case EventKind::late_entry:
      put_difference(out, event.at_ns, event.late_entry.planned_ns);
      break;
    case EventKind::raw_wait:
      put_number(out, event.raw_wait.track);
      put_number(out, static_cast<std::uint64_t>(event.raw_wait.duration_ns));
      break;
    case EventKind::input_failed:
      put_number(out, event.input_failed.track);
      put_number(out, static_cast<std::uint64_t>(event.input_failed.offset));
      put_number(out, static_cast<std::uint32_t>(event.input_failed.error_number));
      put_difference(out, event.at_ns, event.input_failed.submitted_ns);
      break;
    case EventKind::episode:
      put_number(out, event.episode.kind);
      put_number(out, event.episode.cause);
      put_number(out, static_cast<std::uint32_t>(event.episode.confidence_ppm));
      put_number(out, static_cast<std::uint64_t>(event.episode.duration_ns));
      put_optional_number(out, event.episode.track);
      break;
    case EventKind::sample:
      append_sample(event.sample, out);
      break;
    case EventKind::decoded:
      put_number(out, event.decoded.track);
      put_number(out, static_cast<std::uint64_t>(event.decoded.frame));
      put_number(out, static_cast<std::uint64_t>(event.decoded.frames));
      put_number(out, static_cast<std::uint64_t>(event.decoded.raw_begin));
      put_number(out, static_cast<std::uint64_t>(event.decoded.raw_bytes));
      put_number(out, static_cast<std::uint64_t>(event.decoded.took_ns));
      put_number(out, event.decoded.ends);
      break;
    default:
      break;
  }
}

void TraceEncoder::append_sample(const SampleEvent& sample, std::vector<std::byte>& out) {
  put_optional_number(out, sample.playback_queued_ns);
  put_optional_number(out, sample.playback_minor_faults);
  put_optional_number(out, sample.playback_major_faults);
  put_optional_number(out, sample.reader_queued_ns);
  put_optional_number(out, sample.decoder_queued_ns);
  put_optional_number(out, sample.steal_ns);
  put_optional_number(out, sample.suspended_ns);
}

void TraceEncoder::append_end(const TraceEnd& end, std::vector<std::byte>& out) {
  out.push_back(std::byte{kEndKind});
  put_number(out, static_cast<std::uint64_t>(end.events));
  put_number(out, static_cast<std::uint64_t>(end.dropped));
}

std::uint64_t TraceDecoder::number() noexcept {
  return take_number(rest_, cut_);
}

std::int64_t TraceDecoder::difference() noexcept {
  return unfolded(number());
}

std::int64_t TraceDecoder::optional() noexcept {
  return wrapping_subtract(static_cast<std::int64_t>(number()), 1);
}

TraceDecoder::Found TraceDecoder::fragment(Event& event) noexcept {
  auto& fragment = event.fragment;
  fragment = {};
  fragment.index = last_index_ = wrapping_add(last_index_, difference());
  fragment.t1_ns = static_cast<std::int64_t>(number());
  fragment.t2_ns = static_cast<std::int64_t>(number());
  fragment.t3_ns = optional();
  const auto before_end = optional();
  fragment.planned_ns = before_end == -1 ? -1 : wrapping_subtract(event.at_ns, before_end);
  fragment.fill_frames = optional();
  fragment.slack_frames = optional();
  return cut_ ? Found::cut : Found::event;
}

void TraceDecoder::read(Event& event) noexcept {
  event.read = {};
  event.read.track = static_cast<std::uint32_t>(number());
  event.read.offset = static_cast<std::int64_t>(number());
  event.read.size = static_cast<std::int64_t>(number());
  event.read.completed_ns = wrapping_subtract(event.at_ns, difference());
  event.read.submitted_ns = wrapping_subtract(event.read.completed_ns, difference());
  event.read.in_flight = static_cast<std::uint32_t>(number());
  event.read.fill_ns = static_cast<std::int64_t>(number());
}

/// What was found out about the run, beside the playback thread's own records and the reads.
void TraceDecoder::finding(Event& event) noexcept {
  switch (event.kind) {
    case EventKind::late_entry:
      event.late_entry.planned_ns = wrapping_subtract(event.at_ns, difference());
      break;
    case EventKind::raw_wait:
      event.raw_wait = {};
      event.raw_wait.track = static_cast<std::uint32_t>(number());
      event.raw_wait.duration_ns = static_cast<std::int64_t>(number());
      break;
    case EventKind::input_failed:
      event.input_failed = {};
      event.input_failed.track = static_cast<std::uint32_t>(number());
      event.input_failed.offset = static_cast<std::int64_t>(number());
      event.input_failed.error_number = static_cast<std::int32_t>(number());
      event.input_failed.submitted_ns = wrapping_subtract(event.at_ns, difference());
      break;
    case EventKind::episode:
      event.episode = {};
      event.episode.kind = static_cast<std::uint8_t>(number());
      event.episode.cause = static_cast<std::uint8_t>(number());
      event.episode.confidence_ppm = static_cast<std::int32_t>(number());
      event.episode.duration_ns = static_cast<std::int64_t>(number());
      event.episode.track = optional();
      break;
    case EventKind::sample:
      sample(event);
      break;
    case EventKind::decoded:
      event.decoded = {};
      event.decoded.track = static_cast<std::uint32_t>(number());
      event.decoded.frame = static_cast<std::int64_t>(number());
      event.decoded.frames = static_cast<std::int64_t>(number());
      event.decoded.raw_begin = static_cast<std::int64_t>(number());
      event.decoded.raw_bytes = static_cast<std::int64_t>(number());
      event.decoded.took_ns = static_cast<std::int64_t>(number());
      event.decoded.ends = static_cast<std::uint32_t>(number());
      break;
    default:
      break;
  }
}

void TraceDecoder::sample(Event& event) noexcept {
  event.sample = {};
  event.sample.playback_queued_ns = optional();
  event.sample.playback_minor_faults = optional();
  event.sample.playback_major_faults = optional();
  event.sample.reader_queued_ns = optional();
  event.sample.decoder_queued_ns = optional();
  event.sample.steal_ns = optional();
  event.sample.suspended_ns = optional();
}

TraceDecoder::Found TraceDecoder::next(Event& event, TraceEnd& end) noexcept {
  if (cut_) return Found::cut;
  if (rest_.empty()) return Found::end_of_chunk;
  const auto kind = static_cast<std::uint8_t>(rest_.front());
  rest_ = rest_.subspan(1);
  if (kind == kEndKind) {
    end.events = static_cast<std::int64_t>(number());
    end.dropped = static_cast<std::int64_t>(number());
    return cut_ ? Found::cut : Found::end_record;
  }
  if (kind > static_cast<std::uint8_t>(EventKind::decoded)) return Found::unknown_kind;
  event.kind = static_cast<EventKind>(kind);
  event.at_ns = last_at_ns_ = wrapping_add(last_at_ns_, difference());
  switch (event.kind) {
    case EventKind::fragment:
      return fragment(event);
    case EventKind::read:
      read(event);
      break;
    case EventKind::starvation:
      event.starvation = {};
      event.starvation.track = static_cast<std::uint32_t>(number());
      event.starvation.duration_ns = static_cast<std::int64_t>(number());
      break;
    case EventKind::xrun:
      event.xrun.dry_ns = optional();
      break;
    default:
      finding(event);
      break;
  }
  return cut_ ? Found::cut : Found::event;
}

}  // namespace xrunlab
