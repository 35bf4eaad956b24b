#include "xrunlab/disk/replay_engine.hpp"

#include <poll.h>

#include <algorithm>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

/// One read under way.
struct ReplayedRead {
  std::uint64_t tag = 0;
  Nanoseconds due{};
  std::int32_t result = 0;
};

class ReplayEngine final : public IoEngine {
 public:
  ReplayEngine(ReplayDisk disk, const PlaybackProgress& progress, Clock& clock)
      : disk_(std::move(disk)), progress_(progress), clock_(clock), played_(*disk_.reads, disk_.punctual) {
    grant_.engine = "replay";
    grant_.reads_in_submit = disk_.reads_in_submit;
  }

  const IoGrant& grant() const noexcept override { return grant_; }
  int depth() const noexcept override { return disk_.depth; }

  void submit(const ReadRequest& request) override {
    const Nanoseconds now = clock_.now();
    const auto start = started();
    const Bytes end = request.offset + request.size;
    const auto fate =
        played_.next(request.file, request.offset, end, start ? std::optional(now - *start) : std::nullopt);
    ReplayedRead read{
        .tag = request.tag, .due = after(now, fate.latency), .result = result_of(request, fate)};
    // Without a start there are no instants of the record yet: only what never came is sure.
    if (fate.completed == RecordedRead::kNever) read.due = RecordedRead::kNever;
    if (fate.completed && fate.completed != RecordedRead::kNever && start)
      read.due = std::max(now, after(*start, *fate.completed));
    const auto behind =
        std::upper_bound(in_flight_.begin(), in_flight_.end(), read.due,
                         [](Nanoseconds due, const ReplayedRead& other) { return due < other.due; });
    in_flight_.insert(behind, read);
  }

  std::span<const ReadCompletion> wait(Nanoseconds timeout) override {
    delivered_.clear();
    if (disk_.wait == ReplayWait::sleeps) sleep(timeout);
    const Nanoseconds now = clock_.now();
    const auto done = std::find_if(in_flight_.begin(), in_flight_.end(),
                                   [now](const ReplayedRead& read) { return read.due > now; });
    for (auto read = in_flight_.begin(); read != done; ++read)
      delivered_.push_back({read->tag, read->result});
    in_flight_.erase(in_flight_.begin(), done);
    return delivered_;
  }

  std::optional<Nanoseconds> next_due() const noexcept override {
    if (in_flight_.empty()) return std::nullopt;
    return in_flight_.front().due;
  }

 private:
  std::optional<Nanoseconds> started() const noexcept {
    const auto started_ns = progress_.started_ns.load(std::memory_order_relaxed);
    return started_ns == 0 ? std::nullopt : std::optional(Nanoseconds{started_ns});
  }

  /// A damaged record may hold any number.
  static Nanoseconds after(Nanoseconds instant, Nanoseconds length) noexcept {
    constexpr Nanoseconds kLongest = std::chrono::hours{24 * 365};
    return instant + std::clamp(length, -kLongest, kLongest);
  }

  std::int32_t result_of(const ReadRequest& request, const ReplayedFate& fate) const {
    if (fate.failure != nullptr) {
      if (fate.failure->error_number > 0) return -fate.failure->error_number;
      return static_cast<std::int32_t>(
          std::clamp<Bytes>(fate.failure->begin - request.offset, 0, request.size));
    }
    const Bytes there = std::max<Bytes>(0, disk_.file_bytes.at(request.file) - request.offset);
    return static_cast<std::int32_t>(std::min<Bytes>(request.size, there));
  }

  void sleep(Nanoseconds timeout) {
    const Nanoseconds now = clock_.now();
    Nanoseconds until = after(now, std::max(timeout, Nanoseconds{0}));
    if (const auto due = next_due()) until = std::min(until, std::max(*due, now));
    if (const auto start = started()) until = *start + disk_.reads->let_run(until - *start);
    for (Nanoseconds left = until - now; left.count() > 0; left = until - clock_.now()) {
      const timespec limit{left.count() / kNsPerSecond, left.count() % kNsPerSecond};
      pollfd wake{disk_.wake_fd, POLLIN, 0};
      if (::ppoll(&wake, 1, &limit, nullptr) > 0) return;
    }
  }

  ReplayDisk disk_;
  const PlaybackProgress& progress_;
  Clock& clock_;
  IoGrant grant_;
  ReplayedReads played_;
  std::vector<ReplayedRead> in_flight_;  ///< by due
  std::vector<ReadCompletion> delivered_;
};

}  // namespace

std::unique_ptr<IoEngine> make_replay_engine(ReplayDisk disk, const PlaybackProgress& progress,
                                             Clock& clock) {
  return std::make_unique<ReplayEngine>(std::move(disk), progress, clock);
}

}  // namespace xrunlab
