#include "xrunlab/model/sweep_directory.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/file_text.hpp"
#include "xrunlab/model/byte_text.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDirectoryOption = "-o";

[[noreturn]] void fail_at(const std::string& attempt, const fs::path& path, int error) {
  throw Error(ExitCode::system, "cannot " + attempt + " " + path.string() + ": " + errno_text(error),
              "give -o a directory that you may write to");
}

void make_directory(const fs::path& path) {
  std::error_code error;
  fs::create_directory(path, error);
  if (error) fail_at("make the directory", path, error.value());
  if (::access(path.c_str(), W_OK | X_OK) != 0) fail_at("write to", path, errno);
}

std::string text_of(const fs::path& path) {
  auto text = file_text(path.c_str());
  if (text) return std::move(*text);
  throw Error(ExitCode::input_file, "cannot read " + path.string() + ": " + errno_text(errno),
              "is it readable for you?");
}

/// 0, EEXIST when `to` is there, or another errno.
int rename_to_free(const fs::path& from, const fs::path& to) noexcept {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that cannot do it in one step (NFS) can link.
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  ::unlink(from.c_str());
  return 0;
}

/// Whole and on the disk, under a name that must be free; false when it is not.
bool put_new(const std::string& text, const fs::path& path) {
  auto draft = path;
  draft.replace_filename("." + path.filename().string() + "." + std::to_string(::getpid()));
  write_whole_file(text, draft, kDirectoryOption);
  const int error = rename_to_free(draft, path);
  if (error != 0) ::unlink(draft.c_str());
  if (error != 0 && error != EEXIST) fail_at("create", path, error);
  const UniqueFd folder(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) (void)::fsync(folder.get());
  return error == 0;
}

SweepManifest manifest_in(const fs::path& directory) {
  const auto path = directory / kSweepManifestName;
  if (!fs::exists(path)) {
    throw Error(ExitCode::input_file, "there is no sweep in " + directory.string(),
                "name a directory that xrunlab sweep -o has written");
  }
  return sweep_manifest_from_json(text_of(path), path.string());
}

}  // namespace

SweepDirectory::SweepDirectory(fs::path path, SweepManifest sweep)
    : path_(std::move(path)), manifest_(std::move(sweep)) {}

void SweepDirectory::lock(int how) {
  lock_.reset(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock_) fail_at("open", path_, errno);
  if (::flock(lock_.get(), how | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw Error(ExitCode::usage, "another process is making the sweep in " + path_.string(),
              "wait for it, or name another directory");
}

void SweepDirectory::remove_drafts() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(".run-") || name.starts_with(".warm-up-")) fs::remove(entry.path(), ignored);
  }
}

void SweepDirectory::check_free(const fs::path& path) {
  if (fs::exists(path / kSweepManifestName)) {
    throw Error(
        ExitCode::usage, "there is a sweep in " + path.string() + " already",
        "go on with it by xrunlab sweep --resume -o '" + path.string() + "', or name another directory");
  }
  if (fs::exists(path) && !fs::is_empty(path)) {
    throw Error(ExitCode::usage, path.string() + " is not empty", "name a directory that is, or a new one");
  }
}

SweepDirectory SweepDirectory::create(const fs::path& path, const SweepManifest& sweep) {
  make_directory(path);
  SweepDirectory directory(path, sweep);
  directory.lock(LOCK_EX);
  check_free(path);
  if (!put_new(to_json(sweep), path / kSweepManifestName))
    fail_at("create", path / kSweepManifestName, EEXIST);
  return directory;
}

SweepDirectory SweepDirectory::resume(const fs::path& path) {
  SweepDirectory directory(path, manifest_in(path));
  directory.lock(LOCK_EX);
  directory.remove_drafts();
  return directory;
}

SweepDirectory SweepDirectory::join(const fs::path& path, const SweepManifest& sweep) {
  make_directory(path);
  // When another process was first, what it wrote must be the same.
  if (!fs::exists(path / kSweepManifestName)) put_new(to_json(sweep), path / kSweepManifestName);
  SweepDirectory directory(path, manifest_in(path));
  directory.lock(LOCK_SH);
  SweepManifest planned = directory.manifest_;
  planned.exploratory = sweep.exploratory;
  if (planned != sweep) {
    throw Error(ExitCode::usage, "the sweep in " + path.string() + " is another one",
                "name another directory, or give the same options");
  }
  return directory;
}

bool SweepDirectory::holds(const std::string& name) const {
  const auto path = path_ / name;
  if (!fs::exists(path)) return false;
  const RunData run = run_from_json(text_of(path), path.string());
  if (run.experiment && run.experiment->sweep_id == manifest_.id) return true;
  throw Error(ExitCode::input_file, path.string() + " is no run of this sweep", "move it elsewhere");
}

fs::path SweepDirectory::draft(const std::string& name) const {
  return path_ / ("." + name + "." + std::to_string(::getpid()));
}

void SweepDirectory::record(const std::string& name, const RunData& run) const {
  if (put_new(to_json(run), path_ / name)) return;
  throw Error(ExitCode::system,
              (path_ / name).string() + " has come to be there meanwhile; it was left as it is",
              "make one sweep a directory");
}

void SweepDirectory::record_failure(const std::string& name, const std::string& text) const {
  constexpr int kMost = 10'000;
  const auto stem = fs::path(name).stem().string();
  for (int attempt = 1; attempt < kMost; ++attempt) {
    if (put_new(text, path_ / (stem + ".failed-" + std::to_string(attempt) + ".txt"))) return;
  }
}

void SweepDirectory::extend(int exploratory_runs) {
  manifest_.exploratory = exploratory_runs;
  write_whole_file(to_json(manifest_), path_ / kSweepManifestName, kDirectoryOption);
}

}  // namespace xrunlab
