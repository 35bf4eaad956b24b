// A run in which the playback thread is held up once by a page fault of its own: a page of its converted
// fragment is slow (SlowPage). For the test and for the program that scripts/truth starts.
#pragma once

#include "xrunlab/engine/stream_run.hpp"

namespace xrunlab::test {

struct SlowPagePlay {
  RunData run;
  Nanoseconds armed{};  ///< CLOCK_MONOTONIC; the next fragment meets it. Zero: the run was over before
  Nanoseconds held{};   ///< how long the fault was
};

/// Arms the page when the collector first looks `at` after the threads began, to a tenth of a second. `asked`
/// mixes by float. Throws Error as run_stream; not_possible where userfaultfd is refused.
SlowPagePlay play_with_slow_page(const StreamRequest& asked, Nanoseconds at, Nanoseconds delay);

}  // namespace xrunlab::test
