#include "xrunlab/report/redrawn_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {

RedrawnLine::RedrawnLine(bool quiet)
    : RedrawnLine(STDERR_FILENO,
                  quiet ? LiveMode::off : choose_live_mode(describe_terminal(STDERR_FILENO), std::nullopt)) {}

void RedrawnLine::show(const std::string& text) {
  if (!shown_) return;
  put_on_terminal(fd_, fmt::format("\r{}\033[K", cut_to(text, terminal_columns(fd_) - 1)));
  drawn_ = true;
}

void RedrawnLine::clear() {
  if (drawn_) put_on_terminal(fd_, "\r\033[K");
  drawn_ = false;
}

}  // namespace xrunlab
