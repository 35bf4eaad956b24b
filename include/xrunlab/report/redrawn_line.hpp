// One line on a terminal that tells how far something has come, drawn anew in its place; nothing where stderr
// is no terminal that can do it. Used by whatever takes a while, on one thread at a time.
#pragma once

#include <string>

#include "xrunlab/report/live_line.hpp"

namespace xrunlab {

class RedrawnLine {
 public:
  /// On stderr, unless `quiet`.
  explicit RedrawnLine(bool quiet);
  /// Writes to `fd`, which stays the caller's; shows nothing unless `mode` is redraw.
  RedrawnLine(int fd, LiveMode mode) noexcept : fd_(fd), shown_(mode == LiveMode::redraw) {}
  ~RedrawnLine() { clear(); }
  RedrawnLine(const RedrawnLine&) = delete;
  RedrawnLine& operator=(const RedrawnLine&) = delete;

  bool is_shown() const noexcept { return shown_; }

  /// As much of `text`, made printable, as one line holds: what wraps could not be taken away again.
  void show(const std::string& text);

  /// Takes it away, before something else is printed there.
  void clear();

 private:
  int fd_;
  bool shown_;
  bool drawn_ = false;
};

}  // namespace xrunlab
