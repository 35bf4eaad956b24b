#include "xrunlab/report/live_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

namespace xrunlab {
namespace {

constexpr std::size_t kWidestBar = 20;
constexpr std::size_t kDefaultWidth = 80;
constexpr const char* kRed = "\x1b[31m";
constexpr const char* kPlain = "\x1b[0m";

std::string time_text(Nanoseconds elapsed) {
  const auto tenths = std::max<std::int64_t>(0, elapsed.count()) / 100'000'000;
  const auto seconds = tenths / 10;
  if (seconds >= 3600) {
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
  return fmt::format("{}:{:02}.{}", seconds / 60, seconds % 60, tenths % 10);
}

std::string milliseconds_text(Nanoseconds duration) {
  const double value = to_seconds(duration) * 1e3;
  if (value < 10) return fmt::format("{:.2f}", value);
  return fmt::format("{:.{}f}", value, value < 100 ? 1 : 0);
}

std::int64_t percent(double share) {
  return static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * 100);
}

// "[####|##....]": filled up to what is in the ring now, with the low water marked.
std::string bar_text(double fill, std::optional<double> low_water, std::size_t cells) {
  const auto cell = [cells](double share) {
    return static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells));
  };
  std::string bar(cells, '.');
  std::fill_n(bar.begin(), cell(fill), '#');
  if (low_water) bar[std::min(cell(*low_water), cells - 1)] = '|';
  return fmt::format("[{}]", bar);
}

std::string line_with_bar(const LiveStatus& status, std::size_t cells) {
  std::string line = (status.fault_injected ? "INJECTED " : "") + time_text(status.elapsed);
  if (status.ring_fill) {
    if (cells > 0) line += fmt::format(" {}", bar_text(*status.ring_fill, status.ring_low_water, cells));
    line += fmt::format(" {}%", percent(*status.ring_fill));
    if (status.ring_low_water) line += fmt::format(" low {}%", percent(*status.ring_low_water));
  }
  line += fmt::format("  starved {}  xruns {}", status.starved_reads, status.xruns);
  line += "  max T1 " + milliseconds_text(status.ring_read_max);
  line += status.cycle_max ? fmt::format(" cycle {} ms", milliseconds_text(*status.cycle_max))
                           : fmt::format(" T2 {} T3 {} ms", milliseconds_text(status.pcm_write_max),
                                         milliseconds_text(status.outside_max));
  return line + fmt::format("  {:.1f} MB/s", status.read_bytes_per_s / 1e6);
}

}  // namespace

std::string format_live_line(const LiveStatus& status, std::size_t width) {
  std::string line = line_with_bar(status, 0);
  constexpr std::size_t kBarFrame = 3;  // blank and brackets
  constexpr std::size_t kNarrowestBar = 4;
  if (status.ring_fill && line.size() + kBarFrame + kNarrowestBar <= width) {
    line = line_with_bar(status, std::min(kWidestBar, width - line.size() - kBarFrame));
  }
  if (line.size() <= width) return line;
  // Whole parts go: two blanks stand between them. What is left of a very narrow line is cut.
  while (line.size() > width) {
    const auto part = line.rfind("  ");
    if (part == std::string::npos) break;
    line.resize(part);
  }
  line.resize(std::min(line.size(), width));
  return line;
}

LiveTerminal describe_terminal(int fd) {
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  return {.is_terminal = ::isatty(fd) == 1,
          .term = term == nullptr ? "" : term,
          .no_color = no_color != nullptr && *no_color != '\0'};
}

LiveMode choose_live_mode(const LiveTerminal& terminal, std::optional<Nanoseconds> status_interval) {
  if (terminal.is_terminal && terminal.term != "dumb" && !terminal.term.empty() && !status_interval) {
    return LiveMode::redraw;
  }
  return status_interval ? LiveMode::plain_lines : LiveMode::off;
}

std::size_t terminal_columns(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return kDefaultWidth;
  return size.ws_col;
}

void put_on_terminal(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

LiveLine::LiveLine(int fd, LiveMode mode, const LiveTerminal& terminal, Nanoseconds interval)
    : fd_(fd),
      mode_(mode),
      colored_(mode == LiveMode::redraw && !terminal.no_color),
      interval_(std::max<Nanoseconds>(interval, std::chrono::milliseconds{1})),
      next_plain_(interval_) {}

void LiveLine::show(const LiveStatus& status) {
  if (mode_ == LiveMode::plain_lines) {
    if (status.elapsed < next_plain_) return;
    next_plain_ = (status.elapsed / interval_ + 1) * interval_;
    put_on_terminal(fd_, format_live_line(status, kDefaultWidth) + "\n");
    return;
  }
  if (mode_ != LiveMode::redraw) return;
  // The last column stays free: a full line would wrap on some terminals, and \r not come back to its begin.
  const std::string line = format_live_line(status, terminal_columns(fd_) - 1);
  const std::string rest(drawn_ > line.size() ? drawn_ - line.size() : 0, ' ');
  drawn_ = line.size();
  const bool alarm = colored_ && (status.starved_reads > 0 || status.xruns > 0);
  put_on_terminal(fd_, fmt::format("\r{}{}{}{}", alarm ? kRed : "", line, alarm ? kPlain : "", rest));
}

void LiveLine::clear() {
  if (mode_ != LiveMode::redraw || drawn_ == 0) return;
  put_on_terminal(fd_, fmt::format("\r{}\r", std::string(std::min(drawn_, terminal_columns(fd_) - 1), ' ')));
  drawn_ = 0;
}

}  // namespace xrunlab
