// The seam between the disk reader and the kernel: reads are submitted, completions come back in any order.
// Behind it stand io_uring, plain pread and a scripted fake. Created and used by the reader thread alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

struct ReadRequest {
  std::uint32_t file = 0;  ///< index into the files that the engine was made with
  std::byte* out = nullptr;
  Bytes offset = 0;
  std::uint32_t size = 0;
  std::uint64_t tag = 0;  ///< comes back with the completion
};

struct ReadCompletion {
  std::uint64_t tag = 0;
  std::int32_t result = 0;  ///< bytes read, 0 at the end of the file, or a negative errno
};

/// What an engine was granted, for the run file.
struct IoGrant {
  std::string engine;
  std::vector<std::string> flags;
  bool fixed_buffers = false;
  bool fixed_files = false;
  std::vector<std::string> warnings;
  bool reads_in_submit = false;  ///< submit() reads itself: time spent there is the disk's
};

class IoEngine {
 public:
  virtual ~IoEngine() = default;

  virtual const IoGrant& grant() const noexcept = 0;

  /// Reads that may be in flight at once.
  virtual int depth() const noexcept = 0;

  /// Takes one read; at most depth() may be in flight. May start it only at the next wait().
  virtual void submit(const ReadRequest& request) = 0;

  /// Starts what was submitted and sleeps until a read is complete or `timeout` has passed; with nothing in
  /// flight it sleeps `timeout`. Returns the completions, valid until the next call. Throws Error{system}
  /// when the kernel refuses to go on.
  virtual std::span<const ReadCompletion> wait(Nanoseconds timeout) = 0;

  /// When the next read completes, where that is known beforehand: with an engine that plays a script.
  /// Nothing when none is in flight, or when only time will tell.
  virtual std::optional<Nanoseconds> next_due() const noexcept { return std::nullopt; }
};

}  // namespace xrunlab
