#include <algorithm>
#include <utility>

#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/import/cyclictest.hpp"
#include "xrunlab/import/cyclictest_histogram.hpp"
#include "xrunlab/import/cyclictest_samples.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kProgram = "cyclictest";
constexpr std::string_view kPolicy = "policy:";

// Microseconds stand in five columns behind Act:, nanoseconds (-N) in eight.
constexpr std::size_t kFineColumns = 8;

/// Whether the number behind `key` was put into the columns of nanoseconds.
bool is_fine_field(TextCursor text, std::string_view key) {
  if (!text.take(key)) return false;
  const auto field = text.rest().substr(0, kFineColumns);
  const auto digits = field.find_first_not_of(' ');
  if (field.size() < kFineColumns || digits == 0 || digits == std::string_view::npos) return false;
  const bool ends = text.rest().size() == kFineColumns || !is_digit(text.rest()[kFineColumns]);
  return ends && std::all_of(field.begin() + static_cast<std::ptrdiff_t>(digits), field.end(), is_digit);
}

/// "T: 0 ( 7024) P:80 I:10000 C:  10000 Min:      3 Act:   75 Avg:   54 Max:     121". Where a mailer has put
/// a line's end it stands for a blank. Nothing when it is something else, or cut off. `fine`: nanoseconds.
std::optional<CyclictestThread> take_thread(TextCursor& text, bool& fine) {
  TextCursor ahead = text;
  CyclictestThread thread;
  std::optional<std::int64_t> average;
  const auto number = [&ahead](std::string_view key, std::optional<std::int64_t>& value) {
    if (!ahead.take(key)) return false;
    value = ahead.take_whole();
    return value.has_value();
  };
  std::optional<std::int64_t> index;
  if (!number("T:", index) || !number("(", thread.id) || !ahead.take(")") || !number("P:", thread.priority) ||
      !number("I:", thread.interval_us) || !number("C:", thread.cycles) || !number("Min:", thread.min))
    return std::nullopt;
  fine = is_fine_field(ahead, "Act:");
  if (!number("Act:", thread.last) || !number("Avg:", average) || !number("Max:", thread.max))
    return std::nullopt;
  thread.index = *index;
  thread.average = static_cast<double>(*average);
  text = ahead;
  return thread;
}

/// Of the command line that a log or a shell shows above the output: from the program's name on, as far as
/// it is the program's.
std::string_view command_in(std::string_view line) {
  const auto start = line.find(kProgram);
  if (start == std::string_view::npos) return {};
  auto command = line.substr(start);
  command = trimmed_line(command.substr(0, command.find_first_of("#;|`&<>")));
  const auto words = words_of(command);
  const bool is_call = words.size() > 1 && words[0] == kProgram && words[1].starts_with('-');
  return is_call ? command : std::string_view{};
}

std::string policy_name(std::string_view word) {
  if (word == "fifo") return "SCHED_FIFO";
  if (word == "rr") return "SCHED_RR";
  return word == "other" ? "SCHED_OTHER" : std::string();
}

/// Another look at the same thread; the first one may come before it has a number.
bool is_later(const CyclictestThread& known, const CyclictestThread& thread) {
  const bool had_not_begun = known.id == 0 && known.cycles == 0;
  return had_not_begun || (known.id == thread.id && *known.cycles <= *thread.cycles);
}

class RoundReader {
 public:
  RoundReader(CyclictestListing& listing, const std::string& source) : listing_(listing), source_(source) {}

  /// "policy: fifo: loadavg: 0.02 0.20 0.11 1/405 7024"
  void take_policy(std::string_view line) {
    TextCursor cursor(line);
    if (!cursor.take(kPolicy)) return;
    const auto words = words_of(cursor.rest());
    if (words.empty() || !words[0].ends_with(':')) return;
    const auto policy = policy_name(words[0].substr(0, words[0].size() - 1));
    if (!policy.empty()) listing_.facts.emplace("policy", policy);
    const auto mark = line.find("loadavg:");
    if (mark == std::string_view::npos) return;
    load_average_.clear();
    for (const auto word : words_of(line.substr(mark + 8)))
      load_average_.append(load_average_.empty() ? "" : " ").append(word);
  }

  /// Without -q each thread has a line after every refresh: of those the last one counts.
  void take(const CyclictestThread& thread) {
    if (thread.min && thread.max && *thread.cycles > 0 && *thread.min > *thread.max) {
      throw Error(ExitCode::input_file,
                  source_ + ": thread " + std::to_string(thread.index) +
                      " has a minimum above its maximum: the figures contradict each other");
    }
    auto* const known = find(thread.index);
    if (of_samples_ && known != nullptr && !known->id) {
      take_below_samples(thread, *known);
    } else if (known == nullptr) {
      if (listing_.rounds.empty() || ended_ || of_samples_) begin_round();
      round().threads.push_back(thread);
    } else if (is_later(*known, thread)) {
      *known = thread;
    } else {
      begin_round();
      round().threads.push_back(thread);
    }
    if (!load_average_.empty()) round().load_average = std::exchange(load_average_, {});
  }

  /// Of the samples of -v; a histogram below them says nothing that they do not.
  void take_samples(const std::vector<CyclictestRound>& rounds) {
    for (const auto& made : rounds) {
      begin_round();
      round() = made;
      of_samples_ = true;
    }
  }

