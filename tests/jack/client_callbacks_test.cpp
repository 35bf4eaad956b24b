#include "src/jack/client_callbacks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace xrunlab {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(MeanOfInputs, StandsInEveryOutput) {
  const std::array<float, 3> first{1, 2, 3};
  const std::array<float, 3> second{3, 2, -3};
  std::array<float, 3> left{9, 9, 9};
  std::array<float, 3> right{9, 9, 9};
  const std::array<const float*, 2> inputs{first.data(), second.data()};
  const std::array<float*, 2> outputs{left.data(), right.data()};
  mean_of_inputs(inputs, outputs, 3);
  EXPECT_THAT(left, ElementsAre(2, 2, 0));
  EXPECT_EQ(left, right);
}

TEST(MeanOfInputs, WithoutInputsThereIsSilenceAndWithoutOutputsNothing) {
  std::array<float, 2> out{9, 9};
  const std::array<float*, 1> outputs{out.data()};
  mean_of_inputs({}, outputs, 2);
  EXPECT_THAT(out, Each(0));
  mean_of_inputs({}, {}, 2);
}

/// libjack's part in a cycle: a clock that runs 10 us a look, one buffer for all ports.
struct FakeJack {
  static inline std::uint64_t now_us = 0;
  static inline bool has_buffers = true;
  static inline std::array<float, 4> buffer{};

  static JackLibrary library() {
    JackLibrary jack{};
    jack.get_time = [] { return now_us += 10; };
    jack.last_frame_time = [](const JackClient*) { return std::uint32_t{640}; };
    jack.get_cycle_times = [](const JackClient*, std::uint32_t*, std::uint64_t* current, std::uint64_t*,
                              float*) {
      *current = 5;
      return 0;
    };
    jack.port_get_buffer = [](JackPort*, std::uint32_t) -> void* {
      return has_buffers ? buffer.data() : nullptr;
    };
    return jack;
  }
};

struct OneCycle {
  CycleBoard board{1};
  JackLibrary jack = FakeJack::library();
  ClientCallbacks callbacks;
  int result = 0;
  std::vector<CycleStamp> stamps;

  explicit OneCycle(std::uint64_t burn_us) {
    FakeJack::now_us = 0;
    callbacks.jack = &jack;
    callbacks.seat = &board.seat(0);
    callbacks.burn_us = burn_us;
    callbacks.ins = {nullptr};
    callbacks.outs = {nullptr};
    callbacks.sources.resize(1);
    callbacks.sinks.resize(1);
    result = process_cycle(4, &callbacks);
    StampReader(board.seat(0)).read(stamps);
  }
};

TEST(ProcessCycle, StampsItsBeginAndItsEndUnderTheFrameTime) {
  FakeJack::has_buffers = true;
  const OneCycle cycle(0);
  EXPECT_EQ(cycle.result, 0);
  EXPECT_THAT(cycle.stamps, ElementsAre(CycleStamp{640, 5, 10, 20}));
}

TEST(ProcessCycle, BurnsAsLongAsItIsToldTo) {
  FakeJack::has_buffers = true;
  const OneCycle cycle(100);
  ASSERT_EQ(cycle.stamps.size(), 1u);
  EXPECT_GE(cycle.stamps[0].end_us - cycle.stamps[0].begin_us, 100u);
}

TEST(ProcessCycle, LeavesTheGraphWhereAPortHasNoBuffer) {
  FakeJack::has_buffers = false;
  const OneCycle cycle(0);
  EXPECT_NE(cycle.result, 0);
  EXPECT_TRUE(cycle.stamps.empty());
}

}  // namespace
}  // namespace xrunlab
