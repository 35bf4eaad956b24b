#include "xrunlab/load/load_figures.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>

namespace xrunlab {

static_assert(std::atomic<std::int64_t>::is_always_lock_free && std::atomic<LoadState>::is_always_lock_free,
              "a lock would be in one process only");

void LoadFigures::fail(const Error& error) noexcept {
  std::snprintf(what, sizeof what, "%s", error.what());
  std::snprintf(remedy, sizeof remedy, "%s", error.remedy().c_str());
  state.store(LoadState::failed, std::memory_order_release);
}

SharedFigures::SharedFigures() : fd_(::memfd_create("xrunlab-load", MFD_CLOEXEC)) {
  if (!fd_ || ::ftruncate(fd_.get(), sizeof(LoadFigures)) != 0) {
    throw Error(ExitCode::system, "cannot make memory to be shared with a load: " + errno_text(errno));
  }
  map();
  new (figures_) LoadFigures();
}

SharedFigures::SharedFigures(UniqueFd fd) : fd_(std::move(fd)) {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0 || status.st_size != sizeof(LoadFigures)) {
    throw Error(ExitCode::usage, "load-worker is started by xrunlab itself", "use xrunlab load");
  }
  map();
}

SharedFigures::~SharedFigures() {
  ::munmap(figures_, sizeof(LoadFigures));
}

void SharedFigures::map() {
  void* const memory = ::mmap(nullptr, sizeof(LoadFigures), PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
  if (memory == MAP_FAILED) {
    throw Error(ExitCode::system, "cannot share memory with a load: " + errno_text(errno));
  }
  figures_ = static_cast<LoadFigures*>(memory);
}

}  // namespace xrunlab
