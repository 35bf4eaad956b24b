#include "xrunlab/disk/uring_engine.hpp"

#include <cerrno>
#include <thread>

#include "tests/disk/io_engine_bench.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/wake_event.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using test::EngineFile;

/// The engine, or nothing where this machine has no io_uring; `why` says it.
std::unique_ptr<IoEngine> try_engine(UringRequest request, std::string& why) {
  try {
    return make_uring_engine(std::move(request));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::system);
    EXPECT_FALSE(error.remedy().empty());
    why = error.what();
    return nullptr;
  }
}

TEST(UringEngine, ReadsAFileWithAndWithoutRegisteredBuffers) {
  for (const auto mode : {DirectMode::off, DirectMode::automatic}) {
    for (const auto buffers : {Buffers::registered, Buffers::plain}) {
      const EngineFile bytes(mode);
      const RingArena arena({{kPageBytes, 64}});
      std::string why;
      const auto engine = try_engine(
          {.files = {bytes.file.fd.get()}, .buffers = arena.slices(), .depth = 8, .use_buffers = buffers},
          why);
      if (!engine) GTEST_SKIP() << why;
      EXPECT_EQ(engine->grant().engine, "io_uring");
      EXPECT_EQ(engine->depth(), 8);
      // Buffers that were not registered are warned of, unless that was asked for.
      EXPECT_TRUE(!engine->grant().fixed_buffers || buffers == Buffers::registered);
      EXPECT_TRUE(engine->grant().fixed_buffers || buffers == Buffers::plain ||
                  !engine->grant().warnings.empty());
      test::expect_whole_file(*engine, arena, kPageBytes);
    }
  }
}

TEST(UringEngine, FindsTheRegisteredSliceOfEveryBlock) {
  const EngineFile bytes;
  const RingArena arena({{kPageBytes, 64}});
  const auto all = arena.all();
  // Cut as a large arena is: unequal slices, a block in each must be found.
  const std::vector<std::span<std::byte>> slices{all.subspan(0, 4096), all.subspan(4096, 12'288),
                                                 all.subspan(16'384)};
  std::string why;
  const auto engine = try_engine({.files = {bytes.file.fd.get()}, .buffers = slices, .depth = 4}, why);
  if (!engine) GTEST_SKIP() << why;
  if (!engine->grant().fixed_buffers) GTEST_SKIP() << engine->grant().warnings.front();
  test::expect_whole_file(*engine, arena, kPageBytes);
}

TEST(UringEngine, AKernelThreadSubmitsWhenAsked) {
  const EngineFile bytes;
  const RingArena arena({{kPageBytes, 64}});
  std::string why;
  const auto engine = try_engine({.files = {bytes.file.fd.get()},
                                  .buffers = arena.slices(),
                                  .depth = 4,
                                  .submission = Submission::by_kernel_thread},
                                 why);
  if (!engine) GTEST_SKIP() << why;
  EXPECT_EQ(engine->grant().flags.back(), "SQPOLL");
  test::expect_whole_file(*engine, arena, kPageBytes);
}

TEST(UringEngine, GivesNothingAtTheEndAndTheErrnoOfAFailure) {
  const EngineFile bytes;
  const test::TemporaryDirectory directory;
  const auto folder = open_track_file(directory.path(), DirectMode::off);
  const RingArena arena({{kPageBytes, 4}});
  std::string why;
  const auto engine = try_engine(
      {.files = {bytes.file.fd.get(), folder.fd.get()}, .buffers = arena.slices(), .depth = 4}, why);
  if (!engine) GTEST_SKIP() << why;
  engine->submit({0, arena.all().data(), EngineFile::kSize, 4096, 1});
  auto done = engine->wait(10s);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].result, 0);
  engine->submit({1, arena.all().data(), 0, 4096, 2});
  done = engine->wait(10s);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].tag, 2u);
  EXPECT_EQ(done[0].result, -EISDIR);
}

TEST(UringEngine, SleepsWithNothingInFlight) {
  std::string why;
  const SystemClock clock;
  const auto engine = try_engine({.depth = 4}, why);
  if (!engine) GTEST_SKIP() << why;
  const auto start = clock.now();
  EXPECT_TRUE(engine->wait(5ms).empty());
  EXPECT_GE(clock.now() - start, 5ms);
}

TEST(UringEngine, TheWakeEventEndsASleepAtOnce) {
  std::string why;
  const SystemClock clock;
  const WakeEvent wake;
  const auto engine = try_engine({.depth = 4, .wake_fd = wake.fd()}, why);
  if (!engine) GTEST_SKIP() << why;
  const auto start = clock.now();
  std::thread waker([&] { wake.set(); });
  EXPECT_TRUE(engine->wait(60s).empty());
  waker.join();
  EXPECT_LT(clock.now() - start, 30s);
}

TEST(UringEngine, ARefusedSetUpSaysWhichOfTheUsualCausesItIs) {
  const auto text = [](int number, int disabled) {
    const Error error = uring_setup_error(number, disabled);
    EXPECT_EQ(error.code(), ExitCode::system);
    EXPECT_NE(error.remedy().find("--io pread"), std::string::npos);
    return std::string(error.what());
  };
  EXPECT_NE(text(ENOSYS, -1).find("this kernel has none"), std::string::npos);
  EXPECT_NE(text(EPERM, 2).find("kernel.io_uring_disabled = 2"), std::string::npos);
  EXPECT_NE(text(EPERM, 0).find("seccomp"), std::string::npos);
  EXPECT_NE(text(ENOMEM, 0).find("memlock"), std::string::npos);
}

}  // namespace
}  // namespace xrunlab
