// Reads a trace file event by event, in bounded memory, and never trusts what stands in it. Any thread, one
// at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/timing/trace_format.hpp"

namespace xrunlab {

class TraceReader {
 public:
  /// Opens a regular file and reads its header. Throws Error{input_file}: not there, no trace, a version
  /// that this program does not know, a damaged header.
  explicit TraceReader(const std::filesystem::path& path);

  const TraceHeader& header() const noexcept { return header_; }

  /// The next event; nothing at the end, or where the file is damaged or cut: then fault() says so. Whatever
  /// stands behind the end record is damage, too.
  std::optional<Event> next();

  /// One line, empty when all that was read was whole.
  const std::string& fault() const noexcept { return fault_; }

  /// The end record, once it has been read.
  const std::optional<TraceEnd>& end() const noexcept { return end_; }
  std::int64_t events_read() const noexcept { return events_read_; }

 private:
  void finish(const TraceEnd& end);
  bool next_chunk();
  std::size_t read_up_to(std::byte* into, std::size_t size);
  void stop(const std::string& what);

  std::string path_;
  UniqueFd fd_;
  Bytes offset_ = 0;
  TraceHeader header_;
  std::vector<std::byte> chunk_;
  Bytes chunk_offset_ = 0;
  bool chunk_cut_ = false;
  std::optional<TraceDecoder> decoder_;
  std::optional<TraceEnd> end_;
  std::string fault_;
  std::int64_t events_read_ = 0;
};

}  // namespace xrunlab
