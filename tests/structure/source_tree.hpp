// Reads the text files of a source tree for the rules that are checked as tests, and carries what they find.
// Used by every file of this directory.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab::structure {

/// A broken rule: `path:line: rule`.
struct Finding {
  std::string path;      ///< relative to the tree
  std::size_t line = 0;  ///< counted from 1; 0: the whole file
  std::string rule;
};
using Findings = std::vector<Finding>;

/// All findings as text, one a line; for a failure message.
std::string to_text(const Findings& findings);

struct SourceFile {
  std::string path;                ///< relative to the tree
  std::vector<std::string> lines;  ///< as written
  std::vector<std::string> code;   ///< the same lines without comments, strings and character literals
};

class SourceTree {
 public:
  /// Reads all text files below the top-level entries of `root`, except build/ and .git.
  explicit SourceTree(const std::filesystem::path& root);

  const std::vector<SourceFile>& files() const noexcept { return files_; }
  /// The file at `path`, or nullptr.
  const SourceFile* find(std::string_view path) const;
  /// Names of all top-level entries, sorted.
  const std::vector<std::string>& top_level() const noexcept { return top_level_; }

 private:
  std::vector<SourceFile> files_;
  std::vector<std::string> top_level_;
};

/// C++ sources and headers.
bool is_cpp(const SourceFile& file);

/// Hands on the code without preprocessor directives, letter by letter with its line from 1; a blank ends
/// each line.
void scan_code(const SourceFile& file, const std::function<void(char letter, std::size_t line)>& feed);

/// "disk" for src/disk/x.cpp and include/xrunlab/disk/x.hpp, "ringbuffer" for ringbuffer/x.hpp, else empty.
std::string room_of(std::string_view path);

}  // namespace xrunlab::structure
