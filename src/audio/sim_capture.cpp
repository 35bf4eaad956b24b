#include "xrunlab/audio/sim_capture.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;

// The queue holds a second of sound or more, so that looking this rarely costs nothing.
constexpr auto kLookInterval = 5ms;
constexpr std::size_t kStackBytes = 256 * 1024;
constexpr Bytes kLargestChunk = Bytes{1} << 20;
// RIFF or RF64 with 'WAVE', room for a ds64 chunk, 'fmt ' of 16 bytes, 'data'.
constexpr Bytes kDs64Bytes = 28;
constexpr Bytes kHeaderBytes = 12 + (8 + kDs64Bytes) + (8 + 16) + 8;
constexpr Bytes kLargestRiff = 0xFFFF'FFFF;

void put_name(std::vector<std::byte>& out, std::string_view name) {
  for (const char letter : name) out.push_back(static_cast<std::byte>(letter));
}

void put_number(std::vector<std::byte>& out, Bytes value, int bytes) {
  for (int index = 0; index < bytes; ++index) {
    out.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * index) & 0xFF));
  }
}

/// WAV has no "low three of four bytes": S24_LE is captured as three packed bytes.
SampleFormat stored_format(SampleFormat format) noexcept {
  return format == SampleFormat::s24_le ? SampleFormat::s24_3le : format;
}

}  // namespace

SimCapture::SimCapture(std::filesystem::path path) : path_(std::move(path)) {
  file_.reset(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file_) {
    throw Error(ExitCode::audio_device,
                "cannot write the capture file " + path_.string() + ": " + errno_text(errno),
                "name a file in a writable directory: sim:capture=/tmp/card.wav");
  }
}

SimCapture::~SimCapture() {
  stop_thread();
}

void SimCapture::begin(const CaptureLayout& layout, Bytes queue_bytes, WhenFull when_full) {
  stop_thread();
  layout_ = layout;
  when_full_ = when_full;
  queue_.assign(static_cast<std::size_t>(queue_bytes), std::byte{});
  packed_.resize(static_cast<std::size_t>(std::min(queue_bytes, kLargestChunk)));
  pushed_ = 0;
  popped_ = 0;
  written_ = 0;
  ending_ = false;
  if (ftruncate(file_.get(), 0) != 0 || lseek(file_.get(), 0, SEEK_SET) != 0) write_error_ = errno;
  const auto start = header(0);
  write_all(start.data(), static_cast<Bytes>(start.size()));
  start_thread();
}

// Not std::thread: with all memory locked its stack would be locked too, so it is small; and signals are for
// the main thread.
void SimCapture::start_thread() {
  sigset_t every;
  sigset_t before;
  sigfillset(&every);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const auto run = [](void* self) -> void* {
    static_cast<SimCapture*>(self)->write_behind();
    return nullptr;
  };
  pthread_t thread{};
  pthread_sigmask(SIG_SETMASK, &every, &before);
  const int error = pthread_create(&thread, &attributes, run, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    throw Error(ExitCode::system, "cannot start the capture thread: " + errno_text(error),
                "raise the number of processes: ulimit -u");
  }
  pthread_setname_np(thread, "xl-capture");
  thread_ = thread;
}

void SimCapture::write_behind() noexcept {
  const Bytes capacity = static_cast<Bytes>(queue_.size());
  for (;;) {
    // Read before the queue is looked at: what was pushed before the end is still written.
    const bool ending = ending_.load(std::memory_order_acquire);
    const Bytes popped = popped_.load(std::memory_order_relaxed);
    const Bytes held = pushed_.load(std::memory_order_acquire) - popped;
    if (held > 0) {
      const Bytes at = popped % capacity;
      const Bytes chunk = std::min({held, capacity - at, round_down(kLargestChunk, layout_.frame_bytes())});
      write_out(queue_.data() + at, chunk);
      popped_.store(popped + chunk, std::memory_order_release);
    } else if (ending) {
      return;
    } else {
      std::this_thread::sleep_for(kLookInterval);
    }
  }
}

void SimCapture::write_out(const std::byte* data, Bytes size) noexcept {
  if (layout_.format == SampleFormat::s24_le) {
    Bytes packed = 0;
    for (Bytes from = 0; from + 3 < size; from += 4) {
      for (Bytes part = 0; part < 3; ++part) packed_[static_cast<std::size_t>(packed++)] = data[from + part];
    }
    data = packed_.data();
    size = packed;
  }
  write_all(data, size);
  written_ += size;
}

void SimCapture::write_all(const std::byte* data, Bytes size) noexcept {
  while (size > 0 && write_error_.load(std::memory_order_relaxed) == 0) {
    const auto count = ::write(file_.get(), data, static_cast<std::size_t>(size));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      write_error_ = errno;
      return;
    }
    data += count;
    size -= count;
  }
}

void SimCapture::stop_thread() noexcept {
  ending_.store(true, std::memory_order_release);
  if (thread_) pthread_join(*thread_, nullptr);
  thread_.reset();
}

std::vector<std::byte> SimCapture::header(Bytes data_bytes) const {
  const auto format = stored_format(layout_.format);
  const Bytes sample = bytes_per_sample(format);
  const Bytes frame = sample * layout_.channels;
  const Bytes riff = kHeaderBytes - 8 + data_bytes + data_bytes % 2;
  const bool large = riff > kLargestRiff;
  std::vector<std::byte> out;
  put_name(out, large ? "RF64" : "RIFF");
  put_number(out, large ? kLargestRiff : riff, 4);
  put_name(out, "WAVE");
  put_name(out, large ? "ds64" : "JUNK");
  put_number(out, kDs64Bytes, 4);
  put_number(out, large ? riff : 0, 8);
  put_number(out, large ? data_bytes : 0, 8);
  put_number(out, large ? data_bytes / frame : 0, 8);
  put_number(out, 0, 4);
  put_name(out, "fmt ");
  put_number(out, 16, 4);
  put_number(out, is_float(format) ? 3 : 1, 2);
  put_number(out, layout_.channels, 2);
  put_number(out, layout_.rate.hz, 4);
  put_number(out, std::min(frame * layout_.rate.hz, kLargestRiff), 4);
  put_number(out, frame, 2);
  put_number(out, sample * 8, 2);
  put_name(out, "data");
  put_number(out, large ? kLargestRiff : data_bytes, 4);
  return out;
}

void SimCapture::close() {
  if (!file_) return;
  stop_thread();
  if (layout_.channels > 0) {
    if (written_ % 2 != 0) {
      const std::byte padding{};
      write_all(&padding, 1);
    }
    const auto start = header(written_);
    if (lseek(file_.get(), 0, SEEK_SET) != 0) write_error_ = errno;
    write_all(start.data(), static_cast<Bytes>(start.size()));
  }
  file_.reset();
  if (write_error_ != 0) {
    throw Error(ExitCode::audio_device,
                "the capture file " + path_.string() + " is not whole: " + errno_text(write_error_),
                "capture to a disk with room for the whole run");
  }
  if (overflowed_) {
    throw Error(ExitCode::audio_device,
                "the capture file " + path_.string() +
                    " is not whole: its disk did not keep up and the card's queue ran full",
                "capture to a faster file system, such as /dev/shm");
  }
}

}  // namespace xrunlab
