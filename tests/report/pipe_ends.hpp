// A pipe in place of a terminal, for the tests of what is drawn on one.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab::test {

/// What can be read from `fd` now; waits for something to come.
inline std::string take_text(int fd) {
  std::array<char, 4096> bytes{};
  const auto count = ::read(fd, bytes.data(), bytes.size());
  return {bytes.data(), static_cast<std::size_t>(count > 0 ? count : 0)};
}

struct PipeEnds {
  PipeEnds() {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    out.reset(ends[0]);
    in.reset(ends[1]);
  }
  std::string take() const { return take_text(out.get()); }

  UniqueFd out;
  UniqueFd in;
};

}  // namespace xrunlab::test
