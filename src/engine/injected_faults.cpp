#include "xrunlab/engine/injected_faults.hpp"

#include <algorithm>

#include "xrunlab/audio/sim_options.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"

namespace xrunlab {

InjectedFaults::InjectedFaults(FaultPlan plan, Clock& clock, const std::atomic<bool>& stop)
    : plan_(std::move(plan)) {
  for (std::size_t index = 0; index < plan_.specs.size(); ++index) counts_.emplace_back();
  // A busy playback or reader thread would also take the processor from the others; a slow decoder does.
  playback_ = plan_delays(FaultKind::playback_delay, SpentBy::sleeping, clock, stop);
  reader_ = plan_delays(FaultKind::reader_delay, SpentBy::sleeping, clock, stop);
  decoder_ = plan_delays(FaultKind::decoder_delay, SpentBy::working, clock, stop);
}

std::unique_ptr<PlannedDelays> InjectedFaults::plan_delays(FaultKind kind, SpentBy spent_by, Clock& clock,
                                                           const std::atomic<bool>& stop) {
  std::vector<PlannedDelay> delays;
  for (std::size_t index = 0; index < plan_.specs.size(); ++index) {
    const auto& spec = plan_.specs[index];
    if (spec.kind == kind) delays.push_back({*spec.at, spec.delay, &counts_[index]});
  }
  if (delays.empty()) return nullptr;
  return std::make_unique<PlannedDelays>(std::move(delays), spent_by, clock, stop);
}

std::vector<ReadFault> InjectedFaults::of_reads() {
  std::vector<ReadFault> faults;
  for (std::size_t index = 0; index < plan_.specs.size(); ++index) {
    if (befalls_reads(plan_.specs[index].kind)) faults.push_back({plan_.specs[index], &counts_[index]});
  }
  return faults;
}

std::vector<FaultData> InjectedFaults::account(Nanoseconds started) const {
  std::vector<FaultData> faults;
  for (std::size_t index = 0; index < plan_.specs.size(); ++index) {
    FaultData fault{.spec = plan_.specs[index].text, .count = counts_[index].count()};
    if (const auto first = counts_[index].first()) fault.first_ns = (*first - started).count();
    // Relative to a start that never came it would say nothing.
    if (started.count() == 0) fault.first_ns.reset();
    faults.push_back(std::move(fault));
  }
  return faults;
}

bool InjectedFaults::failed_a_read() const noexcept {
  for (std::size_t index = 0; index < plan_.specs.size(); ++index) {
    if (plan_.specs[index].kind == FaultKind::eio && counts_[index].count() > 0) return true;
  }
  return false;
}

std::vector<FaultData> stalls_of(const PcmGrant& card, Nanoseconds exposure) {
  std::vector<FaultData> faults;
  std::string_view rest = card.name;
  if (!card.simulated || !rest.starts_with("sim:")) return faults;
  rest.remove_prefix(4);
  while (!rest.empty()) {
    const auto key = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), key.size() + 1));
    if (!key.starts_with("stall=")) continue;
    const SimStall stall = parse_sim_options(key).stalls.front();
    FaultData fault{.spec = "sim:" + std::string(key), .count = exposure > stall.at ? 1 : 0};
    if (fault.count > 0) fault.first_ns = stall.at.count();
    faults.push_back(std::move(fault));
  }
  return faults;
}

void name_injected(std::vector<EpisodeData>& episodes, const std::vector<FaultData>& faults) {
  constexpr std::string_view kUnknown = "unknown";
  for (auto& episode : episodes) {
    if (episode.cause != kUnknown) continue;
    const std::int64_t end_ns = episode.start_ns + episode.duration_ns;
    const std::int64_t begin_ns = std::min(episode.start_ns, end_ns - episode.evidence.window_ns);
    for (const auto& fault : faults) {
      if (!fault.first_ns || *fault.first_ns < begin_ns || *fault.first_ns > end_ns) continue;
      episode.evidence.detail += "; injected then: " + fault.spec;
    }
  }
}

void check_faults(const StreamRequest& request) {
  const auto tracks = request.files.size();
  const bool coded = std::any_of(request.files.begin(), request.files.end(),
                                 [](const AudioFile& file) { return file.decoded(); });
  for (const auto& spec : request.faults.specs) {
    const std::string fault = "--fault " + spec.text + ": ";
    const bool of_reader = befalls_reads(spec.kind) || spec.kind == FaultKind::reader_delay;
    if (of_reader && request.disk.ring_use == RingUse::none) {
      throw Error(ExitCode::usage, fault + "with --no-ring there is no reader that it could befall",
                  "leave out --no-ring");
    }
    if (spec.kind == FaultKind::decoder_delay && !coded) {
      throw Error(ExitCode::usage, fault + "nothing is decoded: every file is raw PCM",
                  "play a FLAC, Ogg or MP3 file too, or leave it out");
    }
    if (spec.track && *spec.track >= tracks) {
      throw Error(ExitCode::usage,
                  fault + "there " + (tracks == 1 ? "is " : "are ") +
                      counted(static_cast<std::int64_t>(tracks), "track"),
                  "tracks count from 0, so the last one is " + std::to_string(tracks - 1));
    }
  }
}

}  // namespace xrunlab
