#include "xrunlab/model/run_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/model/run_json.hpp"

namespace xrunlab {
namespace {

[[noreturn]] void fail(const std::string& attempt, const std::filesystem::path& path, int error) {
  std::string remedy;
  if (error == ENOENT || error == ENOTDIR) remedy = "mkdir -p '" + path.parent_path().string() + "'";
  if (error == EISDIR) remedy = "give --json=FILE the name of a file in it";
  if (error == ENOSPC || error == EDQUOT) remedy = "free some space, or give --json=FILE another place";
  if (error == EACCES || error == EPERM || error == EROFS)
    remedy = "give --json=FILE a folder you may write to";
  throw Error(ExitCode::system, "cannot " + attempt + " " + path.string() + ": " + errno_text(error), remedy);
}

/// Returns 0 or errno.
int write_all(int fd, const std::string& text) noexcept {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return 0;
}

/// A file under a temporary name, removed unless it gets its final one.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& final_path)
      : name_((final_path.parent_path() /
               std::string(".").append(final_path.filename().string()).append(".XXXXXX"))
                  .string()),
        fd_(::mkostemp(name_.data(), O_CLOEXEC)) {
    if (!fd_) fail("create a file for", final_path, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  int fd() const noexcept { return fd_.get(); }
  /// Returns 0 or errno.
  int move_to(const std::filesystem::path& path) noexcept {
    if (::rename(name_.c_str(), path.c_str()) != 0) return errno;
    name_.clear();
    return 0;
  }

 private:
  std::string name_;
  UniqueFd fd_;
};

void write_directly(const std::string& text, const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd) fail("open", path, errno);
  if (const int error = write_all(fd.get(), text); error != 0) fail("write", path, error);
}

/// mkostemp gives 0600; a run file is as readable as any other new file.
mode_t usual_mode() noexcept {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return static_cast<mode_t>(0666 & ~mask);
}

void sync_folder(const std::filesystem::path& folder) noexcept {
  const UniqueFd fd(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot sync a folder; the file itself is safe by then.
  if (fd) (void)::fsync(fd.get());
}

std::filesystem::path behind_link(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_symlink(path, ignored) ? std::filesystem::weakly_canonical(path) : path;
}

}  // namespace

void check_run_file(const std::filesystem::path& path) {
  const auto target = behind_link(path);
  struct stat status {};
  const bool there = ::stat(target.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) fail("write", path, EISDIR);
  if (there && !S_ISREG(status.st_mode)) {
    if (::access(target.c_str(), W_OK) != 0) fail("open", path, errno);
    return;
  }
  const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  if (::stat(folder.c_str(), &status) != 0) fail("create a file for", path, errno);
  if (!S_ISDIR(status.st_mode)) fail("create a file for", path, ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail("create a file for", path, errno);
}

void write_run_file(const RunData& run, const std::filesystem::path& path) {
  write_json_file(to_json(run), path);
}

void write_json_file(const std::string& text, const std::filesystem::path& path) {
  const auto target = behind_link(path);
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return write_directly(text, target);

  TemporaryFile file(target);
  if (const int error = write_all(file.fd(), text); error != 0) fail("write", target, error);
  (void)::fchmod(file.fd(), usual_mode());
  if (::fsync(file.fd()) != 0) fail("sync", target, errno);
  if (const int error = file.move_to(target); error != 0) fail("rename a file to", target, error);
  sync_folder(target.parent_path());
}

}  // namespace xrunlab