  /// The histogram belongs to the threads whose lines stand above it.
  void take(CyclictestRound histogram) {
    if (of_samples_ && round().threads.size() == histogram.threads.size()) {
      of_samples_ = false;
      ended_ = true;
      return;
    }
    const bool same = !listing_.rounds.empty() && !ended_ && round().histogram.empty() &&
                      round().threads.size() == histogram.threads.size();
    if (!same) {
      begin_round();
      round() = std::move(histogram);
    } else {
      round().histogram = std::move(histogram.histogram);
      for (std::size_t thread = 0; thread < round().threads.size(); ++thread)
        round().threads[thread].overflow = histogram.threads[thread].overflow;
    }
    ended_ = true;
  }

 private:
  CyclictestRound& round() { return listing_.rounds.back(); }

  /// With -q and -v there is a line for each thread below the samples, of which the last ones may be missing.
  void take_below_samples(const CyclictestThread& line, CyclictestThread& samples) {
    std::int64_t counted = 0;
    for (const auto& thread : round().threads) counted += *thread.cycles;
    const std::int64_t missing = std::max<std::int64_t>(0, *line.cycles - *samples.cycles);
    if (missing > 0) round().planned = round().planned.value_or(counted) + missing;
    samples.id = line.id;
    samples.priority = line.priority;
    samples.interval_us = line.interval_us;
    samples.min = std::min(*samples.min, *line.min);
    samples.max = std::max(*samples.max, *line.max);
  }

  void begin_round() {
    listing_.rounds.emplace_back();
    ended_ = false;
    of_samples_ = false;
  }

  CyclictestThread* find(std::int64_t index) {
    if (listing_.rounds.empty() || ended_) return nullptr;
    auto& threads = round().threads;
    const auto found =
        std::find_if(threads.begin(), threads.end(), [index](const auto& one) { return one.index == index; });
    return found == threads.end() ? nullptr : &*found;
  }

  CyclictestListing& listing_;
  const std::string& source_;
  std::string load_average_;
  bool ended_ = false;
  bool of_samples_ = false;  ///< the round is not to be added to
};

/// "-l 10000", "-l10000", "--loops=10000" or "--loops 10000"; empty when `word` is another option.
std::string_view number_of_option(std::string_view word, std::string_view next, std::string_view brief,
                                  std::string_view full) {
  std::string_view value;
  if (word == brief || word == full) {
    value = next;
  } else if (word.starts_with(full) && word[full.size()] == '=') {
    value = word.substr(full.size() + 1);
  } else if (word.starts_with(brief)) {
    value = word.substr(brief.size());
  }
  return std::all_of(value.begin(), value.end(), is_digit) ? value : std::string_view{};
}

std::string joined_text(const std::vector<ListingLine>& lines) {
  std::string text;
  for (const auto& line : lines) text.append(line.text).append("\n");
  return text;
}

}  // namespace

ListingFacts facts_of_cyclictest(std::string_view cmdline) {
  ListingFacts facts;
  const auto words = words_of(cmdline);
  for (std::size_t index = 0; index < words.size(); ++index) {
    if (words[index] == "-N" || words[index] == "--nsecs") facts["units"] = "ns";
    const auto next = index + 1 < words.size() ? words[index + 1] : std::string_view{};
    const auto loops = number_of_option(words[index], next, "-l", "--loops");
    const auto interval = number_of_option(words[index], next, "-i", "--interval");
    if (!loops.empty()) facts["loops"] = loops;
    if (!interval.empty()) facts["interval"] = std::string(interval) + "us";
  }
  return facts;
}

CyclictestListing parse_cyclictest_text(const std::vector<ListingLine>& lines, const std::string& source) {
  CyclictestListing listing;
  RoundReader reader(listing, source);
  CyclictestHistogram histogram;
  CyclictestSamples samples;
  const auto end_samples = [&] {
    if (!samples.empty()) reader.take_samples(samples.finish(source));
    samples = {};
  };
  const std::string text = joined_text(lines);
  std::size_t start = 0;
  bool fine = false;
  for (const auto& line : lines) {
    TextCursor cursor(std::string_view(text).substr(start));
    start += line.text.size() + 1;
    const bool begins_next = histogram.is_whole() && line.text == "# Histogram";
    const bool taken = !begins_next && histogram.take(line.text);
    if (taken) continue;
    if (histogram.is_whole()) {
      end_samples();
      reader.take(histogram.finish(source));
      histogram = {};
    }
    if (samples.take(line.text)) continue;
    if (const auto command = command_in(line.text); !command.empty()) {
      listing.facts.emplace("cmdline", command);
    } else if (line.text.starts_with(kPolicy)) {
      reader.take_policy(line.text);
    } else if (!line.text.starts_with("T:")) {
      continue;
    } else if (const auto thread = take_thread(cursor, fine)) {
      end_samples();
      reader.take(*thread);
      listing.nanoseconds = listing.nanoseconds || fine;
    } else {
      listing.warnings.push_back("line " + std::to_string(line.number) + " is cut off and not counted");
    }
  }
  end_samples();
  if (!histogram.empty()) reader.take(histogram.finish(source));
  return listing;
}

}  // namespace xrunlab
