// All bytes of a file, for tests that change them and write them back.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace xrunlab::test {

inline std::string file_contents(const std::filesystem::path& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

}  // namespace xrunlab::test
