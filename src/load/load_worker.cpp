#include "xrunlab/load/load_worker.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "load_jobs.hpp"
#include "xrunlab/core/error.hpp"

namespace xrunlab {

void do_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  switch (task.spec.kind) {
    case LoadKind::read:
      return do_read_load(task, figures, stop);
    case LoadKind::write:
      return do_write_load(task, figures, stop);
    case LoadKind::cpu:
      return do_cpu_load(task, figures, stop);
    case LoadKind::fault:
      return do_fault_load(task, figures, stop);
    case LoadKind::exec:
      return do_exec_load(task, figures, stop);
    case LoadKind::record:
      return do_record_load(task, figures, stop);
    case LoadKind::jack:
      return do_jack_load(task, figures, stop);
    case LoadKind::fio:
    case LoadKind::stress_ng:
      break;
  }
  throw Error(ExitCode::usage, std::string(to_string(task.spec.kind)) + " is a program of its own");
}

void run_jobs(int count, const std::atomic<bool>& stop, const std::function<void(int, JobsEnd&)>& body) {
  JobsEnd end(stop);
  std::mutex mutex;
  std::exception_ptr first;
  const auto note_failure = [&] {
    end.fail();
    const std::lock_guard lock(mutex);
    if (!first) first = std::current_exception();
  };
  std::vector<std::jthread> threads;
  try {
    for (int job = 0; job < count; ++job) {
      threads.emplace_back([&, job] {
        try {
          body(job, end);
        } catch (...) {
          note_failure();
        }
      });
    }
  } catch (...) {
    note_failure();
  }
  threads.clear();
  if (first) std::rethrow_exception(first);
}

int stream_of(const LoadTask& task, int job) noexcept {
  constexpr int kStreamsPerTask = 1024;
  return 1 + task.index * kStreamsPerTask + job;
}

Pace::Pace(const LoadSpec& spec) noexcept : next_(clock_.now()) {
  if (spec.rate) ns_per_byte_ = 1e9 * spec.jobs / static_cast<double>(*spec.rate);
}

void Pace::wait(Bytes size) noexcept {
  if (!ns_per_byte_) return;
  const Nanoseconds now = clock_.now();
  if (now > next_ + std::chrono::seconds{1}) next_ = now;
  if (now < next_) clock_.sleep_until(next_);
  next_ += Nanoseconds{static_cast<std::int64_t>(*ns_per_byte_ * static_cast<double>(size))};
}

}  // namespace xrunlab
