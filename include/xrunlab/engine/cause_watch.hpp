// Watches a run for episodes and puts each down to its cause: hears the events, samples the machine, keeps
// the last two minutes of evidence, and judges an episode once nothing more can join it. Works on the
// collector's thread; main reads what was found when that has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "xrunlab/model/attribution.hpp"
#include "xrunlab/model/episode_facts.hpp"
#include "xrunlab/timing/collector.hpp"
#include "xrunlab/timing/recorder.hpp"

namespace xrunlab {

struct CauseWatchConfig {
  CardGeometry card;
  CardDrive drive =
      CardDrive::by_writing;  ///< by_server: no cause is sought of xruns, any client may have made them
  ReadAhead read_ahead = ReadAhead::ring;
  std::vector<TrackInfo> tracks;
  int queue_depth = 0;  ///< reads under way at the most; 0: not known
  std::function<SystemSample()> sample;
  /// Asked at the end, for the trace: why the playback thread's own reads ended. May be absent.
  std::function<std::optional<InputFault>()> own_failure;
  /// With --blame: what the scheduler was seen to do since the last call. Absent: `sched_trace_missing` says
  /// why.
  std::function<std::vector<RunnableSpan>()> runnable;
  std::string sched_trace_missing;
};

class CauseWatch final : public EventWatcher {
 public:
  static constexpr std::size_t kMostEpisodes = 10'000;

  explicit CauseWatch(CauseWatchConfig config);

  void take(const Event& event) override;
  std::span<const Event> look() override;
  std::span<const Event> finish() override;

  /// The reader reads itself, so that its wake-ups tell nothing. Thread: the collector's, or before it.
  void reader_blocks() noexcept {
    timeline_.reader_blocks = true;
    timeline_.queue_depth = 1;
  }
  /// The scheduler's trace cannot be had (any more). Thread: the collector's, or before it.
  void lose_sched_trace(const std::string& why);

  /// An input or the card ended the run at `at_ns`. `fault`: what is known of the input, when it was one.
  /// Thread: any, once finish() has returned.
  void end_early(std::int64_t at_ns, const std::optional<InputFault>& fault);

  /// By start, in CLOCK_MONOTONIC; at most kMostEpisodes. Thread: any, once finish() has returned.
  const std::vector<EpisodeData>& episodes() const noexcept { return episodes_; }
  /// Those that came after these.
  std::int64_t unlisted() const noexcept { return unlisted_; }

 private:
  void take_read(const Event& event);
  void note(std::int64_t begin_ns, std::int64_t end_ns) noexcept;
  void sample();
  void tell_of_sample();
  void tell_of_own_failure();
  void settle();
  void keep(const EpisodeFacts& facts, const Attribution& attribution, std::optional<std::int64_t> caused_by);
  void prune();

  CauseWatchConfig config_;
  std::int64_t low_fill_ns_;
  EvidenceTimeline timeline_;
  EpisodeMarks marks_;
  std::int64_t marks_begin_ns_ = 0;
  std::int64_t marks_end_ns_ = 0;
  std::vector<Event> found_;    ///< since the last look
  std::int64_t stolen_ns_ = 0;  ///< by the CPU that lost most, summed up
  std::vector<EpisodeData> episodes_;
  std::int64_t unlisted_ = 0;
};

}  // namespace xrunlab
