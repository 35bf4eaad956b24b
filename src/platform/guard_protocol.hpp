// What goes over the socket between GuardProcess (in xrunlab) and the guard: one request, one reply, each one
// packet. Both ends are the same program, so the structs go as they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab::guard {

inline constexpr std::size_t kMostText = 64 * 1024;
inline constexpr std::size_t kMostDescriptors = 16;
/// Descriptors of programs are moved up to here, so that they can then be given any low number.
inline constexpr int kFirstMoved = 100;

enum class Command : std::int32_t { start, state, stop, remove_at_end };

/// Followed by the texts, each with its NUL: of `start` the program, the directory, `arguments` arguments and
/// the environment; of `remove_at_end` the path. stdin, stdout, stderr and what is handed come along.
struct Request {
  Command command = Command::state;
  std::int32_t program = 0;
  std::int32_t arguments = 0;
  std::int32_t oom_score_adj = 0;
  std::int64_t patience_ns = 0;
};

struct Reply {
  std::int32_t error = 0;  ///< errno of what could not be started
  std::int32_t program = 0;
  std::int32_t top = 0;
  std::int32_t alive = 0;
  std::int32_t exit_code = 0;
};

/// A request as it has arrived.
struct Order {
  Request request;
  std::vector<std::string> texts;
  std::vector<UniqueFd> descriptors;
};

/// The guard's life; never returns. `socket` is the only descriptor that it keeps.
[[noreturn]] void serve(int socket) noexcept;

/// The life of the process at the top of one program: starts it, reports, stops it on SIGTERM, kills what it
/// leaves, and ends with its exit code. `report` takes one int, 0 or the errno of the start.
[[noreturn]] void keep_program(const Order& order, int report) noexcept;

/// Kills all descendants, and removes what only they had in /dev/shm.
void kill_with_shared_memory() noexcept;

}  // namespace xrunlab::guard
