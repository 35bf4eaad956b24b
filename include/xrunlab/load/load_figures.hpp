// What a load counts, in memory that its process and xrunlab share: written by the former, read by the latter
// while it works and after it has been killed.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

enum class LoadState : std::uint32_t { preparing, working, failed };

/// Zeros at first. Memory ordering: `state` is stored with release after what it announces, and read with
/// acquire; the counts are relaxed.
struct LoadFigures {
  std::atomic<LoadState> state{LoadState::preparing};
  std::atomic<std::int64_t> prepared_bytes{0};  ///< of its file, while it prepares
  std::atomic<std::int64_t> file_bytes{0};      ///< of all its files, as granted
  std::atomic<std::int64_t> operations{0};   ///< reads, writes, faults, programs, 10 ms of cpu, client cycles
  std::atomic<std::int64_t> bytes{0};        ///< read, written, touched
  std::atomic<std::int64_t> overruns{0};     ///< of record: fragments that its ring had no room for
  std::atomic<std::int64_t> xruns{0};        ///< of jack: a client had not finished
  std::atomic<std::int64_t> driver_late{0};  ///< of jack: the driver was late
  char what[480] = {};                       ///< why it failed
  char remedy[240] = {};

  void count(Bytes more) noexcept {
    operations.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(more, std::memory_order_relaxed);
  }
  void work() noexcept { state.store(LoadState::working, std::memory_order_release); }
  void fail(const Error& error) noexcept;
};

/// The memory. Its descriptor is given to the load's process.
class SharedFigures {
 public:
  /// Anew. Throws Error{system}.
  SharedFigures();

  /// As handed to this process. Throws Error{system} when it is none.
  explicit SharedFigures(UniqueFd fd);
  SharedFigures(const SharedFigures&) = delete;
  SharedFigures& operator=(const SharedFigures&) = delete;
  ~SharedFigures();

  int fd() const noexcept { return fd_.get(); }
  LoadFigures& operator*() const noexcept { return *figures_; }
  LoadFigures* operator->() const noexcept { return figures_; }

 private:
  void map();

  UniqueFd fd_;
  LoadFigures* figures_ = nullptr;
};

}  // namespace xrunlab
