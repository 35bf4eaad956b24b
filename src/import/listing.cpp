#include "xrunlab/import/listing.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/model/byte_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kFactMark = "## ";
constexpr std::string_view kTitle = "run";
// Every run has its own copy of what holds for all, so that a file may not make a lot out of little.
constexpr std::size_t kLongestFact = 500;
constexpr std::size_t kLongestNotes = 4000;
constexpr std::size_t kMostRuns = 200;

/// "\033[3A" and its like, with which cyclictest writes over its own lines.
std::string_view without_sequences(std::string_view line) {
  while (line.starts_with("\033[")) {
    const auto end = line.find_first_not_of("0123456789;", 2);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return line;
}

/// "> > T: 0" is "T: 0".
std::string_view without_quote_marks(std::string_view line) {
  for (;;) {
    const auto mark = line.find_first_not_of(" \t");
    if (mark == std::string_view::npos || line[mark] != '>') return line;
    line.remove_prefix(mark + 1);
  }
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return trimmed_line(without_quote_marks(without_sequences(line)));
}

bool is_fact_name(std::string_view name) {
  const auto& names = fact_names();
  return std::any_of(names.begin(), names.end(), [name](const FactName& one) { return one.name == name; });
}

std::string listed_names() {
  std::string text;
  for (const auto& fact : fact_names()) text += (text.empty() ? "" : " ") + std::string(fact.name);
  return text;
}

[[noreturn]] void refuse_line(const std::string& source, const ListingLine& line, const std::string& why,
                              const std::string& remedy) {
  throw Error(ExitCode::input_file, source + ": line " + std::to_string(line.number) + ": " + why, remedy);
}

void set_fact(ListingFacts& facts, std::string_view name, std::string_view value) {
  auto& fact = facts[std::string(name)];
  if (name == "note" && !fact.empty()) {
    if (fact.size() + value.size() > kLongestNotes) return;
    fact.append("\n").append(value);
  } else {
    fact = value;
  }
}

struct Fact {
  std::string_view name;
  std::string_view value;
};

std::optional<Fact> fact_of(const ListingLine& line, const std::string& source) {
  if (!line.text.starts_with(kFactMark)) return std::nullopt;
  const auto text = line.text.substr(kFactMark.size());
  const auto colon = text.find(':');
  const Fact fact{trimmed_line(text.substr(0, colon)),
                  colon == std::string_view::npos ? "" : trimmed_line(text.substr(colon + 1))};
  if (fact.value.size() > kLongestFact)
    refuse_line(source, line, "a fact of " + std::to_string(fact.value.size()) + " bytes",
                "at most " + std::to_string(kLongestFact));
  if (!fact.value.empty() && (fact.name == kTitle || is_fact_name(fact.name))) return fact;
  refuse_line(source, line, shown_bytes(text.substr(0, 40)) + " is no fact",
              "write ## NAME: VALUE, with one of: run " + listed_names());
}

bool is_machine_word(std::string_view word) {
  constexpr std::array<std::string_view, 9> kWords{"GNU/Linux", "x86_64", "i386",    "i586",   "i686",
                                                   "aarch64",   "armv7l", "riscv64", "ppc64le"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// "Linux HOST RELEASE #1 SMP … x86_64 GNU/Linux": what it says; empty for any other line.
ListingFacts facts_of_uname(std::string_view line) {
  auto words = words_of(line);
  if (words.size() < 4 || words[0] != "Linux" || !is_digit(words[2].front()) || words[3].front() != '#')
    return {};
  while (words.size() > 4 && is_machine_word(words.back())) words.pop_back();
  std::string kernel(words[2]);
  for (std::size_t index = 3; index < words.size(); ++index) kernel += " " + std::string(words[index]);
  return {{"host", std::string(words[1])}, {"kernel", kernel}, {"preempt", preemption_in(kernel)}};
}

}  // namespace

const std::vector<FactName>& fact_names() {
  static const std::vector<FactName> names{
      {"origin", "who published the figures, where"},
      {"date", "when they were measured or published, as 2011-06-13"},
      {"machine", "what they were measured on, in words"},
      {"host", "name of the machine"},
      {"cpu", "processor"},
      {"kernel", "uname -r"},
      {"preempt", "preemption model: none, voluntary, full, rt"},
      {"program", "what measured, where its listing does not say"},
      {"cmdline", "command line of the program that measured"},
      {"policy", "scheduling policy: SCHED_FIFO, SCHED_RR, SCHED_OTHER"},
      {"priority", "real-time priority"},
      {"load", "what else ran, or none"},
      {"card", "sound card"},
      {"rate", "frames a second"},
      {"channels", "of the card"},
      {"fragment", "frames written at once"},
      {"period", "of the card, frames"},
      {"ring", "frames of the ring, or none"},
      {"clock", "what was waited for: nanosleep, timerfd, rtc, pcm"},
      {"interval", "between wake-ups: 10ms"},
      {"loops", "wake-ups asked for in a round"},
      {"units", "of cyclictest's figures: us or ns"},
      {"peak", "the largest lateness, where there is no listing: 66ms"},
      {"note", "anything else; may be repeated"},
  };
  return names;
}

// The models are called as in the run files of our own.
std::string preemption_in(std::string_view version) {
  const auto words = words_of(version);
  const auto has = [&words](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (has("PREEMPT_RT") || (has("PREEMPT") && has("RT"))) return "rt";
  if (has("PREEMPT_DYNAMIC")) return "unknown (dynamic)";
  return has("PREEMPT") ? "full" : "none or voluntary";
}

void add_fact(ListingFacts& facts, std::string_view text) {
  const auto equals = text.find('=');
  const auto name = trimmed_line(text.substr(0, equals));
  const auto value = equals == std::string_view::npos ? "" : trimmed_line(text.substr(equals + 1));
  if (value.empty() || !is_fact_name(name)) {
    throw Error(ExitCode::usage, "--fact: " + shown_bytes(text) + " is no fact",
                "write NAME=VALUE, with one of: " + listed_names());
  }
  set_fact(facts, name, value);
}

std::vector<ListingPart> cut_listing(std::string_view text, const ListingFacts& given,
                                     const std::string& source) {
  ListingFacts for_all = given;
  std::vector<ListingPart> parts(1);
  bool in_run = false;
  for (std::int64_t number = 1; !text.empty(); ++number) {
    const ListingLine line{take_line(text), number};
    if (const auto fact = fact_of(line, source)) {
      if (fact->name == kTitle) {
        in_run = true;
        parts.push_back({{{"title", std::string(fact->value)}}, {}});
      } else {
        set_fact(in_run ? parts.back().facts : for_all, fact->name, fact->value);
      }
    } else if (auto uname = facts_of_uname(line.text); uname.empty()) {
      parts.back().lines.push_back(line);
    } else if (in_run) {
      parts.back().facts.merge(uname);
    } else {
      parts.push_back({std::move(uname), {}});
    }
    if (parts.size() > kMostRuns)
      refuse_line(source, line, "more than " + std::to_string(kMostRuns) + " runs", "cut the file");
  }
  for (auto& part : parts) {
    const auto own = part.facts.find("note");
    const auto shared = for_all.find("note");
    if (own != part.facts.end() && shared != for_all.end()) own->second = shared->second + "\n" + own->second;
    part.facts.insert(for_all.begin(), for_all.end());
  }
  return parts;
}

}  // namespace xrunlab
