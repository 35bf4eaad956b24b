#include "xrunlab/platform/affinity.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/core/error.hpp"
#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kThreads[] = {"playback", "reader", "decoder", "collector"};

[[noreturn]] void refuse(std::string_view option, std::string_view entry) {
  throw Error(ExitCode::usage,
              std::string(option) + ": '" + std::string(entry) +
                  "' is not thread=CPU: write playback=1,reader=0 (threads: playback, reader, "
                  "decoder, collector)");
}

[[noreturn]] void refuse_twice(std::string_view option, std::string_view thread) {
  const std::string name(thread);
  throw Error(ExitCode::usage, std::string(option) + ": " + name + " is there twice",
              "name each thread once, several CPUs as in " + name + "=0+1");
}

bool contains(const std::vector<int>& cpus, int cpu) {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

}  // namespace

AffinityPlan parse_affinity(std::string_view option, std::string_view text) {
  AffinityPlan plan;
  for (const std::string_view entry : split_at(text, ',')) {
    const auto equals = entry.find('=');
    const std::string_view thread = entry.substr(0, equals);
    if (equals == std::string_view::npos || equals + 1 == entry.size()) refuse(option, entry);
    if (std::find(std::begin(kThreads), std::end(kThreads), thread) == std::end(kThreads))
      refuse(option, entry);
    std::string list(entry.substr(equals + 1));
    std::replace(list.begin(), list.end(), '+', ',');
    auto cpus = parse_cpu_list(list);
    if (!cpus) refuse(option, entry);
    if (!plan.emplace(thread, std::move(*cpus)).second) refuse_twice(option, thread);
  }
  return plan;
}

void check_affinity(const AffinityPlan& plan, const SysRoot& root) {
  const auto online = parse_cpu_list(root.read("/sys/devices/system/cpu/online").value_or("?"));
  const std::string status = root.read("/proc/self/status").value_or("");
  const auto allowed = parse_cpu_list(value_of(status, "Cpus_allowed_list").value_or("?"));
  for (const auto& [thread, cpus] : plan) {
    for (const int cpu : cpus) {
      const std::string which =
          "--affinity " + (thread.empty() ? "" : thread + "=") + std::to_string(cpu) + ": ";
      if (online && !contains(*online, cpu)) {
        throw Error(ExitCode::usage,
                    which + "this machine has no such CPU online, it has " + format_cpu_list(*online));
      }
      if (allowed && !contains(*allowed, cpu)) {
        throw Error(ExitCode::usage, which + "this process may run on " + format_cpu_list(*allowed) + " only",
                    "start it without taskset, or in another cpuset");
      }
    }
  }
}

void pin_calling_thread(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  const auto count = static_cast<std::size_t>(*std::max_element(cpus.begin(), cpus.end())) + 1;
  cpu_set_t* const set = CPU_ALLOC(count);
  const std::size_t set_bytes = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(set_bytes, set);
  for (const int cpu : cpus) CPU_SET_S(static_cast<std::size_t>(cpu), set_bytes, set);
  const int error = ::sched_setaffinity(0, set_bytes, set) == 0 ? 0 : errno;
  CPU_FREE(set);
  if (error == 0) return;
  throw Error(ExitCode::usage,
              "cannot bind the thread to CPU " + format_cpu_list(cpus) + ": " + errno_text(error),
              "`nproc` and /sys/devices/system/cpu/online say what there is");
}

}  // namespace xrunlab
