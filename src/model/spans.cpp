#include "xrunlab/model/spans.hpp"

#include <algorithm>

namespace xrunlab {

std::vector<Span> united(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& left, const Span& right) { return left.begin_ns < right.begin_ns; });
  std::vector<Span> result;
  for (const auto& span : spans) {
    if (span.end_ns <= span.begin_ns) continue;
    if (!result.empty() && span.begin_ns <= result.back().end_ns) {
      result.back().end_ns = std::max(result.back().end_ns, span.end_ns);
    } else {
      result.push_back(span);
    }
  }
  return result;
}

std::vector<Span> common(const std::vector<Span>& left, const std::vector<Span>& right) {
  const auto a = united(left);
  const auto b = united(right);
  std::vector<Span> result;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Span both{std::max(a[i].begin_ns, b[j].begin_ns), std::min(a[i].end_ns, b[j].end_ns)};
    if (both.begin_ns < both.end_ns) result.push_back(both);
    if (a[i].end_ns < b[j].end_ns) {
      ++i;
    } else {
      ++j;
    }
  }
  return result;
}

std::vector<Span> without(const std::vector<Span>& from, const std::vector<Span>& taken) {
  const auto holes = united(taken);
  std::vector<Span> result;
  for (Span span : united(from)) {
    for (const auto& hole : holes) {
      if (hole.end_ns <= span.begin_ns || hole.begin_ns >= span.end_ns) continue;
      if (hole.begin_ns > span.begin_ns) result.push_back({span.begin_ns, hole.begin_ns});
      span.begin_ns = std::min(hole.end_ns, span.end_ns);
    }
    if (span.begin_ns < span.end_ns) result.push_back(span);
  }
  return result;
}

std::int64_t length_ns(const std::vector<Span>& spans) {
  std::int64_t sum = 0;
  for (const auto& span : united(spans)) sum += span.end_ns - span.begin_ns;
  return sum;
}

}  // namespace xrunlab
