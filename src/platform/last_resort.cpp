#include "xrunlab/platform/last_resort.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "xrunlab/core/error.hpp"

namespace xrunlab {

/// Everything that the handler needs, as bytes that are ready to be written.
struct LastResort::Plan {
  struct Entry {
    std::string path;
    std::string value;
    std::string scheduler_path;  ///< of a setting of a scheduler: where its name stands; else ""
    std::string scheduler;
    bool is_scheduler = false;
  };
  std::vector<Entry> entries;
  std::string journal_path;
  pid_t owner = ::getpid();  ///< a child that dies has changed nothing
};

namespace {

// A handler has no object, so what it needs stands here.
//
// Memory ordering: a plan is complete before its address is stored (release) and is never changed after; a
// handler loads the address (acquire). Both atomics are lock-free, as a handler needs.
std::atomic<const void*> armed{nullptr};
std::atomic<bool> last_resort_in_use{false};
static_assert(std::atomic<const void*>::is_always_lock_free);

constexpr std::array kDeadly = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGQUIT, SIGXFSZ};
std::array<struct sigaction, kDeadly.size()> actions_before;

constexpr std::size_t kMostRead = 4096;
constexpr int kPasses = 4;

/// What is in the file, the newline cut; nothing, when it cannot be read.
std::string_view read_raw(const std::string& path, char* buffer) noexcept {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t got = ::read(fd, buffer, kMostRead);
  ::close(fd);
  if (got <= 0) return {};
  std::string_view text(buffer, static_cast<std::size_t>(got));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

std::string_view name_in_brackets(std::string_view text) noexcept {
  const auto open = text.find('[');
  const auto close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return text;
  text.remove_suffix(text.size() - close);
  text.remove_prefix(open + 1);
  return text;
}

void write_raw(const std::string& path, const std::string& value) noexcept {
  const int fd = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(fd, value.data(), value.size());
  ::close(fd);
}

/// An abort ends the program whatever its handler does; the others would be raised again and again.
void on_deadly(int number) noexcept {
  put_back_as_last_resort();
  for (std::size_t index = 0; index < kDeadly.size(); ++index) {
    if (kDeadly[index] == number) ::sigaction(number, &actions_before[index], nullptr);
  }
  ::raise(number);
}

}  // namespace

void put_back_as_last_resort() noexcept {
  const auto* const plan =
      static_cast<const LastResort::Plan*>(armed.exchange(nullptr, std::memory_order_acquire));
  if (plan == nullptr || plan->owner != ::getpid()) return;
  const int saved_errno = errno;
  char buffer[kMostRead];
  std::size_t different = 1;
  for (int pass = 0; pass < kPasses && different > 0; ++pass) {
    different = 0;
    for (auto entry = plan->entries.rbegin(); entry != plan->entries.rend(); ++entry) {
      if (!entry->scheduler_path.empty() &&
          name_in_brackets(read_raw(entry->scheduler_path, buffer)) != entry->scheduler) {
        continue;
      }
      std::string_view now = read_raw(entry->path, buffer);
      if (entry->is_scheduler) now = name_in_brackets(now);
      if (now == std::string_view(entry->value).substr(0, entry->value.size() - 1)) continue;
      write_raw(entry->path, entry->value);
      ++different;
    }
  }
  // Left over after the last pass, or perhaps: then the journal stays, and `restore` looks again.
  if (different == 0) ::unlink(plan->journal_path.c_str());
  errno = saved_errno;
}

LastResort::LastResort() {
  if (last_resort_in_use.exchange(true)) {
    throw Error(ExitCode::system, "settings are being changed by another part of this program");
  }
  for (std::size_t index = 0; index < kDeadly.size(); ++index) {
    struct sigaction action {};
    ::sigemptyset(&action.sa_mask);
    action.sa_handler = on_deadly;
    action.sa_flags = SA_ONSTACK;
    ::sigaction(kDeadly[index], &action, &actions_before[index]);
    // Those that a shell has switched off for a program in the background do not end it.
    const bool from_outside = kDeadly[index] == SIGQUIT || kDeadly[index] == SIGXFSZ;
    if (from_outside && actions_before[index].sa_handler == SIG_IGN) {
      ::sigaction(kDeadly[index], &actions_before[index], nullptr);
    }
  }
}

LastResort::~LastResort() {
  disarm();
  for (std::size_t index = 0; index < kDeadly.size(); ++index) {
    ::sigaction(kDeadly[index], &actions_before[index], nullptr);
  }
  last_resort_in_use = false;
}

void LastResort::arm(std::span<const SettingRecord> found, const SettingFiles& files,
                     const std::string& journal_path) {
  auto plan = std::make_unique<Plan>();
  plan->journal_path = journal_path;
  for (const SettingRecord& record : found) {
    Plan::Entry entry;
    entry.path = files.root().path(files.path(record.file));
    entry.value = record.value + "\n";
    entry.is_scheduler = record.file.owner.area == SettingArea::queue && record.file.scheduler.empty() &&
                         record.file.name == "scheduler";
    if (!record.file.scheduler.empty()) {
      entry.scheduler = record.file.scheduler;
      entry.scheduler_path = files.root().path(files.path({record.file.owner, "", "scheduler"}));
    }
    plan->entries.push_back(std::move(entry));
  }
  armed.store(plan.get(), std::memory_order_release);
  plans_.push_back(std::move(plan));
}

void LastResort::disarm() noexcept {
  armed.store(nullptr, std::memory_order_release);
}

}  // namespace xrunlab
