// The one line that shows a run while it goes on: redrawn in place on a terminal, printed now and then
// elsewhere. Formatted and written on the collector's thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// What the line shows, in any state of a run.
struct LiveStatus {
  Nanoseconds elapsed{};                   ///< since the card's first start
  std::optional<double> ring_fill{};       ///< share of the ring, 0 … 1; absent without a ring
  std::optional<double> ring_low_water{};  ///< share, least so far; absent before the first read
  std::int64_t starved_reads = 0;
  std::int64_t xruns = 0;
  Nanoseconds ring_read_max{};
  Nanoseconds pcm_write_max{};
  Nanoseconds outside_max{};
  std::optional<Nanoseconds> cycle_max;  ///< in place of T2 and T3 where a sound server calls
  double read_bytes_per_s = 0;
  bool fault_injected = false;  ///< the line begins with INJECTED
};

/// One line without colour or line end, at most `width` columns (ASCII, one byte each): the bar and then the
/// rightmost parts go when it is narrow.
std::string format_live_line(const LiveStatus& status, std::size_t width);

enum class LiveMode { off, redraw, plain_lines };

/// Where the line goes to, as far as its form depends on it.
struct LiveTerminal {
  bool is_terminal = false;
  std::string term;       ///< TERM
  bool no_color = false;  ///< NO_COLOR is set and not empty
};

/// Reads it from a descriptor and the environment.
LiveTerminal describe_terminal(int fd);

/// Redrawn on a terminal that can do it; else plain lines when an interval was asked for, else none.
LiveMode choose_live_mode(const LiveTerminal& terminal, std::optional<Nanoseconds> status_interval);

/// Columns of the terminal that `fd` is, 80 where it is none or does not say.
std::size_t terminal_columns(int fd);

/// All of `text`, but for what the terminal refuses: its errors must not end a run.
void put_on_terminal(int fd, std::string_view text);

class LiveLine {
 public:
  /// Writes to `fd`, which stays the caller's. `interval`: between plain lines.
  LiveLine(int fd, LiveMode mode, const LiveTerminal& terminal,
           Nanoseconds interval = std::chrono::seconds{1});

  /// Redraws the line, or prints one when the interval has passed by `status.elapsed`. Call it at most ten
  /// times a second. Errors of the terminal are ignored: they must not end a run.
  void show(const LiveStatus& status);

  /// Takes a redrawn line off the terminal, before something else is printed there and at the end.
  void clear();

 private:
  int fd_;
  LiveMode mode_;
  bool colored_;
  Nanoseconds interval_;
  Nanoseconds next_plain_;
  std::size_t drawn_ = 0;  // columns on the terminal now
};

}  // namespace xrunlab
