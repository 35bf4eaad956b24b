// The file of `latency --record`: each planned wake-up as a line of CSV. Written by main while the threads
// measure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/engine/wake_loop.hpp"

namespace xrunlab {

class SampleFile {
 public:
  /// Begins it anew. Throws Error{usage} where something else than such a file is there, Error{system} where
  /// it cannot be written.
  explicit SampleFile(const std::filesystem::path& path);

  /// Takes everything out of a thread's queue. `round` and `thread` are indices. A write that fails is told
  /// by finish().
  void drain(EventConsumer<WakeSample>& samples, std::int64_t round, std::size_t thread);

  /// Writes what is still in memory. Why the file is not whole; empty when it is.
  std::string finish();

 private:
  void flush();

  std::filesystem::path path_;
  UniqueFd file_;
  std::string text_;
  std::string error_;
  std::vector<WakeSample> popped_;
};

}  // namespace xrunlab
