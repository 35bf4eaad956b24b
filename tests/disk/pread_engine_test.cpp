#include "xrunlab/disk/pread_engine.hpp"

#include <cerrno>
#include <thread>

#include "tests/disk/io_engine_bench.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/wake_event.hpp"

namespace xrunlab {
namespace {

using namespace std::chrono_literals;
using test::EngineFile;

TEST(PreadEngine, ReadsAFileBufferedAndDirect) {
  for (const auto mode : {DirectMode::off, DirectMode::automatic}) {
    const EngineFile bytes(mode);
    const RingArena arena({{kPageBytes, 64}});
    const auto engine = make_pread_engine({bytes.file.fd.get()}, 0);
    EXPECT_EQ(engine->grant().engine, "pread");
    EXPECT_FALSE(engine->grant().fixed_buffers);
    test::expect_whole_file(*engine, arena, 16 * kPageBytes / 4);
  }
}

TEST(PreadEngine, GivesNothingAtTheEndAndTheErrnoOfAFailure) {
  const EngineFile bytes;
  const RingArena arena({{kPageBytes, 4}});
  const auto engine = make_pread_engine({bytes.file.fd.get(), -1}, 0);
  engine->submit({0, arena.all().data(), EngineFile::kSize, 4096, 1});
  EXPECT_EQ(engine->wait(0ns)[0].result, 0);
  engine->submit({1, arena.all().data(), 0, 4096, 2});
  const auto done = engine->wait(0ns);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].tag, 2u);
  EXPECT_EQ(done[0].result, -EBADF);
}

TEST(PreadEngine, SleepsWithNothingInFlight) {
  const SystemClock clock;
  const auto engine = make_pread_engine({}, 0);
  const auto start = clock.now();
  EXPECT_TRUE(engine->wait(5ms).empty());
  EXPECT_GE(clock.now() - start, 5ms);
}

TEST(PreadEngine, TheWakeEventEndsASleepAtOnce) {
  const SystemClock clock;
  const WakeEvent wake;
  const auto engine = make_pread_engine({}, 0, wake.fd());
  const auto start = clock.now();
  std::thread waker([&] { wake.set(); });
  EXPECT_TRUE(engine->wait(60s).empty());
  waker.join();
  EXPECT_LT(clock.now() - start, 30s);
}

}  // namespace
}  // namespace xrunlab
