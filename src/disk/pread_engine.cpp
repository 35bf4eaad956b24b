#include "xrunlab/disk/pread_engine.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

constexpr int kIoPriorityOfProcess = 1;  // IOPRIO_WHO_PROCESS; with id 0 the calling thread

class PreadEngine final : public IoEngine {
 public:
  PreadEngine(std::vector<int> files, int io_priority, int wake_fd)
      : files_(std::move(files)), wake_fd_(wake_fd) {
    grant_.engine = "pread";
    grant_.reads_in_submit = true;
    if (io_priority != 0 && syscall(SYS_ioprio_set, kIoPriorityOfProcess, 0, io_priority) != 0) {
      grant_.warnings.push_back("the reader's I/O priority was refused: " + errno_text(errno));
    }
  }

  const IoGrant& grant() const noexcept override { return grant_; }
  int depth() const noexcept override { return 1; }

  void submit(const ReadRequest& request) override {
    ssize_t result = 0;
    do {
      result = pread(files_[request.file], request.out, request.size, request.offset);
    } while (result < 0 && errno == EINTR);
    pending_.push_back({request.tag, result < 0 ? -errno : static_cast<std::int32_t>(result)});
  }

  std::span<const ReadCompletion> wait(Nanoseconds timeout) override {
    if (pending_.empty() && timeout.count() > 0) sleep(timeout);
    delivered_.swap(pending_);
    pending_.clear();
    return delivered_;
  }

 private:
  void sleep(Nanoseconds timeout) const noexcept {
    pollfd waited{wake_fd_, POLLIN, 0};
    const timespec time{timeout.count() / kNsPerSecond, timeout.count() % kNsPerSecond};
    ::ppoll(&waited, 1, &time, nullptr);
  }

  std::vector<int> files_;
  int wake_fd_;
  IoGrant grant_;
  std::vector<ReadCompletion> pending_;
  std::vector<ReadCompletion> delivered_;
};

}  // namespace

std::unique_ptr<IoEngine> make_pread_engine(std::vector<int> files, int io_priority, int wake_fd) {
  return std::make_unique<PreadEngine>(std::move(files), io_priority, wake_fd);
}

}  // namespace xrunlab
