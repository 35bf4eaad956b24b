#include "xrunlab/cli/play_load.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/model/verdict.hpp"

namespace xrunlab {
namespace {

/// A record load is a session of tracks like the first one that is played; what is coded is recorded in 24
/// bits.
std::vector<LoadSpec> with_tracks_like(std::vector<LoadSpec> specs, const AudioFile* first) {
  constexpr SampleRate kUsualRate{48'000};
  for (auto& spec : specs) {
    spec = first == nullptr ? with_track(std::move(spec), kUsualRate, SampleFormat::s24_3le, 1)
                            : with_track(std::move(spec), first->rate,
                                         first->raw_format.value_or(SampleFormat::s24_3le), first->channels);
  }
  return specs;
}

/// Known now, and in a rehearsal, not only when the load starts.
void check_directory_of(const LoadSpec& spec) {
  const bool has_one = spec.kind == LoadKind::read || spec.kind == LoadKind::write ||
                       spec.kind == LoadKind::exec || spec.kind == LoadKind::record;
  std::error_code error;
  if (!has_one || std::filesystem::exists(spec.path, error)) return;
  throw Error(
      ExitCode::system,
      "--load: " + spec.text + ": " + spec.path.string() + ": " + errno_text(error ? error.value() : ENOENT),
      "name a directory that is there");
}

}  // namespace

PlayLoad::PlayLoad(const std::vector<std::string>& specs, const std::string& seed, bool quiet)
    : seed_(parse_integer("--load-seed", seed, 0, INT64_MAX)), quiet_(quiet), progress_(quiet) {
  for (const auto& text : specs) {
    specs_.push_back(parse_load_spec("--load", text));
    check_directory_of(specs_.back());
  }
}

bool PlayLoad::start(GuardProcess* guard, const AudioFile* like, Strictness strict, const Signals& signals) {
  if (specs_.empty()) return true;
  loads_.emplace(*guard, with_tracks_like(specs_, like), progress_.settings(seed_));
  const bool started = loads_->start([&](Nanoseconds time) { return signals.wait_for(time); });
  progress_.clear();
  if (!started) return false;
  for (const auto& line : loads_->shortfalls()) {
    if (strict == Strictness::refuse) {
      throw Error(ExitCode::system, line, "ask less of the load, or leave --strict out");
    }
    if (!quiet_) fmt::print(stderr, "xrunlab: {}\n", line);
  }
  loads_->begin();
  return true;
}

std::optional<Accompaniment> PlayLoad::accompaniment() {
  if (!loads_) return std::nullopt;
  return Accompaniment{.name = "load", .goes_on = [this] { return loads_->dead().empty(); }};
}

void PlayLoad::finish(RunData& run) {
  if (!loads_) return;
  run.load = loads_->name();
  for (const auto& line : loads_->shortfalls()) run.warnings.push_back(line);
  run.loads = loads_->finish();
  for (const auto& load : run.loads) {
    if (load.alive) continue;
    const bool told_apart = run.loads.size() > 1;
    if (!run.load_error.empty()) run.load_error += "; ";
    run.load_error += (told_apart ? load.spec + ": " : "") + load.error;
  }
  judge(run);
}

}  // namespace xrunlab
