#include "xrunlab/platform/cold_pages.hpp"

#include <fcntl.h>

#include <algorithm>

#include "xrunlab/platform/page_cache.hpp"

namespace xrunlab {
namespace {

constexpr int kMostQuestions = 4096;  // some milliseconds

}  // namespace

ColdPages::ColdPages(int fd, Bytes size) : fd_(fd) {
  int questions_left = kMostQuestions;
  if (size > 0) find({0, round_up(size, kPageBytes)}, questions_left);
}

ColdPages::~ColdPages() {
  // Once more from the start: a large page that reached beyond an earlier end was left.
  for (const Range& range : cold_) drop(range);
}

void ColdPages::find(Range range, int& questions_left) {
  if (questions_left-- <= 0) return;
  const FileRange asked{fd_, range.begin, range.end - range.begin};
  const double share = cached_share({&asked, 1}).value_or(0);
  if (share >= 1) return;
  if (share <= 0) {
    const bool adjoins = !cold_.empty() && cold_.back().end == range.begin;
    if (adjoins) {
      cold_.back().end = range.end;
    } else {
      cold_.push_back(range);
    }
    return;
  }
  const Bytes middle = range.begin + round_up((range.end - range.begin) / 2, kPageBytes);
  if (middle >= range.end) return;
  find({range.begin, middle}, questions_left);
  find({middle, range.end}, questions_left);
}

void ColdPages::drop(Range range) const noexcept {
  ::posix_fadvise(fd_, range.begin, range.end - range.begin, POSIX_FADV_DONTNEED);
}

void ColdPages::drop_before(Bytes offset) noexcept {
  for (; first_ < cold_.size(); ++first_) {
    const Range range = cold_[first_];
    if (range.begin >= offset) return;
    drop({range.begin, std::min(range.end, offset)});
    if (range.end > offset) return;
  }
}

}  // namespace xrunlab
