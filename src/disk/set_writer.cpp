#include "xrunlab/disk/set_writer.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/set_directory.hpp"
#include "xrunlab/disk/track_writer.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

/// Directory entries, the manifest and the file system's own blocks.
constexpr Bytes kOverheadBytes = 1024 * 1024;

std::string mebibytes(Bytes bytes) {
  return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
}

void check_free_space(const fs::path& dir, Bytes needed, Force force) {
  fs::path there = fs::absolute(dir);
  std::error_code ignored;
  while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  struct statvfs status;
  if (statvfs(there.c_str(), &status) != 0) {
    throw Error(ExitCode::system,
                "cannot ask for the free space of " + there.string() + ": " + errno_text(errno));
  }
  const auto available = static_cast<Bytes>(status.f_bavail * status.f_frsize);
  const std::string both =
      mebibytes(needed) + ", and " + mebibytes(available) + " are free in " + there.string();
  if (needed > available) {
    throw Error(ExitCode::system, "the set takes " + both,
                "free some space, or write fewer (--tracks) or shorter (-d) tracks");
  }
  if (needed > available / 2 && force == Force::no) {
    throw Error(ExitCode::usage, "the set takes more than half of the free space: " + both,
                "add --force if that is meant, or write fewer (--tracks) or shorter (-d) tracks");
  }
}

Bytes set_bytes(const SetSpec& spec) {
  return spec.tracks * track_file_bytes(spec) + kOverheadBytes;
}

[[noreturn]] void refuse_directory(const fs::path& in, int error_number) {
  throw Error(ExitCode::system, "cannot make a directory in " + in.string() + ": " + errno_text(error_number),
              "name a directory that you may write to, with --in DIR");
}

SetManifest manifest_of(const SetSpec& spec) {
  SetManifest manifest;
  manifest.tracks = spec.tracks;
  manifest.rate_hz = spec.rate.hz;
  manifest.format = to_string(spec.format);
  manifest.frames = spec.frames();
  manifest.channels = spec.channels;
  manifest.container = spec.container;
  manifest.signal = to_string(spec.signal);
  manifest.seed = spec.seed;
  manifest.layout = to_string(spec.layout);
  const Bytes size = spec.container == "flac" ? -1 : track_file_bytes(spec);
  for (int index = 0; index < spec.tracks; ++index) manifest.files.push_back({track_name(spec, index), size});
  return manifest;
}

}  // namespace

std::vector<fs::path> write_set(const fs::path& dir, const SetSpec& spec, const WriteOptions& options) {
  check_set(spec);
  SetTransaction transaction(dir, manifest_of(spec), options.force);
  check_free_space(dir, set_bytes(spec), options.force);
  transaction.begin();
  std::vector<fs::path> partials;
  for (int index = 0; index < spec.tracks; ++index) {
    partials.push_back(transaction.partial_path(static_cast<std::size_t>(index)));
  }
  const bool is_flac = spec.container == "flac";
  const Bytes track_bytes =
      is_flac ? spec.frames() * spec.channels * bytes_per_sample(spec.format) : track_file_bytes(spec);
  WriteMonitor monitor(options, spec.tracks * track_bytes);
  const auto write = is_flac                              ? write_flac
                     : spec.layout == Layout::interleaved ? write_interleaved
                                                          : write_contiguous;
  if (write(spec, partials, monitor) == TrackWriteResult::stopped || monitor.stopped()) return {};
  auto files = transaction.commit();
  monitor.finish();
  return files;
}

void check_temporary_set(const fs::path& in, const SetSpec& spec) {
  check_set(spec);
  // The blank name behind the slash: a file there is refused as no directory.
  if (access((in / "").c_str(), W_OK | X_OK) != 0) refuse_directory(in, errno);
  check_free_space(in, set_bytes(spec), Force::no);
}

TemporarySet::TemporarySet(const fs::path& in, const SetSpec& spec, const WriteOptions& options,
                           const std::function<void(const fs::path&)>& made) {
  std::string name = (in / "xrunlab-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) refuse_directory(in, errno);
  directory_ = name;
  std::error_code ignored;
  try {
    made(directory_);
    files_ = write_set(directory_, spec, options);
  } catch (...) {
    fs::remove(directory_, ignored);
    throw;
  }
  if (files_.empty()) fs::remove(directory_, ignored);
}

TemporarySet::~TemporarySet() {
  std::error_code ignored;
  try {
    if (!files_.empty()) remove_set(directory_, Force::yes);
  } catch (const std::exception&) {
    return;  // a destructor cannot report; the directory and its manifest stay visible
  }
  fs::remove(directory_, ignored);
}

}  // namespace xrunlab
