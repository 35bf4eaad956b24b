// The io_uring engine: registered files and buffers, one ring owned by the thread that makes it
// (SINGLE_ISSUER), completions run when that thread asks for them (DEFER_TASKRUN). Made, used and destroyed
// by the reader thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/io_engine.hpp"

namespace xrunlab {

enum class Submission { by_call, by_kernel_thread };
enum class Buffers { registered, plain };

struct UringRequest {
  std::vector<int> files;                     ///< open descriptors, which must outlive the engine
  std::vector<std::span<std::byte>> buffers;  ///< slices of at most 1 GiB; every read lies within one of them
  int depth = 32;
  Submission submission = Submission::by_call;  ///< by_kernel_thread: SQPOLL
  Buffers use_buffers = Buffers::registered;
  int io_priority = 0;  ///< as ioprio_set(2) takes it; 0: none
  int wake_fd = -1;     ///< ends a wait() once it is readable; −1: none
};

/// Throws Error{system} that says which of the usual causes it is: ENOSYS, EPERM by sysctl or by seccomp,
/// ENOMEM. What can do without (fewer set-up flags, unregistered files or buffers) is granted less and stands
/// in grant().warnings.
std::unique_ptr<IoEngine> make_uring_engine(UringRequest request);

/// The text for a failed io_uring_setup: cause and remedy. `disabled` is the value of
/// kernel.io_uring_disabled, −1 unknown.
Error uring_setup_error(int error_number, int disabled);

/// Why buffers were not registered, with the remedy, as it stands in grant().warnings.
std::string unregistered_buffers(int error_number);

}  // namespace xrunlab
