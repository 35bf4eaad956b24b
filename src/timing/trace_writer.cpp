#include "xrunlab/timing/trace_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "xrunlab/core/error.hpp"

namespace xrunlab {

TraceWriter::TraceWriter(const std::filesystem::path& path, const TraceHeader& header)
    : path_(path.string()),
      fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)),
      start_(header.start),
      encoder_(header.start) {
  if (!fd_) {
    throw Error(ExitCode::system, "cannot create the trace file " + path_ + ": " + errno_text(errno),
                "give --record a file in a folder that you may write to");
  }
  chunk_.reserve(kTraceChunkHeaderBytes + kTraceLargestChunkBytes);
  chunk_.resize(kTraceChunkHeaderBytes);
  if (!write_all(encode_trace_header(header))) {
    throw Error(ExitCode::system, error_, "give --record a file on a disk with free space");
  }
}

bool TraceWriter::add(const Event& event) {
  if (!error_.empty()) return false;
  encoder_.append(event, chunk_);
  ++events_;
  const auto payload = chunk_.size() - kTraceChunkHeaderBytes;
  return payload + kTraceLargestEventBytes <= kTraceLargestChunkBytes || write_chunk();
}

bool TraceWriter::flush() {
  if (!error_.empty()) return false;
  return chunk_.size() == kTraceChunkHeaderBytes || write_chunk();
}

bool TraceWriter::finish(std::int64_t events_dropped) {
  if (!error_.empty()) return false;
  TraceEncoder::append_end({.events = events_, .dropped = events_dropped}, chunk_);
  if (!write_chunk()) return false;
  // Some file systems tell of a full disk only when the file is closed.
  return ::close(fd_.release()) == 0 || fail(errno);
}

bool TraceWriter::write_chunk() {
  const auto payload = std::span<const std::byte>(chunk_).subspan(kTraceChunkHeaderBytes);
  const auto size = static_cast<std::uint32_t>(payload.size());
  const auto crc = crc32(payload);
  for (std::size_t at = 0; at < 4; ++at) {
    chunk_[at] = static_cast<std::byte>(size >> (8 * at));
    chunk_[4 + at] = static_cast<std::byte>(crc >> (8 * at));
  }
  const bool written = write_all(chunk_);
  chunk_.resize(kTraceChunkHeaderBytes);
  encoder_ = TraceEncoder(start_);
  return written;
}

bool TraceWriter::write_all(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    bytes_written_ += written;
  }
  return true;
}

bool TraceWriter::fail(int error_number) {
  error_ = "cannot write the trace file " + path_ + ": " + errno_text(error_number);
  return false;
}

}  // namespace xrunlab
