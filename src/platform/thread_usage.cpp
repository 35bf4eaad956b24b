#include "xrunlab/platform/thread_usage.hpp"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

Nanoseconds duration_of(const timeval& time) {
  return Nanoseconds{time.tv_sec * kNsPerSecond + time.tv_usec * 1000};
}

/// schedstat: time on a CPU, time waiting for one, both ns, and the number of time slices.
std::optional<Nanoseconds> run_delay(const SysRoot& root) {
  const std::string text = root.read("/proc/thread-self/schedstat").value_or("");
  const auto fields = split_words(text);
  if (fields.size() < 3) return std::nullopt;
  // A kernel that keeps no such figures prints three zeros; a thread that reads this has run at least once.
  if (leading_number(fields[0]).value_or(0) == 0 && leading_number(fields[2]).value_or(0) == 0)
    return std::nullopt;
  return Nanoseconds{leading_number(fields[1]).value_or(0)};
}

}  // namespace

ThreadUsage sample_thread_usage(const SysRoot& root) {
  ThreadUsage usage;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  usage.at = Nanoseconds{now.tv_sec * kNsPerSecond + now.tv_nsec};
  rusage counted{};
  ::getrusage(RUSAGE_THREAD, &counted);
  timespec cpu{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  usage.cpu = Nanoseconds{cpu.tv_sec * kNsPerSecond + cpu.tv_nsec};
  usage.user = duration_of(counted.ru_utime);
  usage.system = duration_of(counted.ru_stime);
  usage.major_faults = counted.ru_majflt;
  usage.minor_faults = counted.ru_minflt;
  usage.voluntary_switches = counted.ru_nvcsw;
  usage.involuntary_switches = counted.ru_nivcsw;
  usage.run_delay = run_delay(root);
  return usage;
}

std::optional<ThreadUsage> thread_usage_of(pid_t thread, const SysRoot& root) {
  const std::string place = "/proc/self/task/" + std::to_string(thread);
  const auto stat = root.read(place + "/stat");
  const auto name_end = stat ? stat->rfind(')') : std::string::npos;
  if (name_end == std::string::npos) return std::nullopt;
  // proc(5) counts from 1, the process id; what follows its name is the third.
  const auto fields = split_words(std::string_view(*stat).substr(name_end + 1));
  const auto field = [&fields](std::size_t number) { return number_at(fields, number - 3).value_or(0); };
  const Nanoseconds tick{kNsPerSecond / std::max<std::int64_t>(1, ::sysconf(_SC_CLK_TCK))};
  ThreadUsage usage{.at = SystemClock().now()};
  usage.minor_faults = field(10);
  usage.major_faults = field(12);
  usage.user = field(14) * tick;
  usage.system = field(15) * tick;
  usage.cpu = usage.user + usage.system;
  const std::string schedstat = root.read(place + "/schedstat").value_or("");
  const auto times = split_words(schedstat);
  if (const auto ran = number_at(times, 0); ran.value_or(0) > 0) {
    usage.cpu = Nanoseconds{*ran};
    usage.run_delay = Nanoseconds{number_at(times, 1).value_or(0)};
  }
  const std::string status = root.read(place + "/status").value_or("");
  usage.voluntary_switches =
      leading_number(value_of(status, "voluntary_ctxt_switches").value_or("")).value_or(0);
  usage.involuntary_switches =
      leading_number(value_of(status, "nonvoluntary_ctxt_switches").value_or("")).value_or(0);
  return usage;
}

ThreadData thread_data(std::string name, std::string policy, const ThreadUsage& before,
                       const ThreadUsage& after) {
  ThreadData data;
  data.name = std::move(name);
  data.policy = std::move(policy);
  data.wall_ns = std::max<std::int64_t>(0, (after.at - before.at).count());
  const std::int64_t cpu = std::max<std::int64_t>(0, (after.cpu - before.cpu).count());
  const std::int64_t user = std::max<std::int64_t>(0, (after.user - before.user).count());
  const std::int64_t system = std::max<std::int64_t>(0, (after.system - before.system).count());
  if (user + system > 0) {
    data.system_ns = static_cast<std::int64_t>(static_cast<Int128>(cpu) * system / (user + system));
  }
  data.user_ns = cpu - data.system_ns;
  data.major_faults = after.major_faults - before.major_faults;
  data.minor_faults = after.minor_faults - before.minor_faults;
  data.voluntary_switches = after.voluntary_switches - before.voluntary_switches;
  data.involuntary_switches = after.involuntary_switches - before.involuntary_switches;
  if (before.run_delay && after.run_delay) data.run_delay_ns = (*after.run_delay - *before.run_delay).count();
  return data;
}

void add_thread_data(std::vector<ThreadData>& threads, const ThreadData& data) {
  const auto found = std::find_if(threads.begin(), threads.end(),
                                  [&data](const ThreadData& known) { return known.name == data.name; });
  if (found == threads.end()) {
    threads.push_back(data);
    return;
  }
  found->wall_ns += data.wall_ns;
  found->user_ns += data.user_ns;
  found->system_ns += data.system_ns;
  found->major_faults += data.major_faults;
  found->minor_faults += data.minor_faults;
  found->voluntary_switches += data.voluntary_switches;
  found->involuntary_switches += data.involuntary_switches;
  if (found->run_delay_ns && data.run_delay_ns) *found->run_delay_ns += *data.run_delay_ns;
}

}  // namespace xrunlab
