#include "xrunlab/timing/trace_format.hpp"

#include <gtest/gtest.h>

namespace xrunlab {
namespace {

TEST(Crc32, GivesTheStandardCheckValue) {
  const std::string digits = "123456789";
  EXPECT_EQ(crc32(std::as_bytes(std::span(digits))), 0xCBF43926U);
}

}  // namespace
}  // namespace xrunlab
