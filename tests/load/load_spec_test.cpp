#include "xrunlab/load/load_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LoadSpec parsed(const std::string& text) {
  return parse_load_spec("--load", text);
}

std::string refusal_of(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage) << text;
    return error.what() + (error.remedy().empty() ? "" : "; " + error.remedy());
  }
  return "accepted";
}

TEST(LoadSpec, ReadHasADirectoryAndDefaults) {
  const auto spec = parsed("read:/mnt");
  EXPECT_EQ(spec.kind, LoadKind::read);
  EXPECT_EQ(spec.text, "read:/mnt");
  EXPECT_EQ(spec.path, "/mnt");
  EXPECT_FALSE(spec.rate);
  EXPECT_EQ(spec.block, 256 << 10);
  EXPECT_EQ(spec.jobs, 1);
  EXPECT_EQ(spec.size, 1 << 30);
}

TEST(LoadSpec, KeysSetWhatTheyName) {
  const auto read = parsed("read:.,rate=20MB/s,bs=64KiB,jobs=4,size=16MiB");
  EXPECT_EQ(read.rate, 20'000'000);
  EXPECT_EQ(read.block, 64 << 10);
  EXPECT_EQ(read.jobs, 4);
  EXPECT_EQ(read.size, 16 << 20);
  EXPECT_EQ(parsed("write:.,fsync").sync, LoadSync::each_write);
  EXPECT_EQ(parsed("write:.").sync, LoadSync::by_kernel);
  EXPECT_EQ(parsed("cpu:3,share=50%").share, 0.5);
  EXPECT_EQ(parsed("fault:2,size=1GiB").size, 1 << 30);
  EXPECT_EQ(parsed("fault:2").size, 64 << 20);
  EXPECT_EQ(parsed("exec").path, ".");
  EXPECT_EQ(parsed("exec:size=8MiB").size, 8 << 20);
  EXPECT_EQ(parsed("exec:/mnt").path, "/mnt");
}

TEST(LoadSpec, ASlowRateHasSmallBlocksSoThatItIsEven) {
  EXPECT_EQ(parsed("read:.,rate=1MiB").block, 100 << 10);
  EXPECT_EQ(parsed("read:.,rate=10").block, 4096);
  EXPECT_EQ(parsed("read:.,rate=10,bs=1MiB").block, 1 << 20);
}

