#include "xrunlab/engine/input_set.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "xrunlab/core/error.hpp"
#include "xrunlab/disk/printable_name.hpp"
#include "xrunlab/platform/block_device.hpp"
#include "xrunlab/platform/limits.hpp"
#include "xrunlab/platform/page_cache.hpp"

namespace xrunlab {
namespace {

// Beyond one descriptor a track: card, timers, io_uring, trace, standard streams, libraries.
constexpr std::int64_t kSpareDescriptors = 64;
constexpr std::size_t kMostListed = 8;

/// "a.wav, b.wav and 7 more".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t index = 0; index < std::min(names.size(), kMostListed); ++index) {
    text += (index == 0 ? "" : ", ") + names[index];
  }
  if (names.size() > kMostListed) text += " and " + std::to_string(names.size() - kMostListed) + " more";
  return text;
}

SampleRate common_rate(const std::vector<AudioFile>& files) {
  std::map<std::uint32_t, std::vector<std::string>> names_by_rate;
  for (const auto& file : files) names_by_rate[file.rate.hz].push_back(printable_name(file.path));
  if (names_by_rate.size() == 1) return SampleRate{names_by_rate.begin()->first};
  std::string groups;
  std::size_t left = names_by_rate.size();
  for (const auto& [hz, names] : names_by_rate) {
    if (names_by_rate.size() - left == kMostListed) break;
    groups += (groups.empty() ? "" : "; ") + std::to_string(hz) + " Hz: " + listed(names);
    --left;
  }
  if (left > 0) groups += "; and " + std::to_string(left) + " more rates";
  throw Error(ExitCode::input_file, "the tracks differ in rate: " + groups,
              "play the files of each rate by themselves, or resample those");
}

/// With --map direct every channel of a file needs one of the card's: none is dropped silently.
void check_channels(const StreamRequest& request) {
  if (request.map != ChannelMap::direct) return;
  std::int64_t needed = 0;
  for (const auto& file : request.files) needed += file.channels;
  if (needed <= request.card.channels) return;
  throw Error(ExitCode::usage,
              "--map direct: the files have " + std::to_string(needed) + " channels, the card is asked for " +
                  std::to_string(request.card.channels),
              "give -c " + std::to_string(needed) + ", or leave --map direct out to mix them down");
}

InputInfo describe(const AudioFile& file, const StorageInfo& storage) {
  InputInfo info;
  info.path = file.path.string();
  info.container = file.container;
  info.format = file.raw_format ? std::string(to_string(*file.raw_format)) : file.codec;
  info.rate_hz = file.rate.hz;
  info.channels = file.channels;
  info.frames = file.frames;
  info.frames_known = file.frames_known;
  info.data_offset = file.data_offset;
  info.filesystem = storage.filesystem;
  info.block_device = storage.block_device;
  info.io_scheduler = storage.io_scheduler;
  return info;
}

/// Files of one directory on one device share their description: reading the mount table for each of 10,000
/// is slow.
class StorageOfFiles {
 public:
  const StorageInfo& of(const std::filesystem::path& path) {
    const FileLocation location = locate_file(path.string());
    const auto key = std::make_pair(std::filesystem::path(location.path).parent_path().string(),
                                    std::make_pair(location.major, location.minor));
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_.emplace(key, describe_storage(location)).first->second;
  }

 private:
  std::map<std::pair<std::string, std::pair<unsigned, unsigned>>, StorageInfo> known_;
};

void add_once(std::vector<std::string>& warnings, const std::string& warning) {
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
}

DirectMode direct_mode(const DiskRequest& disk) {
  const bool buffered_by_default = disk.cache == CacheUse::keep || disk.ring_use == RingUse::none;
  return disk.direct == DirectMode::automatic && buffered_by_default ? DirectMode::off : disk.direct;
}

void settle_cache(const StreamRequest& request, InputSet& set) {
  std::vector<FileRange> ranges;
  for (std::size_t index = 0; index < request.files.size(); ++index) {
    const auto& file = request.files[index];
    const int fd = set.handles[index].fd.get();
    if (request.disk.cache == CacheUse::evict) {
      if (const auto warning = evict(fd)) add_once(set.system_warnings, *warning);
    }
    ranges.push_back(file.decoded() ? FileRange{fd, 0, file.file_bytes}
                                    : FileRange{fd, file.data_offset, file.data_bytes});
  }
  set.cached_share = cached_share(ranges);
  constexpr double kStillCached = 0.1;
  if (request.disk.cache == CacheUse::evict && set.cached_share.value_or(0) > kStillCached) {
    add_once(set.system_warnings, std::to_string(static_cast<int>(*set.cached_share * 100)) +
                                      " % of the samples are still in the page cache");
  }
}

/// A thread that there is not cannot be bound to a CPU.
void check_threads(const StreamRequest& request) {
  const auto& affinity = request.realtime.affinity;
  const bool reads_itself = request.disk.ring_use == RingUse::none;
  if (affinity.count("reader") > 0 && reads_itself) {
    throw Error(ExitCode::usage, "--affinity reader: with --no-ring there is no reader thread",
                "leave one of them out");
  }
  const bool coded = std::any_of(request.files.begin(), request.files.end(),
                                 [](const AudioFile& file) { return file.decoded(); });
  if (affinity.count("decoder") > 0 && !coded) {
    throw Error(ExitCode::usage, "--affinity decoder: nothing is decoded, every file is raw PCM",
                "play a FLAC, Ogg or MP3 file too, or leave it out");
  }
}

}  // namespace

SampleRate check_inputs(const StreamRequest& request) {
  if (request.files.empty())
    throw Error(ExitCode::usage, "nothing to play", "name audio files or directories, or --tracks N");
  const SampleRate rate = common_rate(request.files);
  check_channels(request);
  check_threads(request);
  raise_open_files_limit(static_cast<std::int64_t>(request.files.size()) + kSpareDescriptors);
  return rate;
}

InputSet open_inputs(const StreamRequest& request) {
  InputSet set;
  set.rate = check_inputs(request);
  StorageOfFiles storage;
  set.direct = true;
  for (const auto& file : request.files) {
    auto handle = open_track_file(file.path, file.decoded() ? DirectMode::off : direct_mode(request.disk));
    if (!handle.refusal.empty())
      add_once(set.system_warnings, "buffered reads instead of direct ones: " + handle.refusal);
    if (!file.decoded() && !handle.direct) set.direct = false;
    set.handles.push_back(std::move(handle));
    set.infos.push_back(describe(file, storage.of(file.path)));
    set.short_inputs += file.short_input ? 1 : 0;
    for (const auto& warning : file.warnings) {
      set.file_warnings.push_back(printable_name(file.path) + ": " + warning);
    }
  }
  settle_cache(request, set);
  return set;
}

}  // namespace xrunlab
