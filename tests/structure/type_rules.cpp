#include "tests/structure/type_rules.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace xrunlab::structure {
namespace {

struct TypeDefinition {
  std::string scope;  // "xrunlab::engine", of a nested type with the types around it
  std::string name;
  std::string path;
  std::size_t line = 0;
  bool hidden = false;  // in an anonymous namespace
};

bool is_word(const std::string& token) {
  return std::isalpha(static_cast<unsigned char>(token.front())) != 0 || token.front() == '_';
}

// Names with their "::", and single letters of whatever else there is.
std::vector<std::string> tokens_of(const std::string& statement) {
  std::vector<std::string> tokens;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) tokens.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t index = 0; index < statement.size(); ++index) {
    const char letter = statement[index];
    const bool colons = letter == ':' && statement.compare(index, 2, "::") == 0;
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || colons) {
      word += colons ? "::" : std::string(1, letter);
      index += colons ? 1 : 0;
    } else {
      end_word();
      if (letter != ' ') tokens.emplace_back(1, letter);
    }
  }
  end_word();
  return tokens;
}

// Behind what opens at `begin`, with all that it holds.
std::size_t behind_pair(const std::vector<std::string>& tokens, std::size_t begin, const char* open,
                        const char* close) {
  int depth = 0;
  for (auto at = begin; at < tokens.size(); ++at) {
    if (tokens[at] == open) ++depth;
    if (tokens[at] == close && --depth == 0) return at + 1;
  }
  return tokens.size();
}

enum class Opened { name_space, type, block };  // block: a function, an initializer, and all that is in them

struct Head {
  Opened opened = Opened::block;
  std::string name;  // empty: anonymous
};

// What the brace behind `statement` opens.
Head head_of(const std::string& statement) {
  static const std::set<std::string> before{"inline", "static",  "constexpr", "typedef",
                                            "public", "private", "protected", ":"};
  static const std::set<std::string> kinds{"struct", "class", "enum", "union"};
  const auto tokens = tokens_of(statement);
  std::size_t at = 0;
  while (at < tokens.size() && (before.contains(tokens[at]) || tokens[at] == "template")) {
    at = tokens[at] == "template" ? behind_pair(tokens, at + 1, "<", ">") : at + 1;
  }
  if (at == tokens.size()) return {};
  if (tokens[at] == "extern" && tokens.back() == "\"") return {Opened::name_space, "extern"};
  const bool is_namespace = tokens[at] == "namespace";
  if (!is_namespace && !kinds.contains(tokens[at])) return {};
  while (at < tokens.size() && (is_namespace ? tokens[at] == "namespace" : kinds.contains(tokens[at]))) ++at;
  while (at < tokens.size() && (tokens[at] == "[" || tokens[at] == "alignas")) {
    at = tokens[at] == "[" ? behind_pair(tokens, at, "[", "]") : behind_pair(tokens, at + 1, "(", ")");
  }
  if (is_namespace) return {Opened::name_space, at < tokens.size() ? tokens[at] : ""};
  if (at == tokens.size() || !is_word(tokens[at])) return {Opened::type, ""};
  const std::string& name = tokens[at];
  const std::string next = at + 1 < tokens.size() ? tokens[at + 1] : "{";
  // A specialization is another type; a name behind the name is a variable's or a function's.
  if (next == "<") return {Opened::type, ""};
  return next == "{" || next == ":" || next == "final" ? Head{Opened::type, name} : Head{};
}

class TypeScanner {
 public:
  explicit TypeScanner(const SourceFile& file) : file_(file) {}

  void feed(char letter, std::size_t line) {
    if (letter == '{') {
      open(line);
    } else if (letter == '}') {
      if (!scopes_.empty()) scopes_.pop_back();
      statement_.clear();
    } else if (letter == ';') {
      statement_.clear();
    } else {
      statement_ += letter;
    }
  }

  std::vector<TypeDefinition> take() { return std::move(types_); }

 private:
  bool in_block() const { return !scopes_.empty() && scopes_.back().opened == Opened::block; }

  void open(std::size_t line) {
    const Head head = in_block() ? Head{} : head_of(statement_);
    statement_.clear();
    if (head.opened == Opened::type && !head.name.empty()) note(head.name, line);
    scopes_.push_back(head);
  }

  void note(const std::string& name, std::size_t line) {
    TypeDefinition type{"", name, file_.path, line, false};
    bool in_type = false;
    for (const Head& scope : scopes_) {
      const bool is_namespace = scope.opened == Opened::name_space;
      type.hidden = type.hidden || (is_namespace && scope.name.empty());
      in_type = in_type || !is_namespace;
      if (!scope.name.empty() && scope.name != "extern")
        type.scope += (type.scope.empty() ? "" : "::") + scope.name;
    }
    if (const auto colons = name.rfind("::"); colons != std::string::npos) {
      type.scope += "::" + name.substr(0, colons);
      type.name = name.substr(colons + 2);
      in_type = true;
    }
    // What lies in a type that nobody else sees is nobody else's.
    if (!(in_type && type.hidden)) types_.push_back(std::move(type));
  }

  const SourceFile& file_;
  std::vector<Head> scopes_;
  std::string statement_;
  std::vector<TypeDefinition> types_;
};

std::vector<TypeDefinition> find_types(const SourceFile& file) {
  TypeScanner scanner(file);
  scan_code(file, [&scanner](char letter, std::size_t line) { scanner.feed(letter, line); });
  return scanner.take();
}

Finding twice(const TypeDefinition& type, const TypeDefinition& first) {
  return {type.path, type.line,
          "another type " + first.scope + "::" + first.name + " is in " + first.path + ":" +
              std::to_string(first.line)};
}

}  // namespace

Findings check_type_names(const SourceTree& tree) {
  std::vector<TypeDefinition> hidden;
  std::map<std::string, TypeDefinition> seen;
  Findings findings;
  for (const auto& file : tree.files()) {
    if (room_of(file.path).empty() || !is_cpp(file)) continue;
    for (auto& type : find_types(file)) {
      if (type.hidden && file.path.ends_with(".cpp")) {
        hidden.push_back(std::move(type));
        continue;
      }
      const auto [place, is_new] = seen.try_emplace(type.scope + "::" + type.name, type);
      // Twice in one file it stands only under conditions, of which one is true.
      if (!is_new && place->second.path != type.path) findings.push_back(twice(type, place->second));
    }
  }
  for (const auto& type : hidden) {
    for (auto scope = type.scope; !scope.empty();) {
      const auto found = seen.find(scope + "::" + type.name);
      if (found != seen.end() && found->second.path.ends_with(".hpp"))
        findings.push_back(twice(type, found->second));
      const auto colons = scope.rfind("::");
      scope.resize(colons == std::string::npos ? 0 : colons);
    }
  }
  return findings;
}

}  // namespace xrunlab::structure
