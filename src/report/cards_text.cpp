#include "xrunlab/report/cards_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

// With the blanks between them 80.
constexpr std::size_t kNameColumns = 20;
constexpr std::size_t kChannelColumns = 9;
constexpr std::size_t kRateColumns = 15;
constexpr std::size_t kSizeColumns = 16;
constexpr std::size_t kIndent = 4;

std::string row(std::string_view name, std::string_view channels, std::string_view rate,
                std::string_view period, std::string_view buffer) {
  std::string line(name);
  // A name that is too long stands on a line of its own.
  if (display_columns(name) > kNameColumns) line += "\n" + std::string(kNameColumns, ' ');
  if (display_columns(name) < kNameColumns) line.append(kNameColumns - display_columns(name), ' ');
  return line + fmt::format(" {:>{}} {:>{}} {:>{}} {:>{}}\n", channels, kChannelColumns, rate, kRateColumns,
                            period, kSizeColumns, buffer, kSizeColumns);
}

/// A software PCM takes any number: the largest are shortened.
std::string span_text(const ValueRange& span, std::size_t columns) {
  const std::string least = std::to_string(span.least);
  if (span.least == span.most) return least;
  return least + "-" + compact_count(span.most, columns - std::min(columns - 5, least.size() + 1));
}

std::string what_it_is(const PcmEntry& pcm) {
  std::string text = pcm.description;
  if (!pcm.server.empty())
    text += (text.empty() ? "" : "; ") + ("the buffer of " + pcm.server + ", not of a card");
  if (pcm.kind == "unpaced")
    text += std::string(text.empty() ? "" : "; ") + "unpaced: takes everything at once";
  return text;
}

std::string entry_text(const PcmEntry& pcm) {
  const std::string about = what_it_is(pcm);
  const std::string described = about.empty() ? "" : labelled("", kIndent, about);
  if (!pcm.accepts) {
    return labelled("", 0, pcm.name) + described + labelled("", kIndent, pcm.problem) +
           (pcm.remedy.empty() ? "" : labelled("", kIndent, pcm.remedy));
  }
  const PcmLimits& limits = *pcm.accepts;
  std::string formats = "formats";
  for (const auto& format : limits.formats) formats += " " + format;
  std::string rates = "usual rates";
  for (const auto rate : limits.usual_rates_hz) rates += fmt::format(" {}", rate);
  return row(printable(pcm.name), span_text(limits.channels, kChannelColumns),
             span_text(limits.rate_hz, kRateColumns), span_text(limits.period_frames, kSizeColumns),
             span_text(limits.buffer_frames, kSizeColumns)) +
         described + labelled("", kIndent, formats) + labelled("", kIndent, rates);
}

std::string without_cards(const CardsData& cards) {
  if (cards.card_count > 0) return {};
  const std::string how =
      cards.kernel_has_sound
          ? "One without hardware: sudo modprobe snd-aloop (what is played can be recorded from it), or "
            "snd-dummy."
          : "It has no sound drivers loaded at all: sudo modprobe snd-aloop (what is played can be recorded "
            "from "
            "it) or snd-dummy gives one without hardware, in a kernel that is built with sound, as Debian's "
            "linux-image-amd64 is and its cloud kernels are not.";
  return "\n" + labelled("", 0, "The kernel has no sound card. -D sim works all the same. " + how);
}

}  // namespace

std::string cards_text(const CardsData& cards) {
  std::string text = row("PCM", "channels", "rate Hz", "period frames", "buffer frames");
  for (const auto& pcm : cards.pcms) text += entry_text(pcm);
  return text + without_cards(cards);
}

}  // namespace xrunlab
