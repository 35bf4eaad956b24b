#include "xrunlab/platform/system_sampler.hpp"

#include <time.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "xrunlab/core/units.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

std::int64_t clock_ns(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * kNsPerSecond + time.tv_nsec;
}

/// "some avg10=0.38 avg60=3.43 avg300=6.16 total=6805963269": the total, in us.
std::optional<std::int64_t> pressure_ns(PolledFile& file) {
  const auto text = file.read();
  if (!text) return std::nullopt;
  constexpr std::string_view kKey = "total=";
  const auto at = text->find(kKey);
  if (!text->starts_with("some") || at == std::string::npos) return std::nullopt;
  const auto total = leading_number(text->substr(at + kKey.size()));
  if (!total) return std::nullopt;
  return *total * 1000;
}

std::int64_t tick_ns() {
  static const std::int64_t ns = kNsPerSecond / ::sysconf(_SC_CLK_TCK);
  return ns;
}

}  // namespace

SystemSampler::SystemSampler(std::vector<std::string> devices, SysRoot root)
    : devices_(std::move(devices)),
      root_(std::move(root)),
      stat_(root_.path("/proc/stat")),
      diskstats_(root_.path("/proc/diskstats")),
      cpu_pressure_(root_.path("/proc/pressure/cpu")),
      io_pressure_(root_.path("/proc/pressure/io")),
      memory_pressure_(root_.path("/proc/pressure/memory")) {}

void SystemSampler::watch(SampledThread which, pid_t id) noexcept {
  ids_[static_cast<std::size_t>(which)].store(id, std::memory_order_relaxed);
}

SystemSample SystemSampler::sample() {
  SystemSample sample;
  // The threads' counters stand nearest to the time of the sample.
  sample.at_ns = clock_ns(CLOCK_MONOTONIC);
  for (std::size_t index = 0; index < kSampledThreads; ++index) {
    const pid_t id = ids_[index].load(std::memory_order_relaxed);
    if (id == 0) continue;
    if (!threads_[index]) threads_[index].emplace(root_, id);
    sample.threads[index] = threads_[index]->sample();
  }
  sample.suspended_ns = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
  sample_processors(sample);
  sample_devices(sample);
  sample.cpu_pressure_ns = pressure_ns(cpu_pressure_);
  sample.io_pressure_ns = pressure_ns(io_pressure_);
  sample.memory_pressure_ns = pressure_ns(memory_pressure_);
  return sample;
}

SystemSampler::Thread::Thread(const SysRoot& root, pid_t id)
    : schedstat_(root.path("/proc/self/task/" + std::to_string(id) + "/schedstat")),
      stat_(root.path("/proc/self/task/" + std::to_string(id) + "/stat")) {}

ThreadSample SystemSampler::Thread::sample() {
  ThreadSample sample;
  const auto times = split_words(schedstat_.read().value_or(""));
  // A kernel that keeps no such figures prints zeros.
  if (times.size() >= 3 && number_at(times, 2).value_or(0) > 0) {
    sample.cpu_ns = number_at(times, 0);
    sample.run_delay_ns = number_at(times, 1);
  }
  const std::string_view stat = stat_.read().value_or("");
  // The thread's name may hold anything, so fields are counted from the parenthesis behind it: state is 0.
  const auto name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return sample;
  const auto fields = split_words(stat.substr(name_end + 1));
  sample.minor_faults = number_at(fields, 7);
  sample.major_faults = number_at(fields, 9);
  return sample;
}

/// Lines "cpu", "cpu0", …: user nice system idle iowait irq softirq steal, in ticks.
void SystemSampler::sample_processors(SystemSample& sample) {
  for (const auto line : split_at(stat_.read().value_or(""), '\n')) {
    if (!line.starts_with("cpu")) break;
    const auto words = split_words(line);
    const auto iowait = number_at(words, 5);
    const auto steal = number_at(words, 8);
    if (words.front() == "cpu") {
      if (iowait) sample.iowait_ns = *iowait * tick_ns();
    } else if (steal) {
      sample.steal_ns.push_back(*steal * tick_ns());
    }
  }
}

/// Column 12 is the time with a request under way, in ms.
void SystemSampler::sample_devices(SystemSample& sample) {
  sample.device_busy_ns.resize(devices_.size());
  if (devices_.empty()) return;
  for (const auto line : split_at(diskstats_.read().value_or(""), '\n')) {
    const auto words = split_words(line);
    const auto busy = number_at(words, 12);
    for (std::size_t index = 0; busy && index < devices_.size(); ++index) {
      if (words[2] == devices_[index]) sample.device_busy_ns[index] = *busy * 1'000'000;
    }
  }
}

}  // namespace xrunlab
