#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "load_jobs.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/signal.hpp"
#include "xrunlab/load/load_file.hpp"

namespace xrunlab {
namespace {

void read_block(const LoadFile& file, const PageBuffer& block, Bytes offset) {
  for (Bytes done = 0; done < static_cast<Bytes>(block.all().size());) {
    const auto left = block.all().subspan(static_cast<std::size_t>(done));
    const ssize_t count = ::pread(file.fd.get(), left.data(), left.size(), offset + done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      throw Error(ExitCode::system, "cannot read the load's file: " + errno_text(count < 0 ? errno : EIO));
    }
    done += count;
  }
}

}  // namespace

void do_read_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  const LoadSpec& spec = task.spec;
  const LoadFile file = make_load_file(spec.path, spec.size, spec.block, LoadAccess::direct);
  figures.file_bytes = file.size;
  fill_load_file(file, task.seed + static_cast<std::uint64_t>(task.index), figures, stop);
  figures.work();
  run_jobs(spec.jobs, stop, [&](int job, const JobsEnd& end) {
    const PageBuffer block(spec.block);
    Xoshiro256 random(task.seed, stream_of(task, job));
    Pace pace(spec);
    const auto blocks = static_cast<std::uint64_t>(file.size / spec.block);
    while (!end.come()) {
      pace.wait(spec.block);
      const Bytes offset = static_cast<Bytes>(random.next() % blocks) * spec.block;
      read_block(file, block, offset);
      // Without O_DIRECT the next read of this block would be memory's.
      if (!file.direct) ::posix_fadvise(file.fd.get(), offset, spec.block, POSIX_FADV_DONTNEED);
      figures.count(spec.block);
    }
  });
}

void do_write_load(const LoadTask& task, LoadFigures& figures, const std::atomic<bool>& stop) {
  const LoadSpec& spec = task.spec;
  // Each job has its own part of the file and writes it from front to end, again and again.
  const LoadFile file = make_load_file(spec.path, spec.size, spec.block * spec.jobs, LoadAccess::buffered);
  figures.file_bytes = file.size;
  figures.work();
  run_jobs(spec.jobs, stop, [&](int job, const JobsEnd& end) {
    const PageBuffer block(spec.block);
    fill_with_noise(block.all(), task.seed, stream_of(task, job));
    Pace pace(spec);
    const Bytes part = file.size / spec.jobs;
    for (Bytes offset = 0; !end.come(); offset = (offset + spec.block) % part) {
      pace.wait(spec.block);
      write_all(file.fd.get(), block.all(), job * part + offset);
      if (spec.sync == LoadSync::each_write && ::fdatasync(file.fd.get()) != 0) {
        throw Error(ExitCode::system, "cannot sync the load's file: " + errno_text(errno));
      }
      figures.count(spec.block);
    }
  });
}

}  // namespace xrunlab
