#include "xrunlab/disk/audio_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/disk/bounded_reader.hpp"
#include "xrunlab/disk/coded_file.hpp"
#include "xrunlab/disk/header.hpp"
#include "xrunlab/disk/printable_name.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& what, const std::string& remedy = {}) {
  throw Error(ExitCode::input_file, printable_name(path) + ": " + what, remedy);
}

[[noreturn]] void refuse_errno(const fs::path& path, int error_number) {
  std::string remedy;
  if (error_number == ENOENT) remedy = "see ls for its name; quote it when it holds blanks";
  if (error_number == EACCES) remedy = "no right to read it: see ls -l for the file and its directories";
  if (error_number == ELOOP) remedy = "a symbolic link leads back to itself: see ls -l";
  if (error_number == ENOTDIR) remedy = "a part of the path before the last is a file: see ls -l for each";
  if (error_number == ENAMETOOLONG) remedy = "a name has 255 bytes at the most, a path 4095: rename it";
  if (error_number == EMFILE) remedy = "raise the limit of open files: ulimit -n";
  refuse(path, errno_text(error_number), remedy);
}

struct stat status_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status;
  const int error_number = errno;
  const bool dangling = error_number == ENOENT && ::lstat(path.c_str(), &status) == 0;
  if (dangling) refuse(path, "the symbolic link leads to nothing", "see readlink for where it should lead");
  refuse_errno(path, error_number);
}

void refuse_unless_regular(const fs::path& path, const struct stat& status) {
  const std::string remedy = "copy it to a regular file first";
  if (S_ISREG(status.st_mode)) return;
  if (S_ISDIR(status.st_mode)) refuse(path, "is a directory", "name the files in it");
  if (S_ISFIFO(status.st_mode)) refuse(path, "is a FIFO: not seekable", remedy);
  if (S_ISSOCK(status.st_mode)) refuse(path, "is a socket: not seekable", remedy);
  if (S_ISCHR(status.st_mode)) refuse(path, "is a character device: not seekable", remedy);
  refuse(path, "is a device, not a regular file", remedy);
}

constexpr std::array<std::string_view, 25> kExtensions{
    "8svx", "aif", "aifc", "aiff", "amb",  "au",   "bw64", "bwf", "caf", "flac", "mp2", "mp3", "nist",
    "oga",  "ogg", "opus", "paf",  "rf64", "rifx", "snd",  "sph", "voc", "w64",  "wav", "wave"};

bool has_audio_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  if (extension.empty()) return false;
  extension.erase(0, 1);
  for (char& character : extension) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  }
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

void refuse_unless_readable(const fs::path& path) {
  refuse_unless_regular(path, status_of(path));
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) refuse_errno(path, errno);
}

std::vector<fs::path> audio_files_in(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    const bool hidden = entry->path().filename().native().front() == '.';
    std::error_code unknown;  // a dangling link is no directory: it is listed, and refused with its own cause
    if (hidden || !has_audio_extension(entry->path()) || entry->is_directory(unknown)) continue;
    files.push_back(entry->path());
  }
  if (error) refuse_errno(directory, error.value());
  if (files.empty()) refuse(directory, "a directory without audio files", "sub-directories are not searched");
  std::sort(files.begin(), files.end(),
            [](const fs::path& left, const fs::path& right) { return left.native() < right.native(); });
  return files;
}

}  // namespace

AudioFile open_audio_file(const fs::path& path, LengthRule rule) {
  refuse_unless_regular(path, status_of(path));
  // Between stat and open another file may take the name: O_NONBLOCK keeps a FIFO from blocking us.
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd) refuse_errno(path, errno);
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) refuse_errno(path, errno);
  refuse_unless_regular(path, status);
  if (status.st_size == 0) refuse(path, "an empty file (0 bytes)", "leave it out: there is nothing to play");
  // Without this the kernel's read-ahead would warm the page cache with samples.
  ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_RANDOM);

  AudioFile file;
  file.path = path;
  file.file_bytes = status.st_size;
  BoundedReader reader(fd.get(), status.st_size, printable_name(path));
  if (!parse_header(reader, rule, file)) describe_coded_file(reader, file);
  return file;
}

std::vector<fs::path> expand_input(const fs::path& input) {
  if (input == "-") {
    refuse(input, "standard input is not seekable", "write it to a file first, or name the file ./-");
  }
  if (S_ISDIR(status_of(input).st_mode)) return audio_files_in(input);
  return {input};
}

std::vector<fs::path> expand_inputs(const std::vector<fs::path>& inputs) {
  std::vector<fs::path> files;
  for (const fs::path& input : inputs) {
    for (fs::path& found : expand_input(input)) files.push_back(std::move(found));
  }
  for (const fs::path& file : files) refuse_unless_readable(file);
  return files;
}

}  // namespace xrunlab
