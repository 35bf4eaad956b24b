#include "xrunlab/timing/trace_reader.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

std::uint32_t u32_at(const std::vector<std::byte>& bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t at = 0; at < 4; ++at) value |= static_cast<std::uint32_t>(bytes[offset + at]) << (8 * at);
  return value;
}

}  // namespace

TraceReader::TraceReader(const std::filesystem::path& path)
    : path_(path.string()), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat status {};
  if (!fd_ || ::fstat(fd_.get(), &status) != 0) {
    throw Error(ExitCode::input_file, path_ + ": " + errno_text(errno));
  }
  if (!S_ISREG(status.st_mode)) throw Error(ExitCode::input_file, path_ + ": not a regular file");
  std::vector<std::byte> bytes(kTraceFixedHeaderBytes);
  const auto got = read_up_to(bytes.data(), bytes.size());
  if (got < kTraceMagic.size() || std::memcmp(bytes.data(), kTraceMagic.data(), kTraceMagic.size()) != 0) {
    throw Error(ExitCode::input_file, path_ + ": not a trace file of xrunlab",
                "give a file written by xrunlab play --record FILE");
  }
  const auto damaged =
      Error(ExitCode::input_file, path_ + ": the header of this trace is damaged or cut off");
  if (got < bytes.size()) throw damaged;
  const auto version = u32_at(bytes, 8) & 0xFFFFU;
  if (version < kOldestTraceVersion || version > kTraceVersion) {
    throw Error(ExitCode::input_file, path_ + ": a trace of version " + std::to_string(version) +
                                          ", and this program reads versions " +
                                          std::to_string(kOldestTraceVersion) + " to " +
                                          std::to_string(kTraceVersion));
  }
  const std::size_t size = u32_at(bytes, 12);
  // The size is checked against the file before memory is taken for it.
  if (size < kTraceFixedHeaderBytes + 4 || size > kTraceLargestHeaderBytes ||
      static_cast<Bytes>(size) > status.st_size) {
    throw damaged;
  }
  bytes.resize(size);
  const auto rest = size - kTraceFixedHeaderBytes;
  if (read_up_to(bytes.data() + kTraceFixedHeaderBytes, rest) != rest) throw damaged;
  header_ = decode_trace_header(bytes, path_);
}

std::optional<Event> TraceReader::next() {
  Event event{};
  TraceEnd end;
  while (fault_.empty() && !end_) {
    if (!decoder_ && !next_chunk()) return std::nullopt;
    switch (decoder_->next(event, end)) {
      case TraceDecoder::Found::event:
        ++events_read_;
        return event;
      case TraceDecoder::Found::end_record:
        finish(end);
        break;
      case TraceDecoder::Found::end_of_chunk:
        decoder_.reset();
        if (chunk_cut_) stop("cut off at byte " + std::to_string(offset_));
        break;
      case TraceDecoder::Found::cut:
        stop((chunk_cut_ ? "cut off at byte " : "damaged before byte ") + std::to_string(offset_));
        break;
      case TraceDecoder::Found::unknown_kind:
        stop("damaged before byte " + std::to_string(offset_));
        break;
    }
  }
  return std::nullopt;
}

void TraceReader::finish(const TraceEnd& end) {
  Event event{};
  TraceEnd ignored;
  std::byte behind{};
  const bool last_in_chunk = decoder_->next(event, ignored) == TraceDecoder::Found::end_of_chunk;
  if (chunk_cut_) {
    stop("cut off at byte " + std::to_string(offset_));
  } else if (end.events != events_read_) {
    stop("events are missing, it was closed with " + std::to_string(end.events));
  } else if (!last_in_chunk) {
    stop("damaged before byte " + std::to_string(offset_) + ", records stand behind its end");
  } else if (const Bytes whole = offset_; read_up_to(&behind, 1) != 0) {
    stop("ends at byte " + std::to_string(whole) + ", but the file goes on behind it");
  } else if (fault_.empty()) {
    end_ = end;
  }
}

bool TraceReader::next_chunk() {
  chunk_offset_ = offset_;
  chunk_.resize(kTraceChunkHeaderBytes);
  if (read_up_to(chunk_.data(), chunk_.size()) < kTraceChunkHeaderBytes) {
    if (fault_.empty()) stop("cut off at byte " + std::to_string(offset_));
    return false;
  }
  const std::size_t size = u32_at(chunk_, 0);
  const auto crc = u32_at(chunk_, 4);
  if (size == 0 || size > kTraceLargestChunkBytes) {
    stop("damaged at byte " + std::to_string(chunk_offset_));
    return false;
  }
  chunk_.resize(size);
  const auto got = read_up_to(chunk_.data(), size);
  chunk_.resize(got);
  chunk_cut_ = got < size;
  // A chunk that was cut cannot be checked; what is whole in it is still worth printing.
  if (!chunk_cut_ && crc32(chunk_) != crc) {
    stop("damaged between bytes " + std::to_string(chunk_offset_) + " and " + std::to_string(offset_));
    return false;
  }
  decoder_.emplace(chunk_, header_.start);
  return true;
}

std::size_t TraceReader::read_up_to(std::byte* into, std::size_t size) {
  std::size_t got = 0;
  while (got < size) {
    const auto count = ::read(fd_.get(), into + got, size - got);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) stop("byte " + std::to_string(offset_) + ": " + errno_text(errno));
    if (count <= 0) break;
    got += static_cast<std::size_t>(count);
    offset_ += count;
  }
  return got;
}

void TraceReader::stop(const std::string& what) {
  fault_ = path_ + ": " + what + "; " + std::to_string(events_read_) + " events could be read";
}

}  // namespace xrunlab
