#include "xrunlab/model/set_manifest.hpp"

#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

SetManifest sample() {
  SetManifest manifest;
  manifest.complete = true;
  manifest.seed = 0xFFFFFFFFFFFFFFFFu;
  manifest.format = "S24_3LE";
  manifest.files = {{"track-001.wav", 44}, {"track-002.wav", -1}};
  return manifest;
}

TEST(SetManifest, ComesBackFromItsJson) {
  const auto back = set_manifest_from_json(to_json(sample()));
  EXPECT_TRUE(back.complete);
  EXPECT_EQ(back.seed, 0xFFFFFFFFFFFFFFFFu);
  EXPECT_EQ(back.format, "S24_3LE");
  EXPECT_EQ(back.files, sample().files);
}

TEST(SetManifest, NamesOutsideTheDirectoryAreRefused) {
  for (const char* name : {"../victim", "/etc/passwd", "a/b", "", ".", "..", ".hidden", kSetManifestName}) {
    auto manifest = sample();
    manifest.files[0].name = name;
    EXPECT_THROW(set_manifest_from_json(to_json(manifest)), Error) << name;
  }
}

TEST(SetManifest, OtherTextIsAnInputError) {
  for (const char* text : {"", "{", "[]", "{}", R"({"schema":"other/1"})"}) {
    try {
      set_manifest_from_json(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::input_file);
    }
  }
}

}  // namespace
}  // namespace xrunlab
