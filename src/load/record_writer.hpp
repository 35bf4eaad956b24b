// The writing half of a record load: takes full blocks out of the tracks' rings and writes them through
// io_uring, one write of each track under way. Used on one thread.
#pragma once

#include <liburing.h>

#include <cstdint>
#include <vector>

#include "ringbuffer/block_ring.hpp"
#include "xrunlab/core/units.hpp"
#include "xrunlab/load/load_file.hpp"

namespace xrunlab {

class RecordWriter {
 public:
  /// Track i is written to file i from front to end, again and again. Throws Error{system} without io_uring.
  RecordWriter(std::vector<BlockConsumer> tracks, const std::vector<LoadFile>& files);
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;
  ~RecordWriter();

  /// Starts what can be written and waits for a completion, 10 ms at the most. Returns how many writes are
  /// complete, each of a block. Throws Error{system} when one fails.
  int turn();

 private:
  struct Track {
    BlockConsumer ring;
    const LoadFile* file = nullptr;
    Bytes offset = 0;
    std::size_t left = 0;  ///< of the block that is being written; 0: none
  };

  void submit(std::size_t index);
  bool complete(Track& track, int result);

  std::vector<Track> tracks_;
  io_uring uring_{};
};

}  // namespace xrunlab
