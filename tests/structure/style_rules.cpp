#include "tests/structure/style_rules.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "tests/structure/function_lengths.hpp"

namespace xrunlab::structure {
namespace {

std::string stem_of(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  return std::string(name.substr(0, name.rfind('.')));
}

// Is there a header for `stem` in `room`: x.hpp, or for x_part the header x.hpp of which it is a part?
bool has_header(const SourceTree& tree, const std::string& room, const std::string& stem) {
  for (auto length = stem.size(); length != std::string::npos && length != 0;
       length = stem.rfind('_', length - 1)) {
    const auto name = stem.substr(0, length) + ".hpp";
    for (const auto& directory : {"include/xrunlab/" + room, "src/" + room, room}) {
      if (tree.find(directory + "/" + name) != nullptr) return true;
    }
  }
  return false;
}

// The sources of a room that bear another name say where they belong by including a header of the room.
bool includes_its_room(const SourceFile& file, const std::string& room) {
  const std::regex pattern("#include \"(xrunlab/|src/|tests/)?" + room +
                           "/.*|#include \"(\\.\\./)*[^/]+\\.hpp\"");
  return std::any_of(file.lines.begin(), file.lines.end(),
                     [&](const auto& line) { return std::regex_match(line, pattern); });
}

void check_catch_all(const SourceFile& file, Findings& findings) {
  static const std::regex pattern("(^|[/_.-])(utils?|helpers?|common|misc|manager)([/_.-]|$)");
  if (std::regex_search(file.path, pattern)) {
    findings.push_back({file.path, 0, "a name that says nothing: name it for what it holds"});
  }
}

void check_pairs(const SourceTree& tree, const SourceFile& file, Findings& findings) {
  const auto room = room_of(file.path);
  if (file.path.starts_with("src/") && file.path.ends_with(".cpp") && room != "cli" &&
      !has_header(tree, room, stem_of(file.path)) && !includes_its_room(file, room)) {
    findings.push_back({file.path, 0, "no header of this name in room " + room + ", and it includes none"});
  }
  // Tests of whole runs (engine, cli) are named for the scenario.
  static const std::regex test_pattern(
      "tests/(ringbuffer|core|timing|model|platform|disk|audio|jack|load|experiment|report)/(.+)_test\\.cpp");
  std::smatch match;
  if (std::regex_match(file.path, match, test_pattern) && !has_header(tree, match[1], match[2]) &&
      !includes_its_room(file, match[1])) {
    findings.push_back(
        {file.path, 0, "no header of this name in room " + match[1].str() + ", and it includes none"});
  }
}

}  // namespace

Findings check_sizes(const SourceTree& tree) {
  Findings findings;
  for (const auto& file : tree.files()) {
    if (!is_cpp(file)) continue;
    if (file.lines.size() > kMaxFileLines) {
      findings.push_back({file.path, kMaxFileLines + 1,
                          "file of " + std::to_string(file.lines.size()) + " lines, at most " +
                              std::to_string(kMaxFileLines)});
    }
    for (const auto& function : find_functions(file)) {
      const auto length = function.last - function.first + 1;
      if (length <= kMaxFunctionLines) continue;
      findings.push_back(
          {file.path, function.first,
           "function of " + std::to_string(length) + " lines, at most " + std::to_string(kMaxFunctionLines)});
    }
  }
  return findings;
}

Findings check_names(const SourceTree& tree) {
  Findings findings;
  for (const auto& file : tree.files()) {
    check_catch_all(file, findings);
    if (!is_cpp(file)) continue;
    check_pairs(tree, file, findings);
    if (file.path.ends_with(".hpp") && (file.lines.empty() || !file.lines.front().starts_with("//"))) {
      findings.push_back(
          {file.path, 1, "a header opens with a comment: what it is, who uses it, on which thread"});
    }
  }
  return findings;
}

Findings check_top_level(const SourceTree& tree) {
  static const std::set<std::string> known{
      "CMakeLists.txt", "CMakePresets.json", "CHANGELOG.md", "LICENSE", "README.md", "data",
      "docs",           "include",           "ringbuffer",   "scripts", "src",       "tests"};
  Findings findings;
  for (const auto& name : tree.top_level()) {
    if (known.contains(name) || name.starts_with('.')) continue;
    findings.push_back({name, 0, "not an entry of the top level"});
  }
  return findings;
}

Findings check_leftovers(const SourceTree& tree) {
  // In pieces, so that this file passes its own rule.
  static const std::vector<std::string> words{
      "FIX"
      "ME",
      "XX"
      "X",
      "TO"
      "DO",
      "HA"
      "CK"};
  const auto in_word = [](const std::string& line, std::size_t index) {
    return index < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[index])) != 0 || line[index] == '_');
  };
  Findings findings;
  for (const auto& file : tree.files()) {
    for (std::size_t index = 0; index < file.lines.size(); ++index) {
      const auto& line = file.lines[index];
      for (const auto& word : words) {
        for (auto at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
          if ((at > 0 && in_word(line, at - 1)) || in_word(line, at + word.size())) continue;
          findings.push_back({file.path, index + 1, "unfinished work (" + word + ")"});
          break;
        }
      }
    }
  }
  return findings;
}

}  // namespace xrunlab::structure
