#include "xrunlab/cli/help_format.hpp"

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>

namespace xrunlab {
namespace {

constexpr std::size_t kLineColumns = 80;
constexpr std::size_t kNameColumns = 28;

/// CLI11 indents what follows a line feed, but breaks no line itself.
std::string wrapped(const std::string& description) {
  std::istringstream words(description);
  std::string text;
  std::size_t column = 0;
  for (std::string word; words >> word; column += word.size()) {
    if (column > 0) {
      const bool fits = kNameColumns + column + 1 + word.size() <= kLineColumns;
      text += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    text += word;
  }
  return text;
}

class WrappingFormat final : public CLI::Formatter {
 public:
  WrappingFormat() { column_width(kNameColumns); }

  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(CLI::Formatter::make_option_desc(option));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream line;
    CLI::detail::format_help(line, command->get_display_name(true), wrapped(command->get_description()),
                             kNameColumns);
    return line.str();
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> make_help_format() {
  return std::make_shared<WrappingFormat>();
}

}  // namespace xrunlab
