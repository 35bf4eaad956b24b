// How --help is laid out: descriptions wrapped, so that it reads well on 80 columns. Used by main.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace xrunlab {

/// To be given to the CLI::App before its subcommands are added: they take it over.
std::shared_ptr<CLI::FormatterBase> make_help_format();

}  // namespace xrunlab
