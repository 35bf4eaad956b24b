#include "xrunlab/timing/collector.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "xrunlab/timing/trace_reader.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class CollectorTest : public ::testing::Test {
 protected:
  CollectorTest() {
    std::string name = (fs::temp_directory_path() / "xrunlab-collector-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ / "run.trace";
  }
  ~CollectorTest() override { fs::remove_all(folder_); }

  CollectorConfig config() {
    std::vector<EventConsumer<Event>> events;
    events.push_back(std::move(playback_.consumer));
    events.push_back(std::move(reader_.consumer));
    return {.marks = std::move(marks_.consumer),
            .windows = std::move(windows_.consumer),
            .events = std::move(events),
            .trace = std::make_unique<TraceWriter>(path_, TraceHeader{.rate = {48000}}),
            .starvation = StarvationSounds::as_wait,
            .live = {},
            .warn = {},
            .interval = milliseconds{1}};
  }

  static Event fragment(std::int64_t index) {
    Event event{};
    event.kind = EventKind::fragment;
    event.at_ns = index;
    event.fragment.index = index;
    return event;
  }
  static Event xrun(Nanoseconds at) {
    Event event{};
    event.kind = EventKind::xrun;
    event.at_ns = at.count();
    event.xrun.dry_ns = 5;
    return event;
  }
  static Event starvation(Nanoseconds at) {
    Event event{};
    event.kind = EventKind::starvation;
    event.at_ns = at.count();
    event.starvation = {.duration_ns = 8, .track = 2};
    return event;
  }

  EventQueue<Event> marks_{256};
  EventQueue<WindowFigures> windows_{4};
  EventQueue<Event> playback_{1024};
  EventQueue<Event> reader_{1024};
  fs::path folder_;
  fs::path path_;
};

TEST_F(CollectorTest, WhatWasPushedBeforeTheStopIsKeptAndRecorded) {
  Collector collector(config());
  marks_.producer.push(xrun(milliseconds{100}));
  marks_.producer.push(starvation(milliseconds{200}));
  marks_.producer.push(xrun(milliseconds{1500}));
  windows_.producer.push({.start_ns = 3, .fragments = 7});
  playback_.producer.push(fragment(0));
  collector.stop();
  collector.run();
  const auto& collected = collector.collected();
  ASSERT_EQ(collected.xruns.size(), 2u);
  EXPECT_EQ(collected.xruns[1].at, milliseconds{1500});
  EXPECT_EQ(collected.dropouts, 2) << "a starvation that waited is not heard";
  ASSERT_EQ(collected.starvations.size(), 1u);
  EXPECT_EQ(collected.starvations[0].track, 2u);
  ASSERT_EQ(collected.windows.size(), 1u);
  EXPECT_EQ(collected.windows[0].fragments, 7);
  EXPECT_EQ(collected.events_recorded, 4);
  EXPECT_EQ(collected.trace_error, "");
}

TEST_F(CollectorTest, SilencesCountAsDropoutsTogetherWithXruns) {
  auto with_silence = config();
  with_silence.starvation = StarvationSounds::as_silence;
  Collector collector(std::move(with_silence));
  marks_.producer.push(xrun(milliseconds{100}));
  marks_.producer.push(starvation(milliseconds{900}));
  marks_.producer.push(starvation(milliseconds{2000}));
  collector.stop();
  collector.run();
  EXPECT_EQ(collector.collected().dropouts, 2);
}

