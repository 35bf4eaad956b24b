#include "xrunlab/disk/set_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/file_text.hpp"
#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

fs::path partial_name(const fs::path& dir, const std::string& name) {
  return dir / ("." + name + ".xrunlab-part");
}

[[noreturn]] void fail_set(const std::string& what, int error_number) {
  throw Error(ExitCode::system, what + ": " + errno_text(error_number),
              error_number == ENOSPC ? "free some space, or write fewer (--tracks) or shorter (-d) tracks"
              : error_number == EACCES || error_number == EPERM ? "choose a directory that you may write to"
                                                                : "");
}

bool is_there(const fs::path& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0;
}

/// Nothing for what is not there; −1 for what is no regular file.
std::optional<Bytes> regular_size(const fs::path& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) return std::nullopt;
  return S_ISREG(status.st_mode) ? static_cast<Bytes>(status.st_size) : -1;
}

bool matches(const SetFile& file, const std::string& name, Bytes size) {
  return file.name == name && size >= 0 && (file.size_bytes < 0 || file.size_bytes == size);
}

void sync_directory(const fs::path& dir) {
  const UniqueFd fd(open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a directory and say EINVAL: nothing more can be done on them.
  if (!fd || (fsync(fd.get()) != 0 && errno != EINVAL)) fail_set("cannot sync " + dir.string(), errno);
}

void write_manifest(const fs::path& dir, const SetManifest& manifest) {
  const fs::path partial = partial_name(dir, kSetManifestName);
  const std::string text = to_json(manifest);
  int failure = 0;
  {
    const UniqueFd fd(open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!fd) fail_set("cannot create a file in " + dir.string(), errno);
    std::size_t done = 0;
    while (done < text.size() && failure == 0) {
      const ssize_t count = write(fd.get(), text.data() + done, text.size() - done);
      if (count >= 0) {
        done += static_cast<std::size_t>(count);
      } else if (errno != EINTR) {
        failure = errno;
      }
    }
    if (failure == 0 && fsync(fd.get()) != 0) failure = errno;
  }
  if (failure == 0 && rename(partial.c_str(), (dir / kSetManifestName).c_str()) != 0) failure = errno;
  if (failure != 0) {
    unlink(partial.c_str());
    fail_set("cannot write " + (dir / kSetManifestName).string(), failure);
  }
}

}  // namespace

std::optional<SetManifest> read_manifest(const fs::path& dir) {
  const fs::path path = dir / kSetManifestName;
  if (!is_there(path)) return std::nullopt;
  const auto text = file_text(path.c_str());
  if (!text) throw Error(ExitCode::input_file, "cannot read " + path.string() + ": " + errno_text(errno));
  return set_manifest_from_json(*text);
}

