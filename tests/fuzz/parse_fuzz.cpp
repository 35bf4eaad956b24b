// Sizes, times, rates, gains and numbers as people type them: what is accepted is within its range, and the
// parser of all three kinds of size agrees with those of one kind.

#include <cmath>

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/core/parse.hpp"

namespace xrunlab::fuzz::parse {
namespace {

constexpr std::size_t kMostHeld = 8 * 1024;

template <typename Check>
bool accepted(const Check& check) {
  return refusal_of(ExitCode::usage, check).empty();
}

void check_size(std::string_view text) {
  AudioSize size = FrameCount{0};
  if (!accepted([&] { size = parse_audio_size("--ring", text); })) return;
  if (const auto* const time = std::get_if<Nanoseconds>(&size)) {
    require(time->count() >= 0 && parse_duration("--ring", text) == *time,
            "a size that is a time is another time");
  } else if (const auto* const bytes = std::get_if<ByteCount>(&size)) {
    require(bytes->value >= 0 && parse_bytes("--ring", text) == bytes->value,
            "a size in bytes is another number");
  } else {
    const Frames frames = std::get<FrameCount>(size).value;
    require(frames >= 0 && parse_bytes("--ring", text) == frames, "a plain size is another number of bytes");
  }
}

void check_numbers(std::string_view text) {
  accepted([&] { require(parse_bytes("--io-size", text) >= 0, "negative bytes"); });
  accepted([&] { require(parse_duration("-d", text) >= Nanoseconds{0}, "a negative time"); });
  accepted([&] {
    const auto rate = parse_rate("-r", text);
    require(rate.hz >= 1 && rate.hz <= 10'000'000, "a rate out of range");
  });
  accepted([&] {
    const double gain = parse_gain_db("--gain", text);
    require(std::isfinite(gain) && gain >= -200 && gain <= 60, "a gain out of range");
  });
  for (const std::int64_t most : {std::int64_t{0}, std::int64_t{1024}, INT64_MAX}) {
    accepted([&] {
      const auto value = parse_integer("-c", text, -7, most);
      require(value >= -7 && value <= most, "a number out of range");
    });
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return {"0",
          "65536",
          "5s",
          "250ms",
          "1.5s",
          "20MiB",
          "20 MB",
          "64k",
          "2M",
          "0.25GiB",
          "-1",
          "44.1k",
          "48000Hz",
          "9.2e18",
          "1e300",
          "3 us",
          "7 \xc2\xb5s",
          "10m",
          "1h",
          "-6.5 dB",
          "+3",
          "-40",
          "0dB",
          "nan",
          "inf",
          "0x10",
          ".5kB",
          "5.",
          "1e-400",
          "92233720368547758",
          "9223372036854775807",
          "1,5s"};
}

void run(const std::uint8_t* data, std::size_t size) {
  const AllocationLimit limit(kMostHeld + 8 * size);
  check_size(text_of(data, size));
  check_numbers(text_of(data, size));
}

const Registered registered{{"parse", seeds, run}};

}  // namespace xrunlab::fuzz::parse
