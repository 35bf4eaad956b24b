// Remembers which pages of a file are not in the page cache, and drops them again behind somebody who reads
// the file: whoever looks at all samples must not warm the cache for the run that comes after. Used by the
// scan of `inspect`, on the main thread.
#pragma once

#include <vector>

#include "xrunlab/core/units.hpp"

namespace xrunlab {

class ColdPages {
 public:
  /// Asks for the first `size` bytes of `fd`, which stays the caller's and must outlive the object. Where the
  /// kernel does not tell, all pages pass for cold; what is too scattered to be asked for within 4,096
  /// questions passes for cached.
  ColdPages(int fd, Bytes size);
  ColdPages(const ColdPages&) = delete;
  ColdPages& operator=(const ColdPages&) = delete;
  /// Drops all that were cold. Dirty and mapped pages stay, and so does what another reader's read-ahead is
  /// just bringing in.
  ~ColdPages();

  /// Drops those before `offset`, so that a scan never fills the cache.
  void drop_before(Bytes offset) noexcept;

 private:
  struct Range {
    Bytes begin = 0;
    Bytes end = 0;
  };
  void find(Range range, int& questions_left);
  void drop(Range range) const noexcept;

  int fd_;
  std::vector<Range> cold_;
  std::size_t first_ = 0;  ///< index of the first range that is not yet dropped as a whole
};

}  // namespace xrunlab
