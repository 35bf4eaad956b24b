#include "xrunlab/disk/bounded_reader.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "tests/disk/open_in_test.hpp"
#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab::test {
namespace {

TEST(BoundedReader, NumbersComeInBothOrders) {
  const std::string bytes("\x01\x02\x03\x04\x05\x06\x07\xf8", 8);
  BoundedReader reader(std::as_bytes(std::span(bytes)), "memory");
  EXPECT_EQ(reader.u16(0, ByteOrder::little), 0x0201);
  EXPECT_EQ(reader.u16(0, ByteOrder::big), 0x0102);
  EXPECT_EQ(reader.u32(1, ByteOrder::big), 0x02030405U);
  EXPECT_EQ(reader.u64(0, ByteOrder::little), 0xf807060504030201U);
  EXPECT_EQ(reader.u8(7), 0xf8);
}

TEST(BoundedReader, NothingOutsideIsRead) {
  const std::string bytes(8, 'x');
  BoundedReader reader(std::as_bytes(std::span(bytes)), "memory");
  EXPECT_TRUE(reader.holds(8, 0));
  EXPECT_FALSE(reader.holds(8, 1));
  EXPECT_FALSE(reader.holds(-1, 2));
  EXPECT_FALSE(reader.holds(INT64_MAX, INT64_MAX));
  EXPECT_EQ(reader.left_from(-5), 0);
  EXPECT_EQ(reader.left_from(100), 0);
  EXPECT_THROW(reader.u16(7, ByteOrder::big), Error);
  EXPECT_THROW(reader.u8(-1), Error);
  EXPECT_THROW(reader.u64(INT64_MAX - 2, ByteOrder::big), Error);
}

TEST(BoundedReader, AFileReadsLikeMemory) {
  const TemporaryDirectory directory;
  const AudioBytes bytes = ramp(SampleFormat::s16_le, 5000);
  const UniqueFd fd(::open(directory.write("bytes", bytes).c_str(), O_RDONLY));
  BoundedReader file(fd.get(), static_cast<Bytes>(bytes.size()), "file");
  BoundedReader memory(std::as_bytes(std::span(bytes.bytes())), "memory");
  for (const Bytes offset : {Bytes{0}, Bytes{4092}, Bytes{4093}, Bytes{19'992}, Bytes{1}, Bytes{12'345}}) {
    EXPECT_EQ(file.u64(offset, ByteOrder::little), memory.u64(offset, ByteOrder::little)) << offset;
  }
  EXPECT_THROW(file.u64(19'993, ByteOrder::little), Error);
}

TEST(BoundedReader, AFileThatShrinksIsAnErrorNotAHang) {
  const TemporaryDirectory directory;
  const UniqueFd fd(::open(directory.write("bytes", AudioBytes{}.zeros(100)).c_str(), O_RDONLY));
  BoundedReader reader(fd.get(), 10'000, "shrunk");
  EXPECT_EQ(reader.u32(0, ByteOrder::big), 0U);
  const Refusal refusal = refusal_by([&reader] { reader.u32(5000, ByteOrder::big); });
  EXPECT_TRUE(contains(refusal.what, "shrunk: ended at byte 5000"));
}

}  // namespace
}  // namespace xrunlab::test