TEST(LoadSpec, RecordTakesOverTheSetThatIsPlayedUnlessItHasItsOwn) {
  const auto spec = parsed("record:/mnt,tracks=8");
  EXPECT_EQ(spec.tracks, 8);
  EXPECT_FALSE(asked_bytes_per_s(spec));
  const auto taken = with_track(spec, SampleRate{44'100}, SampleFormat::s24_3be, 2);
  EXPECT_EQ(taken.text, "record:/mnt,tracks=8,set=44100/24/2");
  EXPECT_EQ(asked_bytes_per_s(taken), 8 * 44'100 * 6);
  EXPECT_EQ(asked_bytes_per_s(parsed(taken.text)), 8 * 44'100 * 6) << "what the load's process parses";
  const auto own = parsed("record:/mnt,set=96k/f/1,tracks=1");
  EXPECT_EQ(with_track(own, SampleRate{44'100}, SampleFormat::u8, 1).text, own.text);
  EXPECT_EQ(with_track(parsed("cpu:1"), SampleRate{44'100}, SampleFormat::u8, 1).text, "cpu:1");
  for (const auto format : {SampleFormat::u8, SampleFormat::s8, SampleFormat::s16_be, SampleFormat::s24_le,
                            SampleFormat::s32_be, SampleFormat::f32_le, SampleFormat::f64_be}) {
    EXPECT_TRUE(with_track(spec, SampleRate{48'000}, format, 1).track) << to_string(format);
  }
}

TEST(LoadSpec, ProgramsOfOthersTakeAllThatFollows) {
  const auto fio = parsed("fio:/home/a,b=c.fio");
  EXPECT_EQ(fio.path, "/home/a,b=c.fio");
  EXPECT_FALSE(is_own(fio.kind));
  EXPECT_THAT(parsed("stress-ng:--vm 2 --temp-path '/tmp/a b'").arguments,
              ElementsAre("--vm", "2", "--temp-path", "/tmp/a b"));
}

TEST(LoadSpec, AskedCpusAreThoseOfAShare) {
  EXPECT_FALSE(asked_cpus(parsed("cpu:2")));
  EXPECT_EQ(asked_cpus(parsed("cpu:2,share=0.25")), 0.5);
}

TEST(LoadSpec, ARefusalNamesTheKeyAndWhatToWrite) {
  EXPECT_THAT(refusal_of("disk:/mnt"),
              HasSubstr("--load 'disk': there is no such load; the kinds are read,"));
  EXPECT_THAT(refusal_of(""), HasSubstr("there is no such load"));
  EXPECT_THAT(refusal_of("read"), HasSubstr("--load read: it has no DIR; write it as in read:/mnt"));
  EXPECT_THAT(refusal_of("read:rate=1MB"), HasSubstr("it has no DIR"));
  EXPECT_THAT(refusal_of("read:/mnt,rat=1MB"),
              HasSubstr("--load read: it has no key 'rat'; it takes rate, bs, jobs and size"));
  EXPECT_THAT(refusal_of("read:/mnt,rate"), HasSubstr("--load read, rate: it has no value"));
  EXPECT_THAT(refusal_of("read:/mnt,rate=2M"), HasSubstr("--load read, rate: '2M' could mean 2MiB"));
  EXPECT_THAT(refusal_of("read:/mnt,rate=0"), HasSubstr("--load read, rate: '0' is not from 1 to"));
  EXPECT_THAT(refusal_of("read:/mnt,bs=5000"), HasSubstr("bs: '5000' is no multiple of 4KiB"));
  EXPECT_THAT(refusal_of("read:/mnt,fsync"), HasSubstr("it has no key 'fsync'"));
  EXPECT_THAT(refusal_of("write:/mnt,fsync=1"), HasSubstr("--load write, fsync: it takes no value"));
  EXPECT_THAT(refusal_of("cpu:0"), HasSubstr("--load cpu: '0' is not a whole number from 1 to 1024"));
  EXPECT_THAT(refusal_of("cpu:2,share=2"), HasSubstr("--load cpu, share: '2' is no share"));
  EXPECT_THAT(refusal_of("cpu:2,share=0"), HasSubstr("no share"));
  EXPECT_THAT(refusal_of("cpu:2,share=nan"), HasSubstr("no share"));
  EXPECT_THAT(refusal_of("record:/mnt"), HasSubstr("--load record: it has no tracks"));
  EXPECT_THAT(refusal_of("record:/mnt,tracks=2,set=48k/9/1"),
              HasSubstr("--load record, set: '9' is not 8, 16,"));
  EXPECT_THAT(refusal_of("fio:"), HasSubstr("--load fio: it has no JOBFILE"));
  EXPECT_THAT(refusal_of("stress-ng:'--cpu"), HasSubstr("a quotation mark is not closed"));
}

TEST(LoadSpec, AnyTextIsParsedOrRefused) {
  static const char* const kPieces[] = {"read", "cpu",  "record", "fio",      "exec",   ":",    ",",   "=",
                                        "rate", "bs",   "size",   "set",      "tracks", "1",    "-1",  "%",
                                        "1MiB", "/tmp", "'",      "48k/24/1", "9e99",   "\xff", "inf", " "};
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string text;
    for (auto pieces = random() % 9; pieces > 0; --pieces) text += kPieces[random() % std::size(kPieces)];
    try {
      const auto spec = parsed(text);
      EXPECT_EQ(spec.text, text);
      EXPECT_GE(spec.jobs, 1);
      EXPECT_TRUE(!is_own(spec.kind) || (spec.block > 0 && spec.block % kPageBytes == 0));
      ++accepted;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage) << text;
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace xrunlab
