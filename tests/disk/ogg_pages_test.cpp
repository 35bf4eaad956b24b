#include "xrunlab/disk/ogg_pages.hpp"

#include "tests/disk/open_in_test.hpp"
#include "tests/disk/written_by_libsndfile.hpp"

namespace xrunlab::test {
namespace {

std::string ogg(const TemporaryDirectory& directory, int subtype, Frames frames) {
  return content_of(write_coded(directory.path() / "seed", SF_FORMAT_OGG | subtype, frames));
}

std::vector<std::size_t> pages(const std::string& bytes) {
  std::vector<std::size_t> starts;
  for (auto at = bytes.find("OggS"); at != std::string::npos; at = bytes.find("OggS", at + 4))
    starts.push_back(at);
  return starts;
}

TEST(OggPages, OggWithoutItsEndIsWarnedOf) {
  const TemporaryDirectory directory;
  for (const int subtype : {SF_FORMAT_VORBIS, SF_FORMAT_OPUS}) {
    const std::string whole = ogg(directory, subtype, 96'000);
    EXPECT_TRUE(opened(AudioBytes{}.text(whole)).warnings.empty());
    EXPECT_TRUE(opened(AudioBytes{}.text(whole).text("appended")).warnings.empty());
    const auto starts = pages(whole);
    for (const std::size_t length : {starts.back(), starts.back() + 20, whole.size() - 1}) {
      const AudioFile file = opened(AudioBytes{}.text(whole.substr(0, length)));
      EXPECT_TRUE(has_warning(file, "ended early: no end-of-stream page")) << length;
      EXPECT_TRUE(file.short_input);
    }
  }
}

TEST(OggPages, ChainedOggIsWarnedOf) {
  const TemporaryDirectory directory;
  for (const Frames frames : {Frames{20'000}, Frames{480'000}}) {
    const std::string one = ogg(directory, SF_FORMAT_VORBIS, frames);
    const std::string other = ogg(directory, SF_FORMAT_VORBIS, frames / 2);
    for (const std::string& second : {one, other}) {
      const AudioFile file = opened(AudioBytes{}.text(one).text(second));
      EXPECT_TRUE(has_warning(file, "chained: only the first stream")) << frames;
      EXPECT_FALSE(has_warning(file, "ended early"));
    }
  }
}

TEST(OggPages, MissingOggPagesAreCounted) {
  const TemporaryDirectory directory;
  const std::string whole = ogg(directory, SF_FORMAT_VORBIS, 96'000);
  const auto starts = pages(whole);
  ASSERT_GT(starts.size(), 5U);
  const std::string holed = whole.substr(0, starts[3]) + whole.substr(starts[4]);
  EXPECT_TRUE(has_warning(opened(AudioBytes{}.text(holed)), "damaged: 1 page is missing"));
}

}  // namespace
}  // namespace xrunlab::test
