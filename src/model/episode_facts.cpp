#include "xrunlab/model/episode_facts.hpp"

#include <algorithm>
#include <numeric>

#include "xrunlab/timing/episodes.hpp"

namespace xrunlab {
namespace {

using Late = EpisodeMarks::Late;

bool touch(const Span& left, const Span& right) noexcept {
  return left.begin_ns <= right.end_ns && right.begin_ns <= left.end_ns;
}

class EpisodeFinder {
 public:
  EpisodeFinder(const EpisodeMarks& marks, const CardGeometry& card, ReadAhead read_ahead)
      : marks_(marks),
        card_(card),
        read_ahead_(read_ahead),
        length_ns_(frames_to_duration(card.fragment, card.rate).count()) {}

  std::vector<FoundEpisode> find() {
    find_starvations();
    find_xruns();
    find_sections();
    return by_start();
  }

 private:
  void find_starvations() {
    std::int64_t longest_ns = -1;
    std::int64_t end_ns = 0;
    for (const auto& wait : marks_.waits) {
      if (found_.empty() || wait.at_ns - end_ns >= kEpisodeGap.count()) {
        found_.push_back({.facts = {.kind = EpisodeKind::starvation, .start_ns = wait.at_ns}, .within = {}});
        longest_ns = -1;
      }
      auto& facts = found_.back().facts;
      facts.duration_ns += wait.duration_ns;
      facts.lost_ns += wait.duration_ns;
      facts.window.push_back({wait.at_ns, wait.at_ns + wait.duration_ns});
      end_ns = std::max(end_ns, wait.at_ns + wait.duration_ns);
      if (wait.duration_ns > longest_ns) {
        longest_ns = wait.duration_ns;
        facts.track = wait.track;
      }
    }
    starvations_ = found_.size();
  }

  /// The starvation in whose waits, or in the fragment right behind one, the card ran dry.
  std::optional<std::size_t> starvation_at(std::int64_t at_ns) const {
    for (std::size_t index = 0; index < starvations_; ++index) {
      for (const auto& wait : found_[index].facts.window) {
        if (at_ns >= wait.begin_ns && at_ns <= wait.end_ns + length_ns_) return index;
      }
    }
    return std::nullopt;
  }

  void find_xruns() {
    for (const auto& xrun : marks_.xruns) {
      EpisodeFacts facts{.kind = EpisodeKind::xrun,
                         .start_ns = xrun.at_ns,
                         .duration_ns = std::max<std::int64_t>(0, xrun.dry_ns)};
      const std::int64_t end_ns = xrun.at_ns + facts.duration_ns;
      const auto late = std::find_if(marks_.late.begin(), marks_.late.end(),
                                     [&](const Late& fragment) { return fragment.ended_ns >= xrun.at_ns; });
      auto first = late;
      std::int64_t due_ns = length_ns_;
      // Late fragments right before it belong to it: the last on-time event was before them.
      while (first != marks_.late.begin() && first != marks_.late.end() &&
             std::prev(first)->fragment.index + 1 == first->fragment.index) {
        --first;
        due_ns += length_ns_;
      }
      Span window{xrun.at_ns - length_ns_, std::max(end_ns, xrun.at_ns + 1)};
      if (first != marks_.late.end() && first->begin_ns() <= xrun.at_ns) window.begin_ns = first->begin_ns();
      if (xrun.dry_ns < 0 && late != marks_.late.end())
        window.end_ns = std::max(window.end_ns, late->ended_ns);
      facts.window = {window};
      facts.lost_ns = std::max(window.end_ns - window.begin_ns - due_ns, facts.duration_ns);
      for (auto fragment = first; fragment != marks_.late.end() && fragment->begin_ns() < window.end_ns;
           ++fragment) {
        add_figures(*fragment, facts);
      }
      found_.push_back({std::move(facts), starvation_at(xrun.at_ns)});
    }
    xruns_end_ = found_.size();
  }

  /// From the time by which the card should at the latest have had room, until it had.
  Span held_by_card(const Late& late) const noexcept {
    const auto& fragment = late.fragment;
    if (fragment.planned_ns < 0) return {};
    const std::int64_t writing_ns = late.ended_ns - fragment.t2_ns;
    const std::int64_t due_ns =
        writing_ns + std::max<std::int64_t>(0, length_ns_ - std::max<std::int64_t>(0, fragment.t3_ns));
    return {due_ns, std::max(due_ns, fragment.planned_ns)};
  }

