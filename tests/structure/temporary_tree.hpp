// A source tree in a temporary directory, in which tests plant what the rules must find. Used by the tests of
// this directory.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/structure/source_tree.hpp"

namespace xrunlab::structure {

class TemporaryTree {
 public:
  TemporaryTree() {
    auto pattern = (std::filesystem::temp_directory_path() / "structure-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
    root_ = pattern;
  }
  TemporaryTree(const TemporaryTree&) = delete;
  TemporaryTree& operator=(const TemporaryTree&) = delete;
  ~TemporaryTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  const std::filesystem::path& root() const noexcept { return root_; }

  TemporaryTree& plant(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
    return *this;
  }

  SourceTree read() const { return SourceTree(root_); }

 private:
  std::filesystem::path root_;
};

}  // namespace xrunlab::structure
