#include "xrunlab/cli/load_progress.hpp"

#include "xrunlab/core/figures.hpp"

namespace xrunlab {

LoadSettings LoadProgress::settings(std::int64_t seed) {
  LoadSettings settings;
  settings.seed = seed;
  settings.preparing = [this](const std::string& spec, Bytes done) {
    constexpr std::size_t kMostSpec = 40;
    if (done > 0) line_.show("preparing " + spec.substr(0, kMostSpec) + ": " + binary_bytes(done));
  };
  return settings;
}

}  // namespace xrunlab
