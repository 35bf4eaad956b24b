// Notices when a file is overwritten while it is open, by inotify: nothing is asked of file or disk until the
// kernel tells of a change. Made by main in set-up, and waited for by main beside other things.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/core/units.hpp"

namespace xrunlab {

class FileWatch {
 public:
  /// Watches the open files `fds`, which must outlive it. Where that is refused refusal() says why.
  explicit FileWatch(std::vector<int> fds);

  /// Why changes of some file will not be noticed; empty when all are watched.
  const std::string& refusal() const noexcept { return refusal_; }

  /// Becomes readable when overwritten() has something to look at; −1 when nothing is watched.
  int fd() const noexcept { return inotify_.get(); }

  /// Index of a file that has other content than when the watch began: overwritten in place, or cut and
  /// written anew. One that was only appended to does not count, nor one that was only cut (reading meets its
  /// end), nor one whose name was removed or given to another file (an open file is not changed by that).
  /// Does not block.
  std::optional<std::size_t> overwritten();

 private:
  struct File {
    int fd = -1;
    Bytes size = 0;  ///< when the watch began
    bool was_cut = false;
  };
  void watch(std::size_t index);
  bool has_other_content(File& file);

  UniqueFd inotify_;
  std::vector<File> files_;
  std::map<int, std::size_t> index_by_watch_;
  std::string refusal_;
};

}  // namespace xrunlab
