#include "tests/structure/function_lengths.hpp"

#include <cctype>
#include <regex>

namespace xrunlab::structure {
namespace {

enum class Scope { outer, function, initializer };  // outer: namespace, class, enum and the file itself

class Scanner {
 public:
  void feed(char letter, std::size_t line) {
    if (letter == '{') {
      open();
    } else if (letter == '}') {
      close(line);
    } else if (scope() == Scope::outer && (letter == ';' || (letter == ':' && is_access()))) {
      statement_.clear();
    } else if (scope() == Scope::outer) {
      if (statement_.empty() && std::isspace(static_cast<unsigned char>(letter)) == 0) first_line_ = line;
      if (!statement_.empty() || std::isspace(static_cast<unsigned char>(letter)) == 0) statement_ += letter;
    }
  }

  std::vector<FunctionLines> take() { return std::move(functions_); }

 private:
  bool is_access() const {
    return statement_ == "public" || statement_ == "protected" || statement_ == "private";
  }

  Scope scope() const { return stack_.empty() ? Scope::outer : stack_.back(); }

  void open() {
    const Scope opened = scope() == Scope::outer ? classify() : scope();
    stack_.push_back(opened);
    if (opened == Scope::outer) statement_.clear();
  }

  void close(std::size_t line) {
    const Scope closed = scope();
    if (!stack_.empty()) stack_.pop_back();
    if (scope() != Scope::outer || closed == Scope::initializer)
      return;  // the statement goes on after an initializer
    if (closed == Scope::function) functions_.push_back({first_line_, line});
    statement_.clear();
  }

  Scope classify() const {
    static const std::regex type(
        "(template <.*> )?((static|inline|constexpr|typedef) "
        ")*(namespace|class|struct|enum|union|extern)\\b.*");
    if (statement_.empty()) return Scope::outer;
    if (std::regex_match(statement_, type) && statement_.back() != ')') {
      return statement_.back() == ' ' ? Scope::outer : Scope::initializer;
    }
    // A body stands after a blank, a braced value right behind its name or behind "= ".
    const bool blank = statement_.back() == ' ';
    if (!blank || statement_.ends_with("= ")) return Scope::initializer;
    return statement_.find('(') != std::string::npos ? Scope::function : Scope::outer;
  }

  std::vector<Scope> stack_;
  std::string statement_;  // what stands before the next brace, outside functions
  std::size_t first_line_ = 0;
  std::vector<FunctionLines> functions_;
};

}  // namespace

std::vector<FunctionLines> find_functions(const SourceFile& file) {
  Scanner scanner;
  scan_code(file, [&scanner](char letter, std::size_t line) { scanner.feed(letter, line); });
  return scanner.take();
}

}  // namespace xrunlab::structure
