// A directory that stands for a machine's root in tests; removed with everything in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab::test {

class FakeTree {
 public:
  FakeTree() {
    std::string name = testing::TempDir() + "/xrunlab-tree-XXXXXX";
    directory_ = ::mkdtemp(name.data()) != nullptr ? name : "/nonexistent";
  }
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;
  ~FakeTree() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  SysRoot root() const { return SysRoot(directory_); }
  const std::string& directory() const { return directory_; }

  FakeTree& file(std::string_view path, std::string_view text) {
    const std::filesystem::path full = directory_ + std::string(path);
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full, std::ios::binary) << text;
    return *this;
  }
  FakeTree& link(std::string_view path, std::string_view target) {
    const std::filesystem::path full = directory_ + std::string(path);
    std::filesystem::create_directories(full.parent_path());
    std::filesystem::create_symlink(std::string(target), full);
    return *this;
  }

 private:
  std::string directory_;
};

}  // namespace xrunlab::test