TEST_F(CollectorTest, TwoProducingThreadsAreRecordedWholeAndInOrderEach) {
  constexpr std::int64_t kEvents = 20'000;
  auto with_live = config();
  std::atomic<int> live_calls{0};
  with_live.live = [&live_calls] { ++live_calls; };
  Collector collector(std::move(with_live));
  std::thread thread([&collector] { collector.run(); });
  std::int64_t refused[2] = {0, 0};
  const auto produce = [](EventProducer<Event>& producer, EventKind kind, std::int64_t& refused_count) {
    for (std::int64_t index = 0; index < kEvents; ++index) {
      auto event = fragment(index);
      if (kind == EventKind::read) {
        event = Event{};
        event.kind = kind;
        event.read.offset = index;
      }
      if (!producer.push(event)) ++refused_count;
      if (index % 256 == 0) std::this_thread::sleep_for(std::chrono::microseconds{300});
    }
  };
  std::thread playback([&] { produce(playback_.producer, EventKind::fragment, refused[0]); });
  std::thread reader([&] { produce(reader_.producer, EventKind::read, refused[1]); });
  playback.join();
  reader.join();
  while (live_calls.load() == 0) std::this_thread::sleep_for(milliseconds{1});
  collector.stop();
  thread.join();
  const auto& collected = collector.collected();
  EXPECT_EQ(collected.events_dropped, refused[0] + refused[1]);
  EXPECT_EQ(collected.events_recorded + collected.events_dropped, 2 * kEvents);
  TraceReader trace(path_);
  std::int64_t last_index = -1;
  std::int64_t last_offset = -1;
  while (const auto event = trace.next()) {
    auto& last = event->kind == EventKind::fragment ? last_index : last_offset;
    const auto value = event->kind == EventKind::fragment ? event->fragment.index : event->read.offset;
    ASSERT_GT(value, last);
    last = value;
  }
  EXPECT_EQ(trace.fault(), "");
  EXPECT_EQ(trace.end()->dropped, collected.events_dropped);
}

TEST_F(CollectorTest, AFullDiskEndsTheRecordingWithOneLineAndNotTheRun) {
  auto limited = config();
  std::vector<std::string> warnings;
  limited.warn = [&warnings](const std::string& line) { warnings.push_back(line); };
  Collector collector(std::move(limited));
  // A file size limit stands for the full disk: write() fails in the middle of the run.
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit tight{.rlim_cur = 70, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  for (std::int64_t index = 0; index < 100; ++index) playback_.producer.push(fragment(index));
  marks_.producer.push(xrun(milliseconds{100}));
  std::atomic<bool> ended{false};
  std::thread thread([&] {
    collector.run();
    ended = true;
  });
  std::this_thread::sleep_for(milliseconds{50});
  EXPECT_FALSE(ended);
  collector.stop();
  thread.join();
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, old_handler);
  EXPECT_NE(collector.collected().trace_error.find("run.trace"), std::string::npos);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], collector.collected().trace_error);
  EXPECT_EQ(collector.collected().xruns.size(), 1u);
}

/// Keeps what it hears, and adds an episode at each look.
class Listener final : public EventWatcher {
 public:
  void take(const Event& event) override { heard.push_back(event.kind); }
  std::span<const Event> look() override { return {&episode_, 1}; }
  std::span<const Event> finish() override {
    finished = true;
    return {&episode_, 1};
  }

  std::vector<EventKind> heard;
  bool finished = false;

 private:
  static Event made() {
    Event event{};
    event.kind = EventKind::episode;
    return event;
  }
  Event episode_ = made();
};

TEST_F(CollectorTest, AWatcherHearsMarksAndReadsAndWhatItFindsIsRecorded) {
  Listener listener;
  auto asked = config();
  asked.watcher = &listener;
  asked.interval = std::chrono::hours{1};
  Collector collector(std::move(asked));
  Event read{};
  read.kind = EventKind::read;
  marks_.producer.push(xrun(milliseconds{3}));
  marks_.producer.push(fragment(7));     // late
  playback_.producer.push(fragment(7));  // the same one, for the trace
  reader_.producer.push(read);
  collector.stop();
  collector.run();
  EXPECT_EQ(listener.heard, (std::vector<EventKind>{EventKind::xrun, EventKind::fragment, EventKind::read}));
  EXPECT_TRUE(listener.finished);
  TraceReader trace(path_);
  std::vector<EventKind> recorded;
  while (const auto event = trace.next()) recorded.push_back(event->kind);
  EXPECT_EQ(recorded, (std::vector<EventKind>{EventKind::xrun, EventKind::fragment, EventKind::read,
                                              EventKind::episode}));
}

}  // namespace
}  // namespace xrunlab
