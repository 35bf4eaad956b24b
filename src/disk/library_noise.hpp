// Catches what a decoding library prints on stderr by itself (libmpg123 does, for a broken MP3, and
// libsndfile gives no way to tell it not to), so that it can go into a message of ours. Made around each call
// of libsndfile; on the thread that makes the call, others are not touched.
#pragma once

#include <string>

namespace xrunlab {

class LibraryNoise {
 public:
  LibraryNoise() noexcept;
  LibraryNoise(const LibraryNoise&) = delete;
  LibraryNoise& operator=(const LibraryNoise&) = delete;
  ~LibraryNoise();

  /// The last line that was printed since, as it may stand in one line of text; empty when nothing was.
  std::string last_line() const;

  /// " (it says: LINE)" to be put behind a message, or nothing.
  std::string remark() const;

 private:
  std::string text_;
  std::string* outer_;
};

}  // namespace xrunlab
