#include "xrunlab/disk/fault_engine.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "xrunlab/disk/signal.hpp"

namespace xrunlab {
namespace {

/// What befalls a read under way.
struct Fate {
  std::uint64_t tag = 0;
  Nanoseconds due{};                   ///< not handed out before
  FaultCount* shortened_by = nullptr;  ///< absent: it stays whole
  int error_number = 0;
  std::optional<std::int32_t> result;  ///< of the read, once it is complete
};

class FaultEngine final : public IoEngine {
 public:
  FaultEngine(std::unique_ptr<IoEngine> engine, FaultEngineConfig config, const PlaybackProgress& progress,
              const Clock& clock)
      : engine_(std::move(engine)),
        config_(std::move(config)),
        progress_(progress),
        clock_(clock),
        random_(config_.faults.size()),
        spent_(config_.faults.size()) {}

  const IoGrant& grant() const noexcept override { return engine_->grant(); }
  int depth() const noexcept override { return engine_->depth(); }

  void submit(const ReadRequest& request) override {
    if (auto fate = fate_of(request)) fates_.push_back(*fate);
    engine_->submit(request);
  }

  std::span<const ReadCompletion> wait(Nanoseconds timeout) override {
    delivered_.clear();
    for (const auto& completion : engine_->wait(std::min(timeout, until_due()))) take(completion);
    hand_out(clock_.now());
    return delivered_;
  }

  std::optional<Nanoseconds> next_due() const noexcept override {
    auto next = engine_->next_due();
    for (const auto& fate : fates_) {
      if (fate.result && (!next || fate.due < *next)) next = fate.due;
    }
    return next;
  }

 private:
  std::optional<Fate> fate_of(const ReadRequest& request) {
    const Nanoseconds now = clock_.now();
    Fate fate{.tag = request.tag};
    bool befallen = false;
    for (std::size_t index = 0; index < config_.faults.size(); ++index) {
      const auto& [spec, count] = config_.faults[index];
      if (spec.track && *spec.track != request.file) continue;
      if (spec.kind == FaultKind::short_read && request.size < least_shortened()) continue;
      if (!befalls(index, request.file, now)) continue;
      befallen = true;
      if (spec.kind == FaultKind::short_read) {
        fate.shortened_by = count;
        continue;  // counted when it brings enough to be shortened
      }
      count->note(now);
      if (spec.kind == FaultKind::eio) fate.error_number = EIO;
      fate.due = std::max(fate.due, now + spec.delay);
    }
    return befallen ? std::optional<Fate>(fate) : std::nullopt;
  }

  bool befalls(std::size_t index, std::uint32_t track, Nanoseconds now) {
    const auto& spec = config_.faults[index].spec;
    if (spec.probability) return draw(index, track) < *spec.probability;
    const Nanoseconds started{progress_.started_ns.load(std::memory_order_relaxed)};
    if (spent_[index] || started.count() == 0 || now < started + *spec.at) return false;
    spent_[index] = true;
    return true;
  }

  /// The next number from 0 to below 1 of this fault on this track.
  double draw(std::size_t index, std::uint32_t track) {
    auto& tracks = random_[index];
    const auto seed = static_cast<std::uint64_t>(config_.seed) + index;
    while (tracks.size() <= track) tracks.emplace_back(seed, static_cast<int>(tracks.size()));
    return static_cast<double>(tracks[track].next() >> 11) * 0x1p-53;
  }

  std::int64_t least_shortened() const noexcept { return 3 * config_.alignment; }

  Nanoseconds until_due() const noexcept {
    auto earliest = Nanoseconds::max();
    for (const auto& fate : fates_) {
      if (fate.result) earliest = std::min(earliest, fate.due);
    }
    return earliest == Nanoseconds::max() ? earliest : std::max(earliest - clock_.now(), Nanoseconds{});
  }

  void take(const ReadCompletion& completion) {
    for (auto& fate : fates_) {
      if (fate.tag != completion.tag) continue;
      fate.result = completion.result;
      return;
    }
    delivered_.push_back(completion);
  }

  void hand_out(Nanoseconds now) {
    const auto held = [now](const Fate& fate) { return !fate.result || fate.due > now; };
    const auto due = std::stable_partition(fates_.begin(), fates_.end(), held);
    for (auto fate = due; fate != fates_.end(); ++fate) {
      delivered_.push_back({fate->tag, result_of(*fate, now)});
    }
    fates_.erase(due, fates_.end());
  }

  std::int32_t result_of(const Fate& fate, Nanoseconds now) const noexcept {
    if (fate.error_number != 0) return -fate.error_number;
    if (fate.shortened_by == nullptr || *fate.result < least_shortened()) return *fate.result;
    fate.shortened_by->note(now);
    return *fate.result / 2 - 1;
  }

  std::unique_ptr<IoEngine> engine_;
  FaultEngineConfig config_;
  const PlaybackProgress& progress_;
  const Clock& clock_;
  std::vector<std::vector<Xoshiro256>> random_;  ///< by fault and track
  std::vector<bool> spent_;                      ///< by fault: an `at` that has come
  std::vector<Fate> fates_;
  std::vector<ReadCompletion> delivered_;
};

}  // namespace

std::unique_ptr<IoEngine> make_fault_engine(std::unique_ptr<IoEngine> engine, FaultEngineConfig config,
                                            const PlaybackProgress& progress, const Clock& clock) {
  return std::make_unique<FaultEngine>(std::move(engine), std::move(config), progress, clock);
}

}  // namespace xrunlab
