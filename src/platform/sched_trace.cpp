#include "xrunlab/platform/sched_trace.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <utility>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kPrefix = "xrunlab-";
// Per CPU; with its filter an instance writes some 30 KB a second.
constexpr const char* kBufferKb = "512";

std::string find_instances(const SysRoot& root) {
  for (const char* const folder : {"/sys/kernel/tracing/instances", "/sys/kernel/debug/tracing/instances"}) {
    if (root.exists(folder)) return folder;
  }
  throw Error(ExitCode::system, "tracefs is not mounted, or not for us",
              "mount -t tracefs tracefs /sys/kernel/tracing, as root");
}

}  // namespace

SchedTrace::SchedTrace(SysRoot root) : root_(std::move(root)) {
  const std::string instances = find_instances(root_);
  remove_stale(instances);
  const std::string instance = instances + "/" + std::string(kPrefix) + std::to_string(::getpid());
  if (::mkdir(root_.path(instance).c_str(), 0700) != 0) {
    throw Error(ExitCode::system, "cannot make the tracefs instance " + instance + ": " + errno_text(errno),
                "run as root");
  }
  instance_ = instance;
  try {
    write("buffer_size_kb", kBufferKb);
    write("trace_clock", "mono");
    pipe_ =
        UniqueFd(::open(root_.path(instance_ + "/trace_pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!pipe_) throw Error(ExitCode::system, instance_ + "/trace_pipe: " + errno_text(errno));
  } catch (...) {
    close();
    throw;
  }
}

SchedTrace::~SchedTrace() {
  close();
}

void SchedTrace::close() noexcept {
  if (instance_.empty()) return;
  pipe_ = UniqueFd();  // an instance that is open cannot be removed
  ::rmdir(root_.path(instance_).c_str());
  instance_.clear();
}

/// Those of processes that are gone.
void SchedTrace::remove_stale(const std::string& instances) const {
  for (const auto& name : root_.list(instances)) {
    if (!name.starts_with(kPrefix)) continue;
    const std::string id = name.substr(kPrefix.size());
    if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos) continue;
    if (!root_.exists("/proc/" + id)) ::rmdir(root_.path(instances + "/" + name).c_str());
  }
}

void SchedTrace::write(const std::string& name, const std::string& value) const {
  const std::string path = instance_ + "/" + name;
  const UniqueFd file(::open(root_.path(path).c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (!file || ::write(file.get(), value.data(), value.size()) != static_cast<ssize_t>(value.size()))
    throw Error(ExitCode::system, "cannot write to " + path + ": " + errno_text(errno), "run as root");
}

void SchedTrace::watch(SampledThread which, pid_t id) {
  lines_.watch(which, id);
  ids_.push_back(id);
  std::string switches;
  std::string wakings;
  for (const pid_t watched : ids_) {
    const std::string number = std::to_string(watched);
    if (!switches.empty()) switches += " || ";
    if (!wakings.empty()) wakings += " || ";
    switches += "prev_pid == " + number + " || next_pid == " + number;
    wakings += "pid == " + number;
  }
  write("events/sched/sched_switch/filter", switches);
  write("events/sched/sched_waking/filter", wakings);
  write("events/sched/sched_switch/enable", "1");
  write("events/sched/sched_waking/enable", "1");
}

std::vector<RunnableSpan> SchedTrace::read() {
  std::vector<RunnableSpan> spans;
  std::array<char, 16384> buffer;
  while (pipe_) {
    const auto got = ::read(pipe_.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    rest_.append(buffer.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
      lines_.take(std::string_view(rest_).substr(begin, end - begin), spans);
      begin = end + 1;
    }
    rest_.erase(0, begin);
  }
  return spans;
}

}  // namespace xrunlab
