#include "xrunlab/disk/uring_engine.hpp"

#include <liburing.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

struct FlagName {
  unsigned flag;
  const char* name;
};
constexpr FlagName kFlagNames[] = {
    {IORING_SETUP_SINGLE_ISSUER, "SINGLE_ISSUER"},
    {IORING_SETUP_DEFER_TASKRUN, "DEFER_TASKRUN"},
    {IORING_SETUP_COOP_TASKRUN, "COOP_TASKRUN"},
    {IORING_SETUP_SQPOLL, "SQPOLL"},
};

// In the order in which they are tried: the kernels before 6.1 do not know DEFER_TASKRUN, those before 6.0
// SINGLE_ISSUER, those before 5.19 COOP_TASKRUN.
constexpr unsigned kByCall[] = {
    IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN,
    IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN, IORING_SETUP_COOP_TASKRUN, 0};
constexpr unsigned kByKernelThread[] = {IORING_SETUP_SQPOLL | IORING_SETUP_SINGLE_ISSUER,
                                        IORING_SETUP_SQPOLL};

// No read has it: a tag holds the number of a track, and there are fewer.
constexpr std::uint64_t kWakeTag = ~std::uint64_t{0};

std::vector<std::string> names_of(unsigned flags) {
  std::vector<std::string> names;
  for (const auto& known : kFlagNames) {
    if ((flags & known.flag) != 0) names.emplace_back(known.name);
  }
  return names;
}

int read_io_uring_disabled() {
  std::ifstream file("/proc/sys/kernel/io_uring_disabled");
  int value = -1;
  file >> value;
  return file ? value : -1;
}

class UringEngine final : public IoEngine {
 public:
  explicit UringEngine(UringRequest request) : request_(std::move(request)) {
    grant_.engine = "io_uring";
    set_up();
    register_files();
    register_buffers();
    if (request_.wake_fd >= 0) watch(request_.wake_fd);
    delivered_.reserve(static_cast<std::size_t>(request_.depth));
  }
  UringEngine(const UringEngine&) = delete;
  UringEngine& operator=(const UringEngine&) = delete;
  ~UringEngine() override { io_uring_queue_exit(&ring_); }

  const IoGrant& grant() const noexcept override { return grant_; }
  int depth() const noexcept override { return request_.depth; }

  void submit(const ReadRequest& read) override {
    io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
    if (sqe == nullptr) {  // with SQPOLL the kernel thread may not yet have taken the entries of before
      check(io_uring_submit(&ring_), "io_uring_submit");
      if (request_.submission == Submission::by_kernel_thread) io_uring_sqring_wait(&ring_);
      sqe = io_uring_get_sqe(&ring_);
      if (sqe == nullptr) throw Error(ExitCode::system, "io_uring: the submission queue stays full");
    }
    const int file = grant_.fixed_files ? static_cast<int>(read.file) : request_.files[read.file];
    if (grant_.fixed_buffers) {
      io_uring_prep_read_fixed(sqe, file, read.out, read.size, static_cast<__u64>(read.offset),
                               slice_of(read.out));
    } else {
      io_uring_prep_read(sqe, file, read.out, read.size, static_cast<__u64>(read.offset));
    }
    if (grant_.fixed_files) sqe->flags |= IOSQE_FIXED_FILE;
    sqe->ioprio = static_cast<__u16>(request_.io_priority);
    io_uring_sqe_set_data64(sqe, read.tag);
  }

  std::span<const ReadCompletion> wait(Nanoseconds timeout) override {
    delivered_.clear();
    __kernel_timespec time{timeout.count() / kNsPerSecond, timeout.count() % kNsPerSecond};
    io_uring_cqe* first = nullptr;
    const int result = io_uring_submit_and_wait_timeout(&ring_, &first, 1, &time, nullptr);
    // EAGAIN and EBUSY: the kernel is short of memory or completions wait to be taken; what was submitted
    // stays queued.
    if (result < 0 && result != -ETIME && result != -EINTR && result != -EAGAIN && result != -EBUSY) {
      check(result, "io_uring_submit_and_wait_timeout");
    }
    unsigned head = 0;
    unsigned taken = 0;
    io_uring_cqe* cqe = nullptr;
    io_uring_for_each_cqe(&ring_, head, cqe) {
      if (cqe->user_data != kWakeTag) delivered_.push_back({cqe->user_data, cqe->res});
      ++taken;
    }
    io_uring_cq_advance(&ring_, taken);
    return delivered_;
  }

