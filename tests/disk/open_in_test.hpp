// What the tests of the header parsers share: writing bytes to a file and opening it, and comparing what the
// result points at with the samples that were put there.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/disk/audio_bytes.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/audio_file.hpp"

namespace xrunlab::test {

inline AudioFile opened(const AudioBytes& bytes, LengthRule rule = LengthRule::believe_header) {
  const TemporaryDirectory directory;
  return open_audio_file(directory.write("track", bytes), rule);
}

struct Refusal {
  std::string what;
  std::string remedy;
};

template <typename Action>
Refusal refusal_by(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return {error.what(), error.remedy()};
  }
  ADD_FAILURE() << "was not refused";
  return {};
}

inline Refusal refusal_of(const AudioBytes& bytes) {
  return refusal_by([&bytes] { opened(bytes); });
}

/// The file holds `samples` at data_offset, and they are `frames` of them.
inline void expect_samples(const AudioBytes& bytes, SampleFormat format, Frames frames,
                           const AudioBytes& samples, int channels = 2) {
  const AudioFile file = opened(bytes);
  ASSERT_TRUE(file.raw_format.has_value());
  EXPECT_EQ(to_string(*file.raw_format), to_string(format));
  EXPECT_EQ(file.codec, "pcm");
  EXPECT_EQ(file.channels, channels);
  EXPECT_EQ(file.frames, frames);
  EXPECT_TRUE(file.frames_known);
  EXPECT_EQ(file.file_bytes, static_cast<Bytes>(bytes.size()));
  ASSERT_EQ(file.data_bytes, frames * file.frame_bytes());
  ASSERT_LE(file.data_offset + file.data_bytes, file.file_bytes);
  EXPECT_EQ(bytes.bytes().compare(static_cast<std::size_t>(file.data_offset),
                                  static_cast<std::size_t>(file.data_bytes), samples.bytes(), 0,
                                  static_cast<std::size_t>(file.data_bytes)),
            0);
}

inline bool has_warning(const AudioFile& file, const std::string& part) {
  return std::any_of(file.warnings.begin(), file.warnings.end(),
                     [&part](const std::string& text) { return text.find(part) != std::string::npos; });
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace xrunlab::test
