#include "xrunlab/disk/extents.hpp"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "xrunlab/core/error.hpp"
#include "xrunlab/core/unique_fd.hpp"

namespace xrunlab {
namespace {

constexpr std::uint32_t kBatch = 512;

template <typename Value>
Value upper_median(std::vector<Value>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::optional<std::vector<Bytes>> file_extents(const std::filesystem::path& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) throw Error(ExitCode::system, "cannot open " + path.string() + ": " + errno_text(errno));
  std::vector<std::uint64_t> memory((sizeof(fiemap) + kBatch * sizeof(fiemap_extent)) / 8 + 1);
  auto* const map = reinterpret_cast<fiemap*>(memory.data());
  std::vector<Bytes> lengths;
  std::uint64_t next_logical = 0;
  std::uint64_t end_physical = 0;
  for (;;) {
    std::memset(map, 0, sizeof(fiemap));
    map->fm_start = next_logical;
    map->fm_length = FIEMAP_MAX_OFFSET - next_logical;
    map->fm_flags = FIEMAP_FLAG_SYNC;
    map->fm_extent_count = kBatch;
    if (ioctl(fd.get(), FS_IOC_FIEMAP, map) != 0) return std::nullopt;
    if (map->fm_mapped_extents == 0) return lengths;
    for (std::uint32_t index = 0; index < map->fm_mapped_extents; ++index) {
      const fiemap_extent& extent = map->fm_extents[index];
      const auto length = static_cast<Bytes>(extent.fe_length);
      if (!lengths.empty() && extent.fe_physical == end_physical && extent.fe_logical == next_logical) {
        lengths.back() += length;
      } else {
        lengths.push_back(length);
      }
      next_logical = extent.fe_logical + extent.fe_length;
      end_physical = extent.fe_physical + extent.fe_length;
      if ((extent.fe_flags & FIEMAP_EXTENT_LAST) != 0) return lengths;
    }
  }
}

std::optional<ExtentSummary> summarize_extents(const std::vector<std::filesystem::path>& files) {
  std::vector<std::int64_t> counts;
  std::vector<Bytes> lengths;
  for (const auto& file : files) {
    if (const auto extents = file_extents(file)) {
      counts.push_back(static_cast<std::int64_t>(extents->size()));
      lengths.insert(lengths.end(), extents->begin(), extents->end());
    }
  }
  if (lengths.empty()) return std::nullopt;
  ExtentSummary summary;
  summary.max_count = *std::max_element(counts.begin(), counts.end());
  summary.median_count = upper_median(counts);
  summary.median_length = upper_median(lengths);
  return summary;
}

}  // namespace xrunlab
