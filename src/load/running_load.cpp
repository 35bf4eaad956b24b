#include "running_load.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"

namespace xrunlab {
namespace {

// Below this share of what was asked a load falls short.
constexpr double kNearEnough = 0.9;
// CPU time is counted in ticks, usually of 10 ms.
constexpr double kTickSeconds = 0.01;
// A record load writes whole blocks, up to 1.8 s of sound.
constexpr double kRecordBlockSeconds = 2;
// A block may take seconds where the disk is slow; so may a period of computing where there are many threads.
constexpr Nanoseconds kIdlePatience = std::chrono::seconds{10};
constexpr Nanoseconds kOwnPatience = std::chrono::milliseconds{300};
constexpr Nanoseconds kProgramPatience = std::chrono::seconds{3};  // fio sums up when it is told to end
constexpr Nanoseconds kJackPatience = std::chrono::seconds{10};  // clients and server end one after the other
constexpr Bytes kMostOutput = Bytes{64} << 10;
constexpr int kFirstToBeKilled = 1000;  // when memory runs out, the load goes and not the run

UniqueFd make_output() {
  UniqueFd fd(::memfd_create("xrunlab-load-output", MFD_CLOEXEC));
  if (!fd) throw Error(ExitCode::system, "cannot make memory for what a load prints: " + errno_text(errno));
  return fd;
}

ProgramStart own_program(const LoadSpec& spec, const LoadSettings& settings, int index, int figures) {
  ProgramStart start;
  start.argv = {"xrunlab", kWorkerCommand, spec.text, std::to_string(settings.seed), std::to_string(index)};
  start.program = settings.program;
  start.handed = {figures};
  start.patience = spec.kind == LoadKind::jack ? kJackPatience : kOwnPatience;
  return start;
}

ProgramStart other_program(const LoadSpec& spec) {
  ProgramStart start;
  start.argv = {std::string(to_string(spec.kind))};
  if (spec.kind == LoadKind::fio) start.argv.push_back(spec.path.string());
  start.argv.insert(start.argv.end(), spec.arguments.begin(), spec.arguments.end());
  start.patience = kProgramPatience;
  return start;
}

std::string last_line_of(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

double per_second(double amount, std::int64_t wall_ns) {
  return wall_ns > 0 ? amount * 1e9 / static_cast<double>(wall_ns) : 0;
}

}  // namespace

RunningLoad::RunningLoad(GuardProcess& guard, const LoadSpec& spec, const LoadSettings& settings, int index)
    : guard_(guard), spec_(spec), seed_(settings.seed), output_(make_output()) {
  ProgramStart start =
      is_own(spec.kind) ? own_program(spec, settings, index, figures_.fd()) : other_program(spec);
  start.out = output_.get();
  start.err = output_.get();
  start.oom_score_adj = kFirstToBeKilled;
  try {
    program_ = guard_.start(start);
  } catch (const Error& error) {
    const std::string remedy = is_own(spec.kind) ? error.remedy() : "apt-get install " + start.argv[0];
    throw Error(error.code(), "the load '" + spec.text + "': " + error.what(), remedy);
  }
}

RunningLoad::~RunningLoad() {
  stop();
}

bool RunningLoad::at_work() const noexcept {
  return !is_own(spec_.kind) || figures_->state.load(std::memory_order_acquire) == LoadState::working;
}

Bytes RunningLoad::prepared_bytes() const noexcept {
  return figures_->prepared_bytes.load(std::memory_order_relaxed);
}

std::string RunningLoad::fault() {
  if (figures_->state.load(std::memory_order_acquire) == LoadState::failed) return figures_->what;
  return guard_.fault(program_, [this] { return last_line_of(output()); });
}

std::string RunningLoad::remedy() const {
  return figures_->state.load(std::memory_order_acquire) == LoadState::failed ? figures_->remedy : "";
}

bool RunningLoad::has_worked() const noexcept {
  // These do not take long because something is wrong.
  const bool slow = spec_.kind == LoadKind::exec || spec_.kind == LoadKind::record;
  return slow || !is_own(spec_.kind) || figures_->operations.load(std::memory_order_relaxed) > 0;
}

void RunningLoad::begin() {
  from_ = count();
}

RunningLoad::Counts RunningLoad::count() {
  Counts counts;
  counts.operations = figures_->operations.load(std::memory_order_relaxed);
  counts.bytes = figures_->bytes.load(std::memory_order_relaxed);
  counts.overruns = figures_->overruns.load(std::memory_order_relaxed);
  counts.xruns = figures_->xruns.load(std::memory_order_relaxed);
  counts.driver_late = figures_->driver_late.load(std::memory_order_relaxed);
  counts.at = SystemClock().now();
  // The usage of a tree that is gone cannot be read: then it stays as it was last seen.
  const pid_t top = guard_.top(program_);
  const TreeUsage usage = top > 0 ? usage_of_tree(top) : TreeUsage{};
  if (usage.processes > 0) last_usage_ = usage;
  counts.usage = last_usage_;
  return counts;
}

bool RunningLoad::idle(const LoadData& data) const noexcept {
  return data.operations == 0 && data.wall_ns > kIdlePatience.count();
}

LoadData RunningLoad::data() {
  const Counts now = count();
  LoadData data;
  data.kind = to_string(spec_.kind);
  data.spec = spec_.text;
  data.seed = seed_;
  data.wall_ns = (now.at - from_.at).count();
  if (is_own(spec_.kind)) {
    data.operations = now.operations - from_.operations;
    data.bytes = now.bytes - from_.bytes;
    data.operations_per_s = per_second(static_cast<double>(*data.operations), data.wall_ns);
    data.bytes_per_s = per_second(static_cast<double>(*data.bytes), data.wall_ns);
  }
  data.asked_bytes_per_s = asked_bytes_per_s(spec_);
  data.asked_cpus = asked_cpus(spec_);
  data.cpu_ns = (now.usage.cpu - from_.usage.cpu).count();
  data.cpus = per_second(static_cast<double>(data.cpu_ns) * 1e-9, data.wall_ns);
  data.device_read_bytes = now.usage.device_read - from_.usage.device_read;
  data.device_written_bytes = now.usage.device_written - from_.usage.device_written;
  data.file_bytes = figures_->file_bytes.load(std::memory_order_relaxed);
  data.overruns = now.overruns - from_.overruns;
  if (spec_.kind == LoadKind::jack) {
    data.xruns = now.xruns - from_.xruns;
    data.driver_late = now.driver_late - from_.driver_late;
  }
  data.error = fault();
  if (data.error.empty() && idle(data)) data.error = "it does nothing";
  data.alive = data.error.empty();
  return data;
}

std::string RunningLoad::shortfall() {
  const LoadData now = data();
  const double seconds = static_cast<double>(now.wall_ns) * 1e-9;
  if (now.asked_bytes_per_s && now.bytes) {
    const double spare = spec_.kind == LoadKind::record ? *now.asked_bytes_per_s * kRecordBlockSeconds
                                                        : static_cast<double>(spec_.block) * spec_.jobs;
    if (static_cast<double>(*now.bytes) + spare < *now.asked_bytes_per_s * seconds * kNearEnough) {
      return "the load '" + spec_.text + "' does " + three_digits(*now.bytes_per_s / 1e6) + " MB/s of the " +
             three_digits(*now.asked_bytes_per_s / 1e6) + " MB/s that it was to do";
    }
  }
  const double cpu_seconds = static_cast<double>(now.cpu_ns) * 1e-9 + kTickSeconds * spec_.jobs;
  if (now.asked_cpus && cpu_seconds < *now.asked_cpus * seconds * kNearEnough) {
    return "the load '" + spec_.text + "' takes " + fixed(now.cpus, 2) + " CPUs of the " +
           fixed(*now.asked_cpus, 2) + " that it was to take";
  }
  return {};
}

void RunningLoad::stop() noexcept {
  try {
    guard_.stop(program_);
  } catch (const std::exception&) {  // the guard is gone, and so is the load
  }
}

std::string RunningLoad::output() const {
  struct stat status {};
  if (::fstat(output_.get(), &status) != 0) return {};
  const Bytes size = std::min<Bytes>(status.st_size, kMostOutput);
  std::string text(static_cast<std::size_t>(size), '\0');
  const ssize_t got = ::pread(output_.get(), text.data(), text.size(), status.st_size - size);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

}  // namespace xrunlab
