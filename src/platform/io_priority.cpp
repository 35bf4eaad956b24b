#include "xrunlab/platform/io_priority.hpp"

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

// linux/ioprio.h does not compile as C++; these are its numbers.
constexpr int kClassShift = 13;
constexpr int kClassRealTime = 1;
constexpr int kClassBestEffort = 2;
constexpr int kClassIdle = 3;

constexpr std::uint16_t value_of_class(int io_class, int level) {
  return static_cast<std::uint16_t>(io_class << kClassShift | level);
}

}  // namespace

IoPriority parse_io_priority(std::string_view option, std::string_view text) {
  if (text == "none") return {};
  if (text == "idle") return {value_of_class(kClassIdle, 0)};
  const bool known = text.starts_with("rt:") || text.starts_with("be:");
  if (known && text.size() == 4 && text[3] >= '0' && text[3] <= '7') {
    const int io_class = text.front() == 'r' ? kClassRealTime : kClassBestEffort;
    return {value_of_class(io_class, text[3] - '0')};
  }
  throw Error(ExitCode::usage,
              std::string(option) + ": '" + std::string(text) +
                  "' is not an I/O priority: write none, rt:0 to rt:7, be:0 to be:7, or idle");
}

std::string to_string(IoPriority priority) {
  const std::string level = std::to_string(priority.value & 7);
  switch (priority.value >> kClassShift) {
    case kClassRealTime:
      return "rt:" + level;
    case kClassBestEffort:
      return "be:" + level;
    case kClassIdle:
      return "idle";
    default:
      return "none";
  }
}

}  // namespace xrunlab
