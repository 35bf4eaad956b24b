#include "xrunlab/engine/sample_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr std::string_view kSampleHeader = "round,thread,planned_ns,late_ns,missed\n";
constexpr std::size_t kSamplesAtOnce = 1024;
constexpr std::size_t kSampleFlushBytes = std::size_t{256} << 10;

/// Nothing, or a file of this kind, may be overwritten.
bool is_ours(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0) return true;
  std::string begin(kSampleHeader.size(), '\0');
  const ssize_t count = ::pread(fd, begin.data(), begin.size(), 0);
  return count == static_cast<ssize_t>(begin.size()) && begin == kSampleHeader;
}

}  // namespace

SampleFile::SampleFile(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)), popped_(kSamplesAtOnce) {
  if (!file_) {
    throw Error(ExitCode::system, "--record: cannot create " + path.string() + ": " + errno_text(errno),
                "give it a folder that exists and may be written to");
  }
  if (!is_ours(file_.get())) {
    throw Error(ExitCode::usage, "--record: " + path.string() + " is there and is no file of samples",
                "name another file, or remove it");
  }
  if (::ftruncate(file_.get(), 0) != 0)
    throw Error(ExitCode::system, "--record: cannot empty " + path.string() + ": " + errno_text(errno));
  text_ = kSampleHeader;
}

void SampleFile::drain(EventConsumer<WakeSample>& samples, std::int64_t round, std::size_t thread) {
  const std::string front = std::to_string(round) + "," + std::to_string(thread) + ",";
  for (;;) {
    const std::size_t count = samples.pop(popped_.data(), popped_.size());
    for (std::size_t index = 0; index < count; ++index) {
      const WakeSample& sample = popped_[index];
      text_ += front;
      text_ += std::to_string(sample.planned_ns) + "," + std::to_string(sample.late_ns);
      text_ += sample.missed ? ",1\n" : ",0\n";
    }
    if (text_.size() >= kSampleFlushBytes) flush();
    if (count < popped_.size()) return;
  }
}

void SampleFile::flush() {
  std::size_t done = 0;
  while (error_.empty() && done < text_.size()) {
    const ssize_t count = ::write(file_.get(), text_.data() + done, text_.size() - done);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      error_ = path_.string() + " is cut: " + errno_text(errno);
    }
  }
  text_.clear();
}

std::string SampleFile::finish() {
  flush();
  return error_;
}

}  // namespace xrunlab
