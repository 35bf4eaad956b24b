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

/// A file to be written, and the option that named it.
struct OutputFile {
  std::filesystem::path path;
  std::string option;
};

[[noreturn]] void fail(const std::string& attempt, const OutputFile& output, int error) {
  const auto& [path, option] = output;
  std::string remedy;
  std::error_code ignored;
  if (error == ENOENT || error == ENOTDIR) {
    // /proc is there, and takes no files.
    remedy = std::filesystem::is_directory(path.parent_path(), ignored)
                 ? "give " + option + " another folder"
                 : "mkdir -p '" + path.parent_path().string() + "'";
  }
  if (error == EISDIR) remedy = "give " + option + " the name of a file in it";
  if (error == ENOSPC || error == EDQUOT) remedy = "free some space, or give " + option + " another place";
  if (error == EACCES || error == EPERM || error == EROFS)
    remedy = "give " + option + " a folder you may write to";
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
  explicit TemporaryFile(const OutputFile& output)
      : name_((output.path.parent_path() /
               std::string(".").append(output.path.filename().string()).append(".XXXXXX"))
                  .string()),
        fd_(::mkostemp(name_.data(), O_CLOEXEC)) {
    if (!fd_) fail("create a file for", output, errno);
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

void write_directly(const std::string& text, const OutputFile& output) {
  const UniqueFd fd(::open(output.path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd) fail("open", output, errno);
  if (const int error = write_all(fd.get(), text); error != 0) fail("write", output, error);
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

constexpr int kMostLinks = 40;  // as the kernel

std::filesystem::path behind_link(const std::filesystem::path& path) {
  std::error_code ignored;
  // Written through as it is: a link of /proc leads to a pipe or a terminal, which has no path.
  if (std::filesystem::is_other(std::filesystem::status(path, ignored))) return path;
  auto target = path;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(target, ignored); ++links) {
    target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
  }
  return target;
}

}  // namespace

void check_output_place(const std::filesystem::path& path, const std::string& option) {
  const OutputFile output{path, option};
  const auto target = behind_link(path);
  struct stat status {};
  const bool there = ::stat(target.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) fail("write", output, EISDIR);
  if (there && !S_ISREG(status.st_mode)) {
    if (::access(target.c_str(), W_OK) != 0) fail("open", output, errno);
    return;
  }
  const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  if (::stat(folder.c_str(), &status) != 0) fail("create a file for", output, errno);
  if (!S_ISDIR(status.st_mode)) fail("create a file for", output, ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail("create a file for", output, errno);
}

void check_run_file(const std::filesystem::path& path) {
  check_output_place(path, kJsonOption);
}

void write_run_file(const RunData& run, const std::filesystem::path& path, const std::string& option) {
  write_whole_file(to_json(run), path, option);
}

void write_json_file(const std::string& text, const std::filesystem::path& path) {
  write_whole_file(text, path, kJsonOption);
}

void write_whole_file(const std::string& bytes, const std::filesystem::path& path,
                      const std::string& option) {
  const OutputFile target{behind_link(path), option};
  struct stat status {};
  if (::stat(target.path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return write_directly(bytes, target);

  TemporaryFile file(target);
  if (const int error = write_all(file.fd(), bytes); error != 0) fail("write", target, error);
  (void)::fchmod(file.fd(), usual_mode());
  if (::fsync(file.fd()) != 0) fail("sync", target, errno);
  if (const int error = file.move_to(target.path); error != 0) fail("rename a file to", target, error);
  sync_folder(target.path.parent_path());
}

}  // namespace xrunlab
