#include "xrunlab/platform/process_tree.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>

#include "xrunlab/platform/proc_text.hpp"

namespace xrunlab {
namespace {

struct ProcessStat {
  pid_t pid = 0;
  pid_t parent = 0;
  std::int64_t ticks = 0;  ///< user and system, its own and those of children waited for
};

/// The fields of /proc/PID/stat behind the name, which may itself hold blanks and parentheses (proc(5)).
std::optional<ProcessStat> read_stat(const std::string& pid, const SysRoot& root) {
  const auto text = root.read("/proc/" + pid + "/stat");
  const auto name_end = text ? text->rfind(')') : std::string::npos;
  if (name_end == std::string::npos) return std::nullopt;
  const auto fields = split_words(std::string_view(*text).substr(name_end + 1));
  constexpr std::size_t kParent = 1;
  constexpr std::size_t kUserTicks = 11;  // then system's, and both of the children
  if (fields.size() < kUserTicks + 4) return std::nullopt;
  ProcessStat stat;
  stat.pid = static_cast<pid_t>(leading_number(pid).value_or(0));
  stat.parent = static_cast<pid_t>(leading_number(fields[kParent]).value_or(0));
  for (std::size_t field = kUserTicks; field < kUserTicks + 4; ++field)
    stat.ticks += leading_number(fields[field]).value_or(0);
  return stat;
}

std::vector<ProcessStat> all_processes(const SysRoot& root) {
  std::vector<ProcessStat> processes;
  for (const auto& name : root.list("/proc")) {
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (const auto stat = read_stat(name, root)) processes.push_back(*stat);
  }
  return processes;
}

void add_io(pid_t pid, const SysRoot& root, TreeUsage& usage) {
  const auto text = root.read("/proc/" + std::to_string(pid) + "/io").value_or("");
  usage.device_read += leading_number(value_of(text, "read_bytes").value_or("0")).value_or(0);
  usage.device_written += leading_number(value_of(text, "write_bytes").value_or("0")).value_or(0);
}

}  // namespace

std::vector<pid_t> children_of(pid_t parent, const SysRoot& root) {
  std::vector<pid_t> children;
  for (const auto& process : all_processes(root)) {
    if (process.parent == parent) children.push_back(process.pid);
  }
  return children;
}

std::vector<pid_t> processes_of_tree(pid_t top, const SysRoot& root) {
  const auto processes = all_processes(root);
  std::vector<pid_t> tree;
  for (const auto& process : processes) {
    if (process.pid == top) tree.push_back(top);
  }
  for (std::size_t index = 0; index < tree.size(); ++index) {
    for (const auto& process : processes) {
      if (process.parent == tree[index]) tree.push_back(process.pid);
    }
  }
  return tree;
}

TreeUsage usage_of_tree(pid_t top, const SysRoot& root) {
  const auto processes = all_processes(root);
  std::vector<pid_t> tree{top};
  TreeUsage usage;
  std::int64_t ticks = 0;
  for (std::size_t index = 0; index < tree.size(); ++index) {
    for (const auto& process : processes) {
      if (process.parent == tree[index]) tree.push_back(process.pid);
      if (process.pid != tree[index]) continue;
      ++usage.processes;
      ticks += process.ticks;
      add_io(process.pid, root, usage);
    }
  }
  usage.cpu = Nanoseconds{ticks * (kNsPerSecond / std::max(1L, ::sysconf(_SC_CLK_TCK)))};
  return usage;
}

void kill_descendants() noexcept {
  for (;;) {
    pid_t ended = 0;
    do {
      ended = ::waitpid(-1, nullptr, WNOHANG);
    } while (ended > 0);
    if (ended < 0 && errno == ECHILD) return;
    // Only children: their numbers cannot be given to others before they are waited for. Grandchildren become
    // children when their parents are dead.
    for (const pid_t child : children_of(::getpid())) ::kill(child, SIGKILL);
    ::waitpid(-1, nullptr, 0);
  }
}

}  // namespace xrunlab