  void add_figures(const Late& late, EpisodeFacts& facts) const {
    const auto& fragment = late.fragment;
    if (fragment.planned_ns >= 0)
      facts.wake_late_ns = std::max(facts.wake_late_ns, late.ended_ns - fragment.planned_ns);
    if (const Span held = held_by_card(late); held.end_ns > held.begin_ns) facts.card_held.push_back(held);
    if (read_ahead_ == ReadAhead::none)
      facts.own_reads.push_back({late.begin_ns(), late.begin_ns() + fragment.t1_ns});
  }

  bool belongs_to_another(const Late& late) const {
    const Span range{late.begin_ns(), late.ended_ns};
    for (std::size_t index = 0; index < xruns_end_; ++index) {
      for (const auto& window : found_[index].facts.window) {
        if (touch(range, window)) return true;
      }
    }
    return false;
  }

  /// Which section was far over the bound; nothing when none was.
  std::optional<EpisodeKind> kind_of(const Late& late) const noexcept {
    const auto& fragment = late.fragment;
    if (fragment.t1_ns > 2 * length_ns_) return EpisodeKind::ring_read;
    if (fragment.t3_ns > 2 * length_ns_) return EpisodeKind::outside;
    if (fragment.t2_ns <= 2 * length_ns_) return std::nullopt;
    // T2 waits by design. It is a fault when the card ran low, or when the card itself stood still: that is
    // heard, though its buffer stays full.
    const bool ran_low =
        fragment.slack_frames >= 0 && fragment.slack_frames * 5 < card_.buffer - card_.fragment;
    const Span held = held_by_card(late);
    if (ran_low || held.end_ns - held.begin_ns > length_ns_) return EpisodeKind::pcm_write;
    return std::nullopt;
  }

  static std::int64_t duration_of(EpisodeKind kind, const FragmentEvent& fragment) noexcept {
    if (kind == EpisodeKind::ring_read) return fragment.t1_ns;
    return kind == EpisodeKind::outside ? fragment.t3_ns : fragment.t2_ns;
  }

  void find_sections() {
    std::int64_t last_index = -2;
    for (const auto& late : marks_.late) {
      const auto kind = kind_of(late);
      if (!kind || belongs_to_another(late)) continue;
      const bool goes_on = found_.size() > xruns_end_ && found_.back().facts.kind == *kind &&
                           late.fragment.index == last_index + 1;
      if (!goes_on) {
        const bool writes = *kind == EpisodeKind::pcm_write;
        const std::int64_t start_ns = writes ? late.ended_ns - late.fragment.t2_ns : late.begin_ns();
        found_.push_back({.facts = {.kind = *kind, .start_ns = start_ns}, .within = {}});
      }
      last_index = late.fragment.index;
      auto& facts = found_.back().facts;
      facts.duration_ns += duration_of(*kind, late.fragment);
      facts.lost_ns += late.ended_ns - late.begin_ns() - length_ns_;
      facts.window.push_back({late.begin_ns(), late.ended_ns});
      add_figures(late, facts);
    }
  }

  std::vector<FoundEpisode> by_start() {
    std::vector<std::size_t> order(found_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [this](std::size_t left, std::size_t right) {
      return found_[left].facts.start_ns < found_[right].facts.start_ns;
    });
    std::vector<std::size_t> place(found_.size());
    for (std::size_t index = 0; index < order.size(); ++index) place[order[index]] = index;
    std::vector<FoundEpisode> sorted;
    for (const auto index : order) {
      sorted.push_back(std::move(found_[index]));
      if (sorted.back().within) sorted.back().within = place[*sorted.back().within];
    }
    return sorted;
  }

  const EpisodeMarks& marks_;
  CardGeometry card_;
  ReadAhead read_ahead_;
  std::int64_t length_ns_;
  std::vector<FoundEpisode> found_;  ///< starvations, then xruns, then sections
  std::size_t starvations_ = 0;
  std::size_t xruns_end_ = 0;
};

}  // namespace

std::vector<FoundEpisode> find_episodes(const EpisodeMarks& marks, const CardGeometry& card,
                                        ReadAhead read_ahead) {
  return EpisodeFinder(marks, card, read_ahead).find();
}

}  // namespace xrunlab
