// A directory for the files of loads, on the disk that the build is on: /tmp may be memory. Removed at the
// end.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace xrunlab::test {

class LoadDirectory : public testing::Test {
 protected:
  LoadDirectory() {
    std::string name = XRUNLAB_BINARY_DIR "/load.XXXXXX";
    directory_ = ::mkdtemp(name.data()) != nullptr ? name : "/nonexistent";
  }
  ~LoadDirectory() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
};

}  // namespace xrunlab::test
