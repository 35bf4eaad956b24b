// Whether two events say the same, field by field: their unions hold what no kind has set. For tests of what
// writes and reads traces.
#pragma once

#include <gtest/gtest.h>

#include "xrunlab/timing/event.hpp"

namespace xrunlab::test {

inline void expect_same(const Event& left, const Event& right) {
  ASSERT_EQ(left.kind, right.kind);
  EXPECT_EQ(left.at_ns, right.at_ns);
  switch (left.kind) {
    case EventKind::fragment:
      EXPECT_EQ(left.fragment.index, right.fragment.index);
      EXPECT_EQ(left.fragment.t1_ns, right.fragment.t1_ns);
      EXPECT_EQ(left.fragment.t2_ns, right.fragment.t2_ns);
      EXPECT_EQ(left.fragment.t3_ns, right.fragment.t3_ns);
      EXPECT_EQ(left.fragment.planned_ns, right.fragment.planned_ns);
      EXPECT_EQ(left.fragment.fill_frames, right.fragment.fill_frames);
      EXPECT_EQ(left.fragment.slack_frames, right.fragment.slack_frames);
      break;
    case EventKind::read:
      EXPECT_EQ(left.read.offset, right.read.offset);
      EXPECT_EQ(left.read.size, right.read.size);
      EXPECT_EQ(left.read.submitted_ns, right.read.submitted_ns);
      EXPECT_EQ(left.read.completed_ns, right.read.completed_ns);
      EXPECT_EQ(left.read.track, right.read.track);
      EXPECT_EQ(left.read.in_flight, right.read.in_flight);
      EXPECT_EQ(left.read.fill_ns, right.read.fill_ns);
      break;
    case EventKind::starvation:
      EXPECT_EQ(left.starvation.duration_ns, right.starvation.duration_ns);
      EXPECT_EQ(left.starvation.track, right.starvation.track);
      break;
    case EventKind::xrun:
      EXPECT_EQ(left.xrun.dry_ns, right.xrun.dry_ns);
      break;
    case EventKind::late_entry:
      EXPECT_EQ(left.late_entry.planned_ns, right.late_entry.planned_ns);
      break;
    case EventKind::raw_wait:
      EXPECT_EQ(left.raw_wait.duration_ns, right.raw_wait.duration_ns);
      EXPECT_EQ(left.raw_wait.track, right.raw_wait.track);
      break;
    case EventKind::input_failed:
      EXPECT_EQ(left.input_failed.offset, right.input_failed.offset);
      EXPECT_EQ(left.input_failed.submitted_ns, right.input_failed.submitted_ns);
      EXPECT_EQ(left.input_failed.track, right.input_failed.track);
      EXPECT_EQ(left.input_failed.error_number, right.input_failed.error_number);
      break;
    case EventKind::decoded:
      EXPECT_EQ(left.decoded.frame, right.decoded.frame);
      EXPECT_EQ(left.decoded.frames, right.decoded.frames);
      EXPECT_EQ(left.decoded.raw_begin, right.decoded.raw_begin);
      EXPECT_EQ(left.decoded.raw_bytes, right.decoded.raw_bytes);
      EXPECT_EQ(left.decoded.took_ns, right.decoded.took_ns);
      EXPECT_EQ(left.decoded.track, right.decoded.track);
      EXPECT_EQ(left.decoded.ends, right.decoded.ends);
      break;
    default:
      EXPECT_EQ(left.episode.duration_ns, right.episode.duration_ns);
      EXPECT_EQ(left.episode.track, right.episode.track);
      EXPECT_EQ(left.episode.confidence_ppm, right.episode.confidence_ppm);
      EXPECT_EQ(left.episode.kind, right.episode.kind);
      EXPECT_EQ(left.episode.cause, right.episode.cause);
      break;
  }
}

}  // namespace xrunlab::test
