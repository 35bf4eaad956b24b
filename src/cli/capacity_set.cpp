#include "xrunlab/cli/capacity_set.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "xrunlab/cli/set_progress.hpp"
#include "xrunlab/core/clock.hpp"
#include "xrunlab/core/error.hpp"
#include "xrunlab/core/figures.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/disk/set_directory.hpp"
#include "xrunlab/disk/set_writer.hpp"

namespace xrunlab {
namespace {

namespace fs = std::filesystem;

// Whole parts are given to `play` as directories, so that its command line stays short.
constexpr int kTracksInPart = 64;
constexpr int kMostParts = 10'000 / kTracksInPart + 1;
constexpr const char* kKeptName = "xrunlab-capacity";

/// "48000-S24_3LE-1-1728000": what of a track has to be the same for a kept set to be used.
std::string kept_name_of(const SetSpec& track) {
  return fmt::format("{}-{}-{}-{}", track.rate.hz, to_string(track.format), track.channels, track.frames());
}

/// Tracks of a whole part that lies there as its manifest says; 0 otherwise.
int tracks_there(const fs::path& directory, const SetSpec& track) {
  const auto manifest = read_manifest(directory);
  if (!manifest || !manifest->complete || manifest->frames != track.frames() ||
      manifest->rate_hz != track.rate.hz || manifest->channels != track.channels ||
      manifest->format != to_string(track.format)) {
    return 0;
  }
  for (const auto& file : manifest->files) {
    std::error_code missing;
    const auto size = fs::file_size(directory / file.name, missing);
    if (missing || static_cast<std::int64_t>(size) != file.size_bytes) return 0;
  }
  return manifest->tracks;
}

}  // namespace

std::int64_t kept_tracks(const fs::path& directory, const SetSpec& track) {
  const fs::path kept = directory / kKeptName / kept_name_of(track);
  std::int64_t tracks = 0;
  for (int number = 1; number <= kMostParts; ++number) {
    const int more = tracks_there(kept / std::to_string(number), track);
    if (more == 0) break;
    tracks += more;
  }
  return tracks;
}

SetRoom room_for_set(const fs::path& directory, bool force) {
  struct statvfs status;
  if (::statvfs(directory.c_str(), &status) != 0) {
    throw Error(
        ExitCode::system,
        "cannot ask for the free space of " + printable_text(directory.string()) + ": " + errno_text(errno),
        "name a directory on the disk to be measured");
  }
  const auto free = static_cast<Bytes>(status.f_bavail * status.f_frsize);
  return {free, force ? free / 20 * 19 : free / 2};
}

CapacitySet::CapacitySet(GuardProcess& guard, const Signals& signals, fs::path directory,
                         const SetSpec& track, KeepSet keep, ShowProgress progress)
    : guard_(guard),
      signals_(signals),
      directory_(std::move(directory)),
      track_(track),
      keep_(keep),
      progress_(progress),
      kept_(directory_ / kKeptName / kept_name_of(track)) {
  if (::access((directory_ / "").c_str(), W_OK | X_OK) != 0) {
    throw Error(ExitCode::system,
                "cannot write into " + printable_name(directory_) + ": " + errno_text(errno),
                "name a directory that you may write to");
  }
  find_kept();
}

CapacitySet::~CapacitySet() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
  // Of a set that was to be kept, but was not written: only what is empty goes.
  fs::remove(kept_, ignored);
  fs::remove(kept_.parent_path(), ignored);
}

void CapacitySet::find_kept() {
  for (int number = 1; number <= kMostParts; ++number) {
    Part part{kept_ / std::to_string(number), track_};
    part.spec.tracks = tracks_there(part.directory, track_);
    if (part.spec.tracks == 0) return;
    size_ += part.spec.tracks;
    parts_.push_back(std::move(part));
  }
}

fs::path CapacitySet::place_for_parts() {
  if (keep_ == KeepSet::yes) return kept_;
  if (temporary_.empty()) {
    std::string name = (directory_ / "xrunlab-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw Error(ExitCode::system,
                  "cannot make a directory in " + printable_name(directory_) + ": " + errno_text(errno),
                  "name a directory that you may write to");
    }
    temporary_ = name;
    guard_.remove_at_end(temporary_);
  }
  return temporary_;
}

bool CapacitySet::write_part(int tracks, std::int64_t wanted) {
  Part part{place_for_parts() / std::to_string(parts_.size() + 1), track_};
  part.spec.tracks = tracks;
  part.spec.seed = parts_.size() + 1;
  const Bytes track_bytes = track_file_bytes(track_);
  const Bytes total = (wanted - size_) * track_bytes;
  std::atomic<bool> stop{false};
  SetProgress line(progress_ == ShowProgress::yes
                       ? choose_live_mode(describe_terminal(STDERR_FILENO), std::nullopt)
                       : LiveMode::off);
  WriteOptions options;
  options.force = Force::yes;  // the room was looked at for all of them; a part that was cut off is ours
  options.stop = &stop;
  options.progress = [&](const WriteProgress& done) {
    if (signals_.caught() != 0) stop = true;
    line.show({done.bytes_done, total, false});
  };
  const SystemClock clock;
  const Nanoseconds begun = clock.now();
  const auto files = write_set(part.directory, part.spec, options);
  if (files.empty()) return false;
  writing_ += clock.now() - begun;
  written_ += tracks * track_bytes;
  size_ += tracks;
  parts_.push_back(std::move(part));
  return true;
}

bool CapacitySet::grow_to(std::int64_t tracks) {
  if (tracks <= size_) return true;
  const Bytes bytes = (tracks - size_) * track_file_bytes(track_);
  if (progress_ == ShowProgress::yes) {
    std::string text = fmt::format("writing {}, {}", counted(tracks - size_, "track"), binary_bytes(bytes));
    if (written_ > 0) {
      const double share = static_cast<double>(bytes) / static_cast<double>(written_);
      text += ", about " +
              spoken_duration(static_cast<std::int64_t>(share * static_cast<double>(writing_.count())));
    }
    fmt::print(stderr, "xrunlab: {}\n", text);
  }
  while (size_ < tracks) {
    const auto next = static_cast<int>(std::min<std::int64_t>(kTracksInPart, tracks - size_));
    if (!write_part(next, tracks)) return false;
  }
  return true;
}

std::vector<std::string> CapacitySet::inputs(std::int64_t tracks) const {
  std::vector<std::string> inputs;
  for (const auto& part : parts_) {
    if (part.spec.tracks <= tracks) {
      inputs.push_back(part.directory.string());
      tracks -= part.spec.tracks;
      continue;
    }
    for (int index = 0; index < tracks; ++index) {
      inputs.push_back((part.directory / track_name(part.spec, index)).string());
    }
    break;
  }
  return inputs;
}

}  // namespace xrunlab
