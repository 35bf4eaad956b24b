// --set and what follows from it. An input has up to five lines: set, container, tracks, duration, layout.
// Whatever is accepted can be laid out, and its files have the sizes that their numbers give.

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/core/parse.hpp"
#include "xrunlab/disk/container.hpp"
#include "xrunlab/disk/set_spec.hpp"

namespace xrunlab::fuzz::set_spec {
namespace {

std::string_view next_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

void check(const SetSpec& spec) {
  require(spec.rate.hz >= 1 && spec.channels >= 1 && spec.channels <= 1024, "a set out of range");
  check_set(spec);
  const Bytes bytes = track_file_bytes(spec);
  const Bytes samples = spec.frames() * spec.channels * bytes_per_sample(spec.format);
  require(samples > 0 && bytes > samples, "a file smaller than its samples");
  require(bytes <= INT64_MAX / spec.tracks, "the bytes of the set do not fit 63 bits");
  if (spec.container != "flac") {
    const auto layout =
        lay_out_container(spec.container, spec.format, spec.rate, spec.channels, spec.frames());
    require(layout.file_bytes() == bytes && layout.data_bytes == samples,
            "laid out otherwise than announced");
  }
  for (const int index : {0, spec.tracks - 1}) {
    const std::string name = track_name(spec, index);
    require(name.starts_with("track-") && name.find('/') == std::string::npos, "no plain name of a track");
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return {"48k/24/1",
          "44.1k/f/2\nwav\n10\n60s\ncontiguous",
          "96000/16/8\nrf64\n10000\n10h\ninterleaved",
          "8k/8/1024\nw64\n1",
          "48k/32/2\naiff\n3\n1m",
          "10000000/24/1\nflac\n2\n1us",
          "48k/24",
          "48k/24/0",
          "48k//1\nogg"};
}

void run(const std::uint8_t* data, std::size_t size) {
  refusal_of(ExitCode::usage, [&] {
    std::string_view text = text_of(data, size);
    const AllocationLimit limit(16 * 1024 + 8 * size);
    SetSpec spec = parse_set(next_line(text));
    if (const auto container = next_line(text); !container.empty()) spec.container = container;
    if (const auto tracks = next_line(text); !tracks.empty()) {
      spec.tracks = static_cast<int>(parse_integer("--tracks", tracks, 1, 10'000));
    }
    if (const auto duration = next_line(text); !duration.empty())
      spec.duration = parse_duration("-d", duration);
    if (const auto layout = layout_from(next_line(text))) spec.layout = *layout;
    check(spec);
  });
}

const Registered registered{{"set_spec", seeds, run}};

}  // namespace xrunlab::fuzz::set_spec
