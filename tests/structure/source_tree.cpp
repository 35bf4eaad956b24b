#include "tests/structure/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace xrunlab::structure {
namespace {

bool is_text(const std::filesystem::path& path) {
  static const std::vector<std::string> extensions{".cpp",  ".hpp", ".md",  ".txt", ".cmake", ".json",
                                                   ".yaml", ".sh",  ".svg", "",     ".html",  ".gp"};
  return std::find(extensions.begin(), extensions.end(), path.extension()) != extensions.end();
}

// Blanks out comments and literals; `in_comment` carries a /* … */ over line ends. Raw strings are not
// understood: their text is taken for code unless it stands between the quotes of one line.
std::string strip(const std::string& line, bool& in_comment) {
  std::string code;
  char quote = 0;
  for (std::size_t index = 0; index < line.size(); ++index) {
    const char letter = line[index];
    const char next = index + 1 < line.size() ? line[index + 1] : '\0';
    if (in_comment) {
      if (letter == '*' && next == '/') in_comment = false, ++index;
    } else if (quote != 0) {
      if (letter == '\\') {
        ++index;
      } else if (letter == quote) {
        quote = 0;
        code += letter;
      }
    } else if (letter == '/' && next == '/') {
      break;
    } else if (letter == '/' && next == '*') {
      in_comment = true, ++index;
    } else {
      const bool digit_separator = letter == '\'' && index > 0 && std::isxdigit(line[index - 1]) != 0;
      if ((letter == '"' || letter == '\'') && !digit_separator) quote = letter;
      code += letter;
    }
  }
  return code;
}

SourceFile read_file(const std::filesystem::path& root, const std::filesystem::path& path) {
  SourceFile file;
  file.path = path.lexically_relative(root).string();
  std::ifstream stream(path);
  bool in_comment = false;
  for (std::string line; std::getline(stream, line);) {
    file.code.push_back(strip(line, in_comment));
    file.lines.push_back(std::move(line));
  }
  return file;
}

}  // namespace

std::string to_text(const Findings& findings) {
  std::ostringstream text;
  for (const auto& finding : findings) {
    text << finding.path;
    if (finding.line != 0) text << ':' << finding.line;
    text << ": " << finding.rule << '\n';
  }
  return text.str();
}

SourceTree::SourceTree(const std::filesystem::path& root) {
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    const auto name = entry.path().filename().string();
    if (name == "build" || name == ".git") continue;
    top_level_.push_back(name);
    if (entry.is_regular_file() && is_text(entry.path())) files_.push_back(read_file(root, entry.path()));
    if (!entry.is_directory()) continue;
    for (const auto& inner : std::filesystem::recursive_directory_iterator(entry.path())) {
      if (inner.is_regular_file() && is_text(inner.path())) files_.push_back(read_file(root, inner.path()));
    }
  }
  std::sort(top_level_.begin(), top_level_.end());
  std::sort(files_.begin(), files_.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
}

const SourceFile* SourceTree::find(std::string_view path) const {
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const auto& file) { return file.path == path; });
  return found == files_.end() ? nullptr : &*found;
}

bool is_cpp(const SourceFile& file) {
  return file.path.ends_with(".cpp") || file.path.ends_with(".hpp");
}

void scan_code(const SourceFile& file, const std::function<void(char, std::size_t)>& feed) {
  bool continued = false;
  for (std::size_t index = 0; index < file.code.size(); ++index) {
    const auto& code = file.code[index];
    const auto begin = code.find_first_not_of(' ');
    const bool directive = continued || (begin != std::string::npos && code[begin] == '#');
    continued = directive && code.ends_with('\\');
    if (directive) continue;
    for (const char letter : code) feed(letter, index + 1);
    feed(' ', index + 1);
  }
}

std::string room_of(std::string_view path) {
  static const std::regex pattern("(?:include/xrunlab|src)/([^/]+)/.*");
  std::match_results<std::string_view::const_iterator> match;
  if (path.starts_with("ringbuffer/")) return "ringbuffer";
  return std::regex_match(path.begin(), path.end(), match, pattern) ? match[1].str() : std::string();
}

}  // namespace xrunlab::structure
