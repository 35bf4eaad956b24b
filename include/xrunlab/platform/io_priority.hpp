// The I/O priority of a thread's or a request's reads, as the block layer's schedulers see it: parses
// --io-priority and yields the value that io_uring's sqe->ioprio and ioprio_set take. Used by the reader's
// set-up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xrunlab {

/// Class in the upper three bits of 16, level 0 (highest) … 7 in the lowest three (linux/ioprio.h). 0 is
/// none: the kernel derives it from the nice value.
struct IoPriority {
  std::uint16_t value = 0;
  friend bool operator==(IoPriority, IoPriority) = default;
};

/// "none", "rt:0" … "rt:7", "be:0" … "be:7", "idle". Throws Error{usage} that names `option`.
IoPriority parse_io_priority(std::string_view option, std::string_view text);

/// As typed.
std::string to_string(IoPriority priority);

}  // namespace xrunlab
