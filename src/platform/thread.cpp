#include "xrunlab/platform/thread.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <latch>
#include <utility>

#include "xrunlab/core/error.hpp"

namespace xrunlab {

struct Thread::State {
  explicit State(std::function<void()> thread_entry) : entry(std::move(thread_entry)) {}

  static void* run(void* argument) noexcept;

  std::function<void()> entry;
  std::latch started{1};
  pthread_t handle{};
  pid_t id = 0;
  MemoryRange stack;
};

namespace {

MemoryRange stack_of_calling_thread() noexcept {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return {};
  void* address = nullptr;
  std::size_t size = 0;
  ::pthread_attr_getstack(&attributes, &address, &size);
  ::pthread_attr_destroy(&attributes);
  return {address, static_cast<Bytes>(size)};
}

/// Makes every page of the stack present without changing what is in it.
void touch(MemoryRange range) noexcept {
  const auto size = static_cast<std::size_t>(range.size);
  if (::madvise(range.address, size, MADV_POPULATE_WRITE) == 0) return;
  // Before Linux 5.14: locking brings the pages in, and they stay.
  if (::mlock(range.address, size) == 0) ::munlock(range.address, size);
}

/// Everything but the signals that a fault of the thread itself raises, and SIGXCPU, whose handler must run
/// in the thread that overran its real-time allowance.
sigset_t signals_left_to_main() noexcept {
  sigset_t set;
  ::sigfillset(&set);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGXCPU, SIGPROF}) {
    ::sigdelset(&set, own);
  }
  return set;
}

}  // namespace

void* Thread::State::run(void* argument) noexcept {
  State& state = *static_cast<State*>(argument);
  state.id = ::gettid();
  state.stack = stack_of_calling_thread();
  touch(state.stack);
  state.started.count_down();
  state.entry();
  return nullptr;
}

Thread::Thread() noexcept = default;

Thread::Thread(const std::string& name, std::function<void()> entry, Bytes stack_bytes)
    : state_(std::make_unique<State>(std::move(entry))) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes,
                              static_cast<std::size_t>(std::max(stack_bytes, Bytes{PTHREAD_STACK_MIN})));
  const sigset_t blocked = signals_left_to_main();
  sigset_t previous;
  ::pthread_sigmask(SIG_SETMASK, &blocked, &previous);
  const int error = ::pthread_create(&state_->handle, &attributes, &State::run, state_.get());
  ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  ::pthread_attr_destroy(&attributes);
  if (error != 0) {
    state_.reset();
    throw Error(ExitCode::system, "cannot start the thread " + name + ": " + errno_text(error),
                "more memory or locked memory, or `ulimit -u` (processes)");
  }
  ::pthread_setname_np(state_->handle, name.substr(0, 15).c_str());
  state_->started.wait();
}

Thread::Thread(Thread&& other) noexcept = default;

Thread& Thread::operator=(Thread&& other) noexcept {
  if (this != &other) {
    join();
    state_ = std::move(other.state_);
  }
  return *this;
}

Thread::~Thread() {
  join();
}

void Thread::join() noexcept {
  if (!state_) return;
  ::pthread_join(state_->handle, nullptr);
  state_.reset();
}

bool Thread::joinable() const noexcept {
  return state_ != nullptr;
}

pid_t Thread::id() const noexcept {
  return state_ ? state_->id : 0;
}

MemoryRange Thread::stack() const noexcept {
  return state_ ? state_->stack : MemoryRange{};
}

}  // namespace xrunlab