SetTransaction::SetTransaction(const fs::path& dir, SetManifest wanted, Force force)
    : dir_(dir.has_filename() ? dir : dir.parent_path()), wanted_(std::move(wanted)) {
  struct stat status;
  if (stat(dir_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail_set("cannot use " + dir_.string(), errno);
    return;
  }
  if (!S_ISDIR(status.st_mode)) {
    throw Error(ExitCode::usage, dir_.string() + " is a file, not a directory", "name a directory");
  }
  old_ = read_manifest(dir_);
  refuse_what_stands_in_the_way(force);
}

void SetTransaction::refuse_what_stands_in_the_way(Force force) const {
  for (const auto& file : wanted_.files) {
    const bool partial_is_foreign = is_there(partial_name(dir_, file.name)) && (!old_ || old_->complete);
    if (partial_is_foreign || (is_there(dir_ / file.name) && !is_ours(file.name))) {
      throw Error(ExitCode::usage,
                  (dir_ / file.name).string() + " exists and is not a file of a set written here before",
                  "choose another directory, or move that file away");
    }
  }
  if (old_ && force == Force::no) {
    throw Error(ExitCode::usage, dir_.string() + " holds a generated set already",
                "overwrite it with --force, or remove it with: xrunlab gen --remove " + dir_.string());
  }
}

bool SetTransaction::is_ours(const std::string& name) const {
  const auto size = regular_size(dir_ / name);
  return old_ && size && std::any_of(old_->files.begin(), old_->files.end(), [&](const SetFile& file) {
           return matches(file, name, *size);
         });
}

void SetTransaction::begin() {
  if (!is_there(dir_)) {
    if (dir_.has_parent_path()) {
      std::error_code failure;
      fs::create_directories(dir_.parent_path(), failure);
      if (failure) fail_set("cannot make " + dir_.parent_path().string(), failure.value());
    }
    if (mkdir(dir_.c_str(), 0777) != 0) fail_set("cannot make " + dir_.string(), errno);
    made_directory_ = true;
  }
  wanted_.created_directory = made_directory_ || (old_ && old_->created_directory);
  SetManifest journal = wanted_;
  journal.complete = false;
  if (old_) journal.files.insert(journal.files.begin(), old_->files.begin(), old_->files.end());
  begun_ = true;
  write_manifest(dir_, journal);
  sync_directory(dir_);
  for (const auto& file : wanted_.files) unlink(partial_name(dir_, file.name).c_str());
}

fs::path SetTransaction::partial_path(std::size_t index) const {
  return partial_name(dir_, wanted_.files[index].name);
}

std::vector<fs::path> SetTransaction::commit() {
  std::vector<fs::path> paths;
  for (std::size_t index = 0; index < wanted_.files.size(); ++index) {
    auto& file = wanted_.files[index];
    const fs::path partial = partial_path(index);
    file.size_bytes = regular_size(partial).value_or(-1);
    paths.push_back(dir_ / file.name);
    // What has appeared under the name since we looked is not ours: it must not be replaced.
    const bool replaces = is_ours(file.name);
    const unsigned flags = replaces ? 0u : RENAME_NOREPLACE;
    int result = renameat2(AT_FDCWD, partial.c_str(), AT_FDCWD, paths.back().c_str(), flags);
    if (result != 0 && errno == EINVAL && !is_there(paths.back())) {
      result = rename(partial.c_str(), paths.back().c_str());
    }
    if (result != 0) fail_set("cannot give " + paths.back().string() + " its name", errno);
    if (replaces) {
      replaced_any_ = true;
    } else {
      named_.push_back(paths.back());
    }
  }
  if (old_) {
    for (const auto& file : old_->files) {
      const bool replaced = std::any_of(wanted_.files.begin(), wanted_.files.end(),
                                        [&](const SetFile& next) { return next.name == file.name; });
      if (!replaced && is_ours(file.name)) unlink((dir_ / file.name).c_str());
    }
  }
  wanted_.complete = true;
  write_manifest(dir_, wanted_);
  sync_directory(dir_);
  committed_ = true;
  return paths;
}

SetTransaction::~SetTransaction() {
  if (!begun_ || committed_) return;
  for (std::size_t index = 0; index < wanted_.files.size(); ++index) unlink(partial_path(index).c_str());
  for (const auto& path : named_) unlink(path.c_str());
  if (replaced_any_) return;  // of the old set a part is gone: the journal, which lists both sets, stays
  if (old_) {
    try {
      write_manifest(dir_, *old_);
    } catch (const std::exception&) {
      return;  // the journal stays; it lists the old files too
    }
  } else {
    unlink((dir_ / kSetManifestName).c_str());
  }
  if (made_directory_) rmdir(dir_.c_str());
}

int remove_set(const fs::path& dir, Force force) {
  const auto manifest = read_manifest(dir);
  if (!manifest) {
    throw Error(ExitCode::input_file,
                dir.string() + " has no " + kSetManifestName + ": no set was written there",
                "name the directory that `xrunlab gen` wrote to");
  }
  std::vector<fs::path> doomed;
  for (const auto& file : manifest->files) {
    const fs::path path = dir / file.name;
    const fs::path partial = partial_name(dir, file.name);
    if (!manifest->complete && regular_size(partial).value_or(-1) >= 0) doomed.push_back(partial);
    const auto size = regular_size(path);
    if (!size) continue;
    const bool unchanged =
        std::any_of(manifest->files.begin(), manifest->files.end(),
                    [&](const SetFile& known) { return matches(known, file.name, *size); });
    if (unchanged || (force == Force::yes && *size >= 0)) {
      doomed.push_back(path);
    } else {
      throw Error(ExitCode::input_file,
                  path.string() + " has changed since the set was written; nothing was removed",
                  "remove it by hand, or use --remove --force");
    }
  }
  int removed = 0;
  for (const auto& path : doomed) {
    if (unlink(path.c_str()) == 0) {
      ++removed;
    } else if (errno != ENOENT) {
      fail_set("cannot remove " + path.string(), errno);
    }
  }
  if (unlink((dir / kSetManifestName).c_str()) != 0)
    fail_set("cannot remove the manifest in " + dir.string(), errno);
  if (!manifest->created_directory || rmdir(dir.c_str()) != 0) sync_directory(dir);
  return removed;
}

}  // namespace xrunlab
