#include "record_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/uring_engine.hpp"

namespace xrunlab {
namespace {

// How long a full block may wait until it is seen: short beside a ring.
constexpr __kernel_timespec kLookAtRing{0, 10'000'000};
constexpr unsigned kMostEntries = 4096;

int io_uring_disabled() {
  std::ifstream file("/proc/sys/kernel/io_uring_disabled");
  int value = -1;
  file >> value;
  return file ? value : -1;
}

}  // namespace

RecordWriter::RecordWriter(std::vector<BlockConsumer> tracks, const std::vector<LoadFile>& files) {
  for (std::size_t index = 0; index < tracks.size(); ++index) {
    tracks_.push_back({.ring = std::move(tracks[index]), .file = &files[index]});
  }
  const unsigned entries = std::min(static_cast<unsigned>(tracks_.size()), kMostEntries);
  const int result = io_uring_queue_init(entries, &uring_, 0);
  if (result < 0) throw uring_setup_error(-result, io_uring_disabled());
}

RecordWriter::~RecordWriter() {
  io_uring_queue_exit(&uring_);
}

int RecordWriter::turn() {
  for (std::size_t index = 0; index < tracks_.size(); ++index) {
    Track& track = tracks_[index];
    if (track.left > 0 || track.ring.fill().bytes == 0) continue;
    track.left = track.ring.block_bytes();
    submit(index);
  }
  io_uring_cqe* first = nullptr;
  __kernel_timespec look = kLookAtRing;
  const int waited = io_uring_submit_and_wait_timeout(&uring_, &first, 1, &look, nullptr);
  if (waited < 0 && waited != -ETIME && waited != -EINTR && waited != -EAGAIN && waited != -EBUSY) {
    throw Error(ExitCode::system, "io_uring_submit_and_wait_timeout: " + errno_text(-waited));
  }
  int blocks = 0;
  while (io_uring_peek_cqe(&uring_, &first) == 0) {
    const auto index = static_cast<std::size_t>(first->user_data);
    const int result = first->res;
    io_uring_cqe_seen(&uring_, first);
    if (complete(tracks_[index], result)) {
      ++blocks;
    } else {
      submit(index);
    }
  }
  return blocks;
}

void RecordWriter::submit(std::size_t index) {
  io_uring_sqe* sqe = io_uring_get_sqe(&uring_);
  if (sqe == nullptr) {
    io_uring_submit(&uring_);
    sqe = io_uring_get_sqe(&uring_);
    if (sqe == nullptr) throw Error(ExitCode::system, "io_uring: the submission queue stays full");
  }
  Track& track = tracks_[index];
  // A ring holds nothing but whole blocks, so the rest of one lies in one piece.
  const auto bytes = track.ring.contiguous().first(track.left);
  io_uring_prep_write(sqe, track.file->fd.get(), bytes.data(), static_cast<unsigned>(bytes.size()),
                      static_cast<__u64>(track.offset));
  io_uring_sqe_set_data64(sqe, index);
}

bool RecordWriter::complete(Track& track, int result) {
  if (result == -EINTR || result == -EAGAIN) return false;
  if (result <= 0) {
    throw Error(ExitCode::system, "record: cannot write: " + errno_text(result < 0 ? -result : EIO));
  }
  track.ring.consume(static_cast<std::size_t>(result));
  track.left -= static_cast<std::size_t>(result);
  track.offset += result;
  if (track.left > 0) return false;
  if (track.offset >= track.file->size) track.offset = 0;
  return true;
}

}  // namespace xrunlab