 private:
  static void check(int result, const char* call) {
    if (result < 0) throw Error(ExitCode::system, std::string(call) + ": " + errno_text(-result));
  }

  void set_up() {
    const bool polled = request_.submission == Submission::by_kernel_thread;
    const std::span<const unsigned> sets =
        polled ? std::span<const unsigned>(kByKernelThread) : std::span<const unsigned>(kByCall);
    int result = -EINVAL;
    for (const unsigned flags : sets) {
      io_uring_params params{};
      params.flags = flags;
      params.sq_thread_idle = 100;  // ms that the kernel thread spins before it sleeps
      result = io_uring_queue_init_params(static_cast<unsigned>(request_.depth), &ring_, &params);
      if (result == 0) {
        grant_.flags = names_of(flags);
        if (flags != sets.front())
          grant_.warnings.push_back("io_uring: this kernel knows only some set-up flags");
        return;
      }
      if (result != -EINVAL) break;
    }
    throw uring_setup_error(-result, read_io_uring_disabled());
  }

  void watch(int fd) {
    io_uring_sqe* const sqe = io_uring_get_sqe(&ring_);  // the first of all: there is room
    io_uring_prep_poll_add(sqe, fd, POLLIN);
    io_uring_sqe_set_data64(sqe, kWakeTag);
    check(io_uring_submit(&ring_), "io_uring_submit");
  }

  void register_files() {
    const int result =
        io_uring_register_files(&ring_, request_.files.data(), static_cast<unsigned>(request_.files.size()));
    grant_.fixed_files = result == 0;
    if (result != 0) grant_.warnings.push_back("io_uring: files were not registered: " + errno_text(-result));
  }

  void register_buffers() {
    if (request_.use_buffers == Buffers::plain) return;
    std::vector<iovec> slices;
    for (const auto& slice : request_.buffers) slices.push_back({slice.data(), slice.size()});
    const int result = io_uring_register_buffers(&ring_, slices.data(), static_cast<unsigned>(slices.size()));
    grant_.fixed_buffers = result == 0;
    if (result != 0) grant_.warnings.push_back(unregistered_buffers(-result));
  }

  /// Index of the registered slice that holds `address`.
  int slice_of(const std::byte* address) const noexcept {
    const auto after =
        std::upper_bound(request_.buffers.begin(), request_.buffers.end(), address,
                         [](const std::byte* at, const auto& slice) { return at < slice.data(); });
    return static_cast<int>(after - request_.buffers.begin()) - 1;
  }

  UringRequest request_;
  IoGrant grant_;
  io_uring ring_{};
  std::vector<ReadCompletion> delivered_;
};

}  // namespace

Error uring_setup_error(int error_number, int disabled) {
  switch (error_number) {
    case ENOSYS:
      return {ExitCode::system, "io_uring: this kernel has none (ENOSYS)",
              "use --io pread, or a kernel from 5.11 on"};
    case EPERM:
      if (disabled > 0) {
        return {ExitCode::system,
                "io_uring: forbidden by kernel.io_uring_disabled = " + std::to_string(disabled),
                "sysctl kernel.io_uring_disabled=0, or use --io pread"};
      }
      return {ExitCode::system,
              "io_uring: not permitted (EPERM), most likely by a container's seccomp filter",
              "allow io_uring_setup in the container's seccomp profile, or use --io pread"};
    case ENOMEM:
      return {ExitCode::system, "io_uring: no memory for the ring (ENOMEM): the memlock limit is too small",
              "raise it (`ulimit -l`), give a smaller --queue-depth, or use --io pread"};
    default:
      return {ExitCode::system, "io_uring: set-up failed: " + errno_text(error_number), "use --io pread"};
  }
}

std::string unregistered_buffers(int error_number) {
  const std::string cause =
      error_number == ENOMEM
          ? "the memlock limit is too small for the ring (raise `ulimit -l`, or @audio - memlock unlimited)"
          : errno_text(error_number);
  return "io_uring: buffers were not registered: " + cause;
}

std::unique_ptr<IoEngine> make_uring_engine(UringRequest request) {
  return std::make_unique<UringEngine>(std::move(request));
}

}  // namespace xrunlab
