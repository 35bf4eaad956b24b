#include "xrunlab/cli/load_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "xrunlab/core/figures.hpp"
#include "xrunlab/report/live_line.hpp"
#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {

LoadProgress::LoadProgress(bool quiet)
    : shown_(!quiet && choose_live_mode(describe_terminal(STDERR_FILENO), std::nullopt) == LiveMode::redraw) {
}

LoadProgress::~LoadProgress() {
  clear();
}

LoadSettings LoadProgress::settings(std::int64_t seed) {
  LoadSettings settings;
  settings.seed = seed;
  settings.preparing = [this](const std::string& spec, Bytes done) { show(spec, done); };
  return settings;
}

void LoadProgress::show(const std::string& spec, Bytes done) {
  if (!shown_ || done == 0) return;
  constexpr std::size_t kMostSpec = 40;
  fmt::print(stderr, "\rpreparing {}: {}\033[K", printable(spec.substr(0, kMostSpec)), binary_bytes(done));
  std::fflush(stderr);
  drawn_ = true;
}

void LoadProgress::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace xrunlab
