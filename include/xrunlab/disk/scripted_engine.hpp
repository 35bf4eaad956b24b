// The fake behind the reader's seam: files in memory, served on a hand-driven clock with the latencies, short
// reads, errors and early ends of a script, so that a run in virtual time meets every disk. A read's bytes
// stand in the block only when its completion is handed out. Used by tests, on the thread of the reader.
#pragma once

#include <optional>
#include <vector>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/disk/io_engine.hpp"

namespace xrunlab {

/// Befalls the read that is submitted as number `read`, from 0; continued and repeated reads count too.
struct ScriptedRead {
  std::int64_t read = 0;
  std::optional<Nanoseconds> latency;  ///< absent: that of every read
  std::optional<Bytes> most;           ///< brings at most so many bytes; 0: the end of the file
  int error_number = 0;                ///< above 0: brings nothing but this errno
};

/// What wait() does while nothing is due.
enum class WhileIdle {
  moves_clock,   ///< the clock moves to the next completion or to the timeout: the reader lives alone
  stands_still,  ///< it returns at once: whoever plays moves the clock
};

struct ScriptedDisk {
  std::vector<std::vector<std::byte>> files;
  int depth = 8;
  Nanoseconds latency = std::chrono::milliseconds{1};
  std::vector<ScriptedRead> script;
  WhileIdle while_idle = WhileIdle::moves_clock;
};

class ScriptedEngine final : public IoEngine {
 public:
  /// `clock` must outlive the engine.
  ScriptedEngine(ScriptedDisk disk, FakeClock& clock);

  const IoGrant& grant() const noexcept override { return grant_; }
  int depth() const noexcept override { return disk_.depth; }

  /// Throws Error{system} when more than depth() reads are in flight.
  void submit(const ReadRequest& request) override;
  std::span<const ReadCompletion> wait(Nanoseconds timeout) override;

  std::optional<Nanoseconds> next_due() const noexcept override;

  /// Every read, in the order of submission.
  const std::vector<ReadRequest>& submitted() const noexcept { return submitted_; }

 private:
  struct InFlight {
    ReadRequest request;
    Nanoseconds due{};
    std::optional<Bytes> most;
    int error_number = 0;
  };

  std::int32_t serve(const InFlight& read) const;

  ScriptedDisk disk_;
  FakeClock& clock_;
  IoGrant grant_;
  std::vector<ReadRequest> submitted_;
  std::vector<InFlight> in_flight_;  ///< by instant of completion, equal ones in order of submission
  std::vector<ReadCompletion> delivered_;
};

}  // namespace xrunlab
