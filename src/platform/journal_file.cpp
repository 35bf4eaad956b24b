#include "xrunlab/platform/journal_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kEnding = ".journal";
constexpr std::string_view kUnfinished = ".unfinished";

[[noreturn]] void fail_journal(const std::string& what, int error) {
  throw Error(ExitCode::system, what + ": " + errno_text(error),
              "the journal must be on the disk before a setting is changed: give it another place with "
              "XDG_STATE_HOME=DIRECTORY");
}

void write_all(int fd, const std::string& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_journal("cannot write " + path, written < 0 ? errno : ENOSPC);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(fd) != 0) fail_journal("cannot bring " + path + " to the disk", errno);
}

/// A name in a directory is on the disk only when the directory is.
void sync_directory(const std::string& path) {
  const UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory || ::fsync(directory.get()) != 0)
    fail_journal("cannot bring " + path + " to the disk", errno);
}

/// Nobody but its owner, who is this user or root, may have put into it what this process will believe.
bool only_owner_writes(const struct stat& status) {
  return (status.st_uid == ::geteuid() || status.st_uid == 0) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void make_directory(const std::string& path) {
  std::error_code error;
  const auto above = std::filesystem::path(path).parent_path();
  std::filesystem::create_directories(above, error);
  if (error) fail_journal("cannot make " + above.string() + " for the journal", error.value());
  if (::mkdir(path.c_str(), S_IRWXU) == 0) {
    sync_directory(above.string());
  } else if (errno != EEXIST) {
    fail_journal("cannot make " + path + " for the journal", errno);
  }
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) fail_journal("cannot look at " + path, errno);
  if (S_ISDIR(status.st_mode) && only_owner_writes(status)) return;
  throw Error(ExitCode::system, path + " is no directory that only you can write to", "chmod 700 " + path);
}

/// Removes what a process has left that was killed while it made a journal: it had changed nothing yet.
void remove_unfinished(const std::filesystem::path& directory) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(kUnfinished)) continue;
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  }
}

/// False when there is a file of that name.
bool rename_to_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  // A file system that cannot promise it: two of the same number at the same instant are not to be feared.
  if (errno == EINVAL && ::access(to.c_str(), F_OK) == 0) return false;
  if (errno == EINVAL && ::rename(from.c_str(), to.c_str()) == 0) return true;
  fail_journal("cannot make " + to, errno);
}

UniqueFd open_journal(const std::string& path) {
  UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file) {
    throw Error(ExitCode::system, "cannot read " + path + ": " + errno_text(errno), "sudo xrunlab restore");
  }
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && only_owner_writes(status)) return file;
  throw Error(ExitCode::system, path + " could have been written by somebody else: it is not believed",
              "look at it, then remove it");
}

/// To the last byte: a newline at the end says that the line before it is whole.
std::string read_whole(int fd, const std::string& path) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(ExitCode::system, "cannot read " + path + ": " + errno_text(errno));
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string in_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && value[0] == '/' ? value : "";
}

}  // namespace

std::string default_journal_directory(const SysRoot& root) {
  return journal_directories(root).front();
}

std::vector<std::string> journal_directories(const SysRoot& root) {
  std::vector<std::string> directories;
  const auto add = [&directories](const std::string& path) {
    if (std::find(directories.begin(), directories.end(), path) == directories.end())
      directories.push_back(path);
  };
  const std::string state = in_environment("XDG_STATE_HOME");
  const std::string home = in_environment("HOME");
  if (!state.empty()) add(state + "/xrunlab");
  if (::geteuid() == 0 || home.empty()) add(root.path("/var/lib/xrunlab"));
  if (!home.empty()) add(home + "/.local/state/xrunlab");
  add(root.path("/var/lib/xrunlab"));
  return directories;
}

std::vector<std::string> closed_directories(const std::vector<std::string>& directories) {
  std::vector<std::string> closed;
  for (const std::string& path : directories) {
    const UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!directory && errno == EACCES) closed.push_back(path);
  }
  return closed;
}

JournalFile::JournalFile(const std::string& directory, const std::string& text) : directory_(directory) {
  make_directory(directory);
  remove_unfinished(directory);
  const std::string stem = directory + "/settings-" + std::to_string(::getpid());
  const std::string unfinished = stem + std::string(kUnfinished);
  ::unlink(unfinished.c_str());
  file_.reset(
      ::open(unfinished.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file_) fail_journal("cannot make " + unfinished, errno);
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) fail_journal("cannot lock " + unfinished, errno);
  write_all(file_.get(), unfinished, text);
  // Not over one that is there: it may be of a killed process that had the same number.
  for (int attempt = 0;; ++attempt) {
    path_ = stem + (attempt == 0 ? "" : "-" + std::to_string(attempt)) + std::string(kEnding);
    if (rename_to_new(unfinished, path_)) break;
  }
  sync_directory(directory);
}

void JournalFile::append(const std::string& text) {
  const off_t whole = ::lseek(file_.get(), 0, SEEK_END);
  try {
    write_all(file_.get(), path_, text);
  } catch (const Error&) {
    // Half a line would spoil the next one.
    [[maybe_unused]] const int cut = ::ftruncate(file_.get(), whole);
    throw;
  }
}

void JournalFile::remove() {
  remove_journal(path_);
  file_.reset();
}

std::vector<JournalOnDisk> journals_on_disk(const std::vector<std::string>& directories) {
  std::vector<JournalOnDisk> journals;
  for (const std::string& directory : directories) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string path = entry->path().string();
      if (!path.ends_with(kEnding)) continue;
      const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
      if (!file) continue;
      const bool free = ::flock(file.get(), LOCK_SH | LOCK_NB) == 0;
      journals.push_back({path, free ? JournalOwner::gone : JournalOwner::alive});
    }
  }
  std::sort(journals.begin(), journals.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return journals;
}

std::string read_journal(const std::string& path) {
  return read_whole(open_journal(path).get(), path);
}

TakenJournal take_journal(const std::string& path) {
  TakenJournal taken{open_journal(path), ""};
  // A command that looks whether anything is left changed holds it for an instant.
  constexpr int kAttempts = 20;
  constexpr useconds_t kPauseUs = 10'000;
  for (int attempt = 0; ::flock(taken.lock.get(), LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (attempt == kAttempts) return {};
    ::usleep(kPauseUs);
  }
  taken.text = read_whole(taken.lock.get(), path);
  return taken;
}

void remove_journal(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    throw Error(ExitCode::system, "cannot remove " + path + ": " + errno_text(errno), "remove it");
  }
  sync_directory(std::filesystem::path(path).parent_path().string());
}

UniqueFd lock_owner(const SettingOwner& owner, const SysRoot& root) {
  const std::string directory = owner_directory(owner);
  UniqueFd lock(::open(root.path(directory).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock)
    throw Error(ExitCode::system, "there are no settings in " + directory + ": " + errno_text(errno));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  throw Error(ExitCode::system, "the settings of " + name_of(owner) + " are being changed by another process",
              "wait for it to end, or end it");
}

}  // namespace xrunlab
