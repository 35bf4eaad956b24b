#include <algorithm>

#include "doctor_grading.hpp"
#include "xrunlab/model/doctor_checks.hpp"

namespace xrunlab {
namespace {

// What `play` asks of a card unless told otherwise: two channels, two periods of 1024 frames.
constexpr std::int64_t kUsualChannels = 2;
constexpr std::int64_t kUsualBufferFrames = 2048;

std::string span_of(const ValueRange& range, const std::string& unit) {
  const std::string least = std::to_string(range.least);
  return (range.least == range.most ? least : least + "-" + std::to_string(range.most)) + " " + unit;
}

std::string accepted_by(const PcmEntry& pcm) {
  const PcmLimits& limits = *pcm.accepts;
  std::string text = pcm.name + ":";
  for (const auto& format : limits.formats) text += " " + format;
  return text + ", " + span_of(limits.channels, "channels") + ", " + span_of(limits.rate_hz, "Hz") +
         ", periods of " + span_of(limits.period_frames, "frames") + ", buffers of " +
         span_of(limits.buffer_frames, "frames");
}

bool lies_within(std::int64_t value, const ValueRange& range) {
  return value >= range.least && value <= range.most;
}

DoctorFinding check_card(const PcmEntry& pcm) {
  if (!pcm.accepts) return poor("card", pcm.name + ": " + pcm.problem, pcm.remedy);
  const PcmLimits& limits = *pcm.accepts;
  const auto& rates = limits.usual_rates_hz;
  const std::string text = accepted_by(pcm);
  const bool usual_rate = std::find(rates.begin(), rates.end(), 44'100) != rates.end() ||
                          std::find(rates.begin(), rates.end(), 48'000) != rates.end();
  if (!usual_rate) {
    return poor("card", text + "; neither 44100 nor 48000 Hz",
                "set the clock of the card, or play files of its rate");
  }
  if (!lies_within(kUsualChannels, limits.channels)) {
    return poor("card", text + "; not 2 channels, as play asks for",
                "play -c " + std::to_string(limits.channels.least) + " -D " + pcm.name);
  }
  if (limits.buffer_frames.most < kUsualBufferFrames) {
    return poor("card", text + "; less than two periods of 1024 frames",
                "play --buffer-size " + std::to_string(limits.buffer_frames.most) + " --period-size " +
                    std::to_string(limits.buffer_frames.most / 2));
  }
  return good("card", text);
}

}  // namespace

std::vector<DoctorFinding> check_cards(const DoctorFacts& facts) {
  const CardFacts& cards = facts.cards;
  if (!cards.in_kernel)
    return {not_here("card", "the kernel has no sound (no /proc/asound); -D sim plays to a simulated card")};
  std::vector<DoctorFinding> findings;
  if (cards.asked) {
    for (const auto& pcm : cards.asked->pcms) {
      if (pcm.kind == "card") findings.push_back(check_card(pcm));
    }
  } else {
    for (const auto& name : *cards.in_kernel) {
      findings.push_back(not_here("card", name + ": what it accepts cannot be asked through files alone"));
    }
  }
  if (findings.empty()) {
    findings.push_back(
        poor("card", cards.in_kernel->empty() ? "the kernel has sound, but no card" : "no card can play",
             "connect one; sudo modprobe snd-aloop gives one without hardware"));
  }
  return findings;
}

std::vector<DoctorFinding> check_machine(const DoctorFacts& facts) {
  std::vector<DoctorFinding> all;
  for (const auto check : {check_rights, check_kernel, check_power_and_memory, check_storage, check_cards}) {
    for (auto& finding : check(facts)) all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace xrunlab
