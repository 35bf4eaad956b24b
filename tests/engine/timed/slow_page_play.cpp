#include "tests/engine/timed/slow_page_play.hpp"

#include <cstdint>
#include <exception>
#include <memory>

#include "tests/fixtures/slow_page.hpp"

namespace xrunlab::test {
namespace {

std::unique_ptr<fixture::SlowPage> slow_page_of(const PlaybackParts& parts) {
  const auto samples = reinterpret_cast<std::uintptr_t>(parts.source().as_float().front().samples);
  const auto begin = samples / kPageBytes * kPageBytes;
  return std::make_unique<fixture::SlowPage>(reinterpret_cast<std::byte*>(begin));
}

}  // namespace

SlowPagePlay play_with_slow_page(const StreamRequest& asked, Nanoseconds at, Nanoseconds delay) {
  SlowPagePlay play;
  SystemClock clock;
  std::unique_ptr<fixture::SlowPage> page;
  std::exception_ptr refused;
  StreamListeners listeners;
  listeners.live = [&, begun = clock.now()](const PlaybackParts& parts) {
    if (!page && !refused && play.held.count() == 0 && clock.now() - begun >= at) {
      try {
        page = slow_page_of(parts);
        play.armed = clock.now();
        page->arm(delay);
      } catch (...) {
        refused = std::current_exception();
      }
    }
    if (!page || page->touches() == 0) return;
    play.held = page->held();
    page.reset();  // before the memory goes
  };
  const Signals signals;
  play.run = run_stream(asked, signals, listeners).run;
  if (refused) std::rethrow_exception(refused);
  return play;
}

}  // namespace xrunlab::test
