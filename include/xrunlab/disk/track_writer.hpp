// Puts the bytes of a set's tracks into files: one after the other, or all growing together. Every file is on
// the disk (fsync) when a function returns. Used by the set writer only.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <vector>

#include "xrunlab/disk/set_writer.hpp"

namespace xrunlab {

/// Counts what has been written, calls the progress function now and then, and says when to stop.
class WriteMonitor {
 public:
  WriteMonitor(const WriteOptions& options, Bytes total) noexcept : options_(options) {
    progress_.bytes_total = total;
  }

  bool stopped() const noexcept {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }
  void add(Bytes bytes);
  void finish();
  void warn(const std::string& line) const;

 private:
  const WriteOptions& options_;
  WriteProgress progress_;
  std::chrono::steady_clock::time_point next_call_{};
};

/// Whether everything was written, or the monitor's stop ended it.
enum class TrackWriteResult : std::uint8_t { done, stopped };

/// Each file's space is allocated at once, then it is written through the page cache with write-back started
/// early; its sync overlaps with the next file. `paths[i]` must not exist. Throws Error{system}.
TrackWriteResult write_contiguous(const SetSpec& spec, const std::vector<std::filesystem::path>& paths,
                                  WriteMonitor& monitor);

/// One block of kInterleaveBytes for each file in turn, with O_DIRECT; where that is refused, buffered with
/// fdatasync after each block (a warning). Throws Error{system}.
TrackWriteResult write_interleaved(const SetSpec& spec, const std::vector<std::filesystem::path>& paths,
                                   WriteMonitor& monitor);

/// FLAC, encoded by libsndfile, one file after the other. Throws Error{system}.
TrackWriteResult write_flac(const SetSpec& spec, const std::vector<std::filesystem::path>& paths,
                            WriteMonitor& monitor);

}  // namespace xrunlab
