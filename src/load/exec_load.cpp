#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "load_jobs.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/load/load_file.hpp"

namespace xrunlab {
namespace {

constexpr const char* kOwnProgram = "/proc/self/exe";
constexpr Bytes kCopyBytes = Bytes{1} << 20;
// Programs jump about, but not from page to page.
constexpr std::size_t kClusterBytes = std::size_t{64} << 10;

[[noreturn]] void fail_exec(const std::string& what, int error, const std::string& remedy = {}) {
  throw Error(ExitCode::system, what + ": " + errno_text(error), remedy);
}

/// The whole program in front of the noise: the loader maps only what the program's headers name.
void copy_own_program(const LoadFile& file) {
  const UniqueFd own(::open(kOwnProgram, O_RDONLY | O_CLOEXEC));
  if (!own) fail_exec("cannot open the program itself", errno, "mount /proc");
  const PageBuffer buffer(kCopyBytes);
  Bytes offset = 0;
  for (;;) {
    const ssize_t count = ::pread(own.get(), buffer.data(), buffer.all().size(), offset);
    if (count < 0) fail_exec("cannot read the program itself", errno);
    if (count == 0) return;
    if (offset + count > file.size) {
      throw Error(ExitCode::system, "exec: its file is smaller than the program itself",
                  "give it a larger size=, or free some space");
    }
    write_all(file.fd.get(), buffer.all().first(static_cast<std::size_t>(count)), offset);
    offset += count;
  }
}

/// A file that is open for writing cannot be run.
UniqueFd reopened_for_reading(LoadFile file) {
  const std::string path = "/proc/self/fd/" + std::to_string(file.fd.get());
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) fail_exec("cannot open the load's program", errno);
  return fd;
}

UniqueFd make_program(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  LoadFile file = make_load_file(task.spec.path, task.spec.size, kPageBytes, LoadAccess::buffered);
  figures.file_bytes = file.size;
  fill_load_file(file, task.seed + static_cast<std::uint64_t>(task.index), figures, stop);
  copy_own_program(file);
  if (::fchmod(file.fd.get(), 0700) != 0 || ::fsync(file.fd.get()) != 0)
    fail_exec("cannot make the load's program", errno);
  return reopened_for_reading(std::move(file));
}

void run_once(int program, const std::string& seed) {
  const std::string path = "/proc/self/fd/" + std::to_string(program);
  const char* const argv[] = {"xrunlab", "load-worker", "touch", seed.c_str(), nullptr};
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, path.c_str(), nullptr, nullptr, const_cast<char* const*>(argv), environ);
  if (error != 0) {
    fail_exec("cannot run the load's program", error,
              error == EACCES ? "its directory is mounted noexec: name another, exec:DIR" : "");
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Error(ExitCode::system, "the load's program failed, status " + std::to_string(status));
  }
}

}  // namespace

void do_exec_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  const UniqueFd program = make_program(task, figures, stop);
  const std::string seed = std::to_string(task.seed);
  figures.work();
  while (!stop.load(std::memory_order_relaxed)) {
    ::posix_fadvise(program.get(), 0, 0, POSIX_FADV_DONTNEED);
    run_once(program.get(), seed);
    figures.count(figures.file_bytes.load(std::memory_order_relaxed));
  }
}

void touch_own_program(std::uint64_t seed) {
  const UniqueFd fd(::open(kOwnProgram, O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0) fail_exec("cannot open the program itself", errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (mapped == MAP_FAILED) fail_exec("cannot map the program itself", errno);
  const auto* const bytes = static_cast<const volatile std::byte*>(mapped);
  const std::size_t clusters = (size + kClusterBytes - 1) / kClusterBytes;
  // A power of two and an odd step visit every cluster once.
  std::size_t places = 1;
  while (places < clusters) places *= 2;
  const std::size_t step = (static_cast<std::size_t>(seed) * 2654435761u) | 1u;
  for (std::size_t visit = 0; visit < places; ++visit) {
    const std::size_t cluster = visit * step % places;
    const std::size_t begin = cluster * kClusterBytes;
    for (std::size_t at = begin; at < std::min(begin + kClusterBytes, size);
         at += static_cast<std::size_t>(kPageBytes)) {
      static_cast<void>(bytes[at]);
    }
  }
  ::munmap(mapped, size);
}

}  // namespace xrunlab
