#include "xrunlab/import/read_listing.hpp"

#include "imported_runs.hpp"
#include "text_cursor.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

bool is_json(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

/// Several runs of one part share its title, so each gets its number.
ListingFacts numbered(ListingFacts facts, std::size_t number, std::size_t count) {
  if (count < 2) return facts;
  auto& title = facts["title"];
  title += (title.empty() ? "" : " ") + std::to_string(number);
  return facts;
}

void read_timers(const ListingPart& part, const std::string& source, std::vector<RunData>& runs) {
  const auto listings = parse_timer_listings(part.lines, source);
  for (std::size_t index = 0; index < listings.size(); ++index)
    runs.push_back(run_of_timers(listings[index], numbered(part.facts, index + 1, listings.size()), source));
}

/// "2.6.10-cko1 | RT-V0.7.33-04": a fact of each column.
ListingFacts facts_of_column(const ListingFacts& facts, std::size_t column) {
  ListingFacts own;
  for (const auto& [name, value] : facts) {
    std::string_view rest = value;
    for (std::size_t skipped = 0; skipped < column && rest.find('|') != std::string_view::npos; ++skipped)
      rest.remove_prefix(rest.find('|') + 1);
    own[name] = trimmed_line(rest.substr(0, rest.find('|')));
  }
  return own;
}

void read_tables(const ListingPart& part, const std::string& source, std::vector<RunData>& runs) {
  const auto tables = parse_jack_tables(part.lines, source);
  for (std::size_t table = 0; table < tables.size(); ++table) {
    for (std::size_t column = 0; column < tables[table].columns.size(); ++column) {
      auto facts = facts_of_column(part.facts, column);
      const auto& title = tables[table].columns[column].title;
      if (!title.empty()) facts["title"] = title;
      // What begins as a version does is a kernel's name, as in most of these tables.
      if (title.size() > 2 && is_digit(title[0]) && title[1] == '.' && is_digit(title[2]))
        facts.insert({"kernel", title});
      runs.push_back(run_of_jack(tables[table], column, numbered(facts, table + 1, tables.size()), source));
    }
  }
}

void read_part(const ListingPart& part, const std::string& source, std::vector<RunData>& runs) {
  const auto before = runs.size();
  read_timers(part, source, runs);
  read_tables(part, source, runs);
  const auto cyclictest = parse_cyclictest_text(part.lines, source);
  if (!cyclictest.rounds.empty()) runs.push_back(run_of_cyclictest(cyclictest, part.facts, source));
  if (runs.size() == before && part.facts.contains("peak")) runs.push_back(run_of_peak(part.facts, source));
}

}  // namespace

std::vector<RunData> read_listing(std::string_view text, const ListingFacts& given,
                                  const std::string& source) {
  std::vector<RunData> runs;
  // What Windows' editors put before UTF-8.
  if (constexpr std::string_view kMark = "\xEF\xBB\xBF"; text.starts_with(kMark))
    text.remove_prefix(kMark.size());
  if (is_json(text)) {
    runs.push_back(run_of_cyclictest(parse_cyclictest_json(text, source), given, source));
  } else {
    for (const auto& part : cut_listing(text, given, source)) read_part(part, source, runs);
  }
  if (!runs.empty()) return runs;
  throw Error(ExitCode::input_file, source + ": there is no listing in it that xrunlab knows",
              "it knows what cyclictest prints, tables of jack_test3 and listings of three timers");
}

}  // namespace xrunlab
