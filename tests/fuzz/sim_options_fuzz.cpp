// What stands behind "sim:": options that are accepted are within their ranges, and a card made of them keeps
// its own clock.

#include "tests/fuzz/fuzz_target.hpp"
#include "xrunlab/audio/sim_options.hpp"

namespace xrunlab::fuzz::sim_options {
namespace {

void check(const SimOptions& options) {
  require(!options.channels || (*options.channels >= 1 && *options.channels <= kSimMaxChannels), "channels");
  require(!options.rate || (options.rate->hz >= 1 && options.rate->hz <= 10'000'000), "rate");
  require(!options.period || *options.period >= kSimMinPeriod, "period");
  require(options.ppm >= -500'000 && options.ppm <= 500'000, "ppm");
  require(!options.formats.empty(), "no format");
  for (const auto& stall : options.stalls) {
    require(stall.at.count() >= 0 && stall.length.count() >= 0,
            "a stall before the start, or of negative length");
  }
}

/// A million seconds after the machine's start, which is more than eleven days.
constexpr Nanoseconds kStart = std::chrono::seconds{1'000'000};

void check_card(const SimOptions& options) {
  SimCard card({options.rate.value_or(SampleRate{48'000}), options.ppm}, options.stalls);
  card.start(kStart);
  Frames before = 0;
  for (const auto after : {std::chrono::seconds{0}, std::chrono::seconds{1}, std::chrono::seconds{100}}) {
    const Frames position = card.position(kStart + after);
    require(position >= before, "the card goes backwards");
    before = position;
    require(card.past_stall(kStart + after) >= kStart + after, "a stall ends before it begins");
  }
  const Nanoseconds instant = card.reached(1024);
  require(instant > kStart, "frames are reached before they can be");
}

}  // namespace

std::vector<std::string> seeds() {
  return {"",
          "channels=6,rate=48000,formats=S32_LE+S16_LE,period=192,ppm=50,stall=3s+70ms,capture=/tmp/x.wav",
          "stall=1s+1s,stall=1500ms+2s,stall=0+10us,ppm=-500000",
          "rate=44.1k,formats=U8",
          "formats=",
          "stall=100000000000000s+1s",
          "stall=9e18",
          "colour=red",
          ",,=,"};
}

void run(const std::uint8_t* data, std::size_t size) {
  refusal_of(ExitCode::usage, [&] {
    const AllocationLimit limit(16 * 1024 + 64 * size);
    const SimOptions options = parse_sim_options(text_of(data, size));
    check(options);
    check_card(options);
  });
}

const Registered registered{{"sim_options", seeds, run}};

}  // namespace xrunlab::fuzz::sim_options
