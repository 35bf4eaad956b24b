// Writes what the simulated card accepted, in order, to a WAV file: a preallocated lock-free byte queue
// between the playback thread, which only copies, and a thread of the card, which writes. Used by the
// simulated card. A full queue or a failed write loses sound, so it fails the run: push() says so, close()
// says why.
// Memory ordering: pushed_ is stored with release after the bytes and loaded with acquire before they are
// read; popped_ likewise the other way round. Both only grow, so that full and empty cannot be confused.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "xrunlab/core/page_vector.hpp"
#include "xrunlab/core/sample_format.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

/// How the captured bytes are to be read.
struct CaptureLayout {
  SampleFormat format = SampleFormat::s32_le;
  SampleRate rate;
  int channels = 0;
  Bytes frame_bytes() const noexcept { return static_cast<Bytes>(bytes_per_sample(format)) * channels; }
};

/// What push() does while the queue is full: a real-time thread must fail; one in virtual time outruns any
/// disk and waits.
enum class WhenFull { fail, wait };

class SimCapture {
 public:
  /// Creates or truncates the file. Throws Error{audio_device}.
  explicit SimCapture(std::filesystem::path path);
  ~SimCapture();
  SimCapture(const SimCapture&) = delete;
  SimCapture& operator=(const SimCapture&) = delete;

  /// Allocates the queue (at least `queue_bytes`) and starts the writing thread; a second call starts the
  /// file anew. Throws.
  void begin(const CaptureLayout& layout, Bytes queue_bytes, WhenFull when_full);

  /// Copies whole frames into the queue; false when there is no room or the file cannot be written, then and
  /// for ever after. Thread: playback. Real-time: wait-free with WhenFull::fail.
  bool push(const std::byte* data, Bytes size) noexcept;

  /// Writes the rest and the header's sizes (RF64 beyond 4 GiB) and closes the file. Throws
  /// Error{audio_device} when anything was lost; the second call does nothing.
  void close();

 private:
  void start_thread();
  void write_behind() noexcept;
  void write_out(const std::byte* data, Bytes size) noexcept;
  void write_all(const std::byte* data, Bytes size) noexcept;
  void stop_thread() noexcept;
  std::vector<std::byte> header(Bytes data_bytes) const;

  std::filesystem::path path_;
  UniqueFd file_;
  CaptureLayout layout_;
  WhenFull when_full_ = WhenFull::fail;
  PageVector<std::byte> queue_;
  std::vector<std::byte> packed_;  // S24_LE packed to three bytes; only the writing thread touches it
  Bytes written_ = 0;
  std::optional<pthread_t> thread_;
  std::atomic<bool> ending_{false};
  std::atomic<bool> overflowed_{false};
  std::atomic<int> write_error_{0};
  alignas(64) std::atomic<Bytes> pushed_{0};
  alignas(64) std::atomic<Bytes> popped_{0};
};

}  // namespace xrunlab
