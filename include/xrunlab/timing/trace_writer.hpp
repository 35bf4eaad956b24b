// Writes the trace file of --record. Owned by the collector and used on its thread only: it makes system
// calls and may wait for the disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/timing/trace_format.hpp"

namespace xrunlab {

class TraceWriter {
 public:
  /// Creates the file, or empties the one that is there, and writes the header at once, so that a wrong path
  /// is an error before the run. Throws Error{system}.
  TraceWriter(const std::filesystem::path& path, const TraceHeader& header);

  /// Adds one event. False once writing has failed: nothing is written after that, and error() says why.
  bool add(const Event& event);

  /// Hands what was added to the kernel; a program killed later does not lose it. False as in add.
  bool flush();

  /// Adds the end record and closes the file. False as in add.
  bool finish(std::int64_t events_dropped);

  /// One line, empty while all is well.
  const std::string& error() const noexcept { return error_; }
  std::int64_t events() const noexcept { return events_; }
  Bytes bytes_written() const noexcept { return bytes_written_; }

 private:
  bool write_all(std::span<const std::byte> bytes);
  bool write_chunk();
  bool fail(int error_number);

  std::string path_;
  UniqueFd fd_;
  Nanoseconds start_;
  TraceEncoder encoder_;
  std::vector<std::byte> chunk_;  // begins with room for the chunk's header
  std::string error_;
  std::int64_t events_ = 0;
  Bytes bytes_written_ = 0;
};

}  // namespace xrunlab
