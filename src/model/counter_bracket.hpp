// Counters that are sampled now and then, over a window between two samples. Used by attribution alone.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "xrunlab/model/evidence.hpp"

namespace xrunlab {

using Amount = std::optional<std::int64_t>;

/// How much a counter grew between the readings right before and right after a window.
class CounterBracket {
 public:
  CounterBracket(const std::vector<SystemSample>& samples, const std::vector<Span>& window)
      : samples_(samples) {
    for (const auto& span : window) {
      hull_.begin_ns = hull_.end_ns == 0 ? span.begin_ns : std::min(hull_.begin_ns, span.begin_ns);
      hull_.end_ns = std::max(hull_.end_ns, span.end_ns);
    }
  }

  /// `get` gives the counter in one sample. Nothing when it was not read twice.
  template <class Get>
  Amount growth(const Get& get) const {
    const auto ends = ends_of(get);
    if (!ends.before || !ends.after || ends.before == ends.after) return std::nullopt;
    return *get(*ends.after) - *get(*ends.before);
  }

  Amount length() const {
    const auto ends = ends_of([](const SystemSample& sample) { return Amount(sample.at_ns); });
    if (!ends.before || ends.before == ends.after) return std::nullopt;
    return ends.after->at_ns - ends.before->at_ns;
  }

 private:
  struct Ends {
    const SystemSample* before = nullptr;
    const SystemSample* after = nullptr;
  };

  template <class Get>
  Ends ends_of(const Get& get) const {
    Ends ends;
    for (const auto& sample : samples_) {
      if (!get(sample)) continue;
      if (ends.before == nullptr || sample.at_ns <= hull_.begin_ns) ends.before = &sample;
      if (ends.after == nullptr || ends.after->at_ns < hull_.end_ns) ends.after = &sample;
    }
    return ends;
  }

  const std::vector<SystemSample>& samples_;
  Span hull_;
};

}  // namespace xrunlab
