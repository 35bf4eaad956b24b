#include "jack_calls.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/platform/thread.hpp"

namespace xrunlab {
namespace {

// PipeWire's libjack loads modules and reads its configuration in these calls.
constexpr Bytes kCallerStack = Bytes{1} << 20;

}  // namespace

struct JackCalls::Work {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> call;  ///< empty: none is under way
  bool over = false;
  std::unique_ptr<Thread> thread;

  void serve() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return call || over; });
      if (!call) return;
      lock.unlock();
      call();
      lock.lock();
      call = nullptr;
      changed.notify_all();
    }
  }
};

JackCalls::JackCalls(Nanoseconds timeout) : timeout_(timeout), work_(std::make_shared<Work>()) {
  work_->thread = std::make_unique<Thread>(
      "libjack", [work = work_] { work->serve(); }, kCallerStack);
}

JackCalls::~JackCalls() {
  // The thread's function keeps the work, and with it the thread: both stay.
  if (hang_) return;
  {
    const std::lock_guard lock(work_->mutex);
    work_->over = true;
  }
  work_->changed.notify_all();
  work_->thread.reset();
}

void JackCalls::run(const char* function, std::function<void()> call) {
  std::unique_lock lock(work_->mutex);
  if (!hang_) {
    work_->call = std::move(call);
    work_->changed.notify_all();
    hang_ = !work_->changed.wait_for(lock, timeout_, [this] { return !work_->call; });
    if (!hang_) return;
  }
  throw Error(ExitCode::audio_device,
              std::string(function) + " did not return within " + spoken_duration(timeout_.count()) +
                  ": the JACK server hangs",
              "end that server and start it again, or give it longer with -D jack:timeout=TIME");
}

}  // namespace xrunlab
