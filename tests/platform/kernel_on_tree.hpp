// Setting files in a directory that behave as the kernel's do: it rounds, refuses, and forgets what a
// scheduler had when another one takes its place. Can end the process at a given write, as kill -9 would.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/platform/fake_tree.hpp"
#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/setting_file.hpp"

namespace xrunlab::test {

/// A disk with these files, as the kernel makes it.
inline void add_disk(FakeTree& tree, const std::string& name) {
  const std::string disk = "/sys/class/block/" + name;
  tree.file(disk + "/diskseq", "7\n").file(disk + "/size", "131072\n");
  const std::string queue = disk + "/queue/";
  tree.file(queue + "scheduler", "none [mq-deadline] kyber bfq \n");
  tree.file(queue + "nr_requests", "256\n").file(queue + "read_ahead_kb", "128\n");
  tree.file(queue + "wbt_lat_usec", "2000\n").file(queue + "nomerges", "0\n");
  tree.file(queue + "max_sectors_kb", "1280\n").file(queue + "max_hw_sectors_kb", "1280\n");
  tree.file(queue + "rq_affinity", "1\n").file(queue + "write_cache", "write back\n");
  std::filesystem::permissions(tree.directory() + queue + "max_hw_sectors_kb",
                               std::filesystem::perms::owner_read);
  tree.file(queue + "iosched/read_expire", "500\n").file(queue + "iosched/write_expire", "5000\n");
  tree.file(queue + "iosched/fifo_batch", "16\n");
}

/// Both pairs as a kernel has them after boot.
inline void add_vm(FakeTree& tree) {
  const std::string vm = "/proc/sys/vm/";
  tree.file(vm + "dirty_bytes", "0\n").file(vm + "dirty_ratio", "20\n");
  tree.file(vm + "dirty_background_bytes", "0\n").file(vm + "dirty_background_ratio", "10\n");
  tree.file(vm + "dirty_expire_centisecs", "3000\n").file(vm + "dirty_writeback_centisecs", "500\n");
  tree.file(vm + "swappiness", "60\n");
}

class KernelOnTree : public SettingFiles {
 public:
  explicit KernelOnTree(const SysRoot& root) : SettingFiles(root) {}

  int writes = 0;
  int killed_at = -1;  ///< the process ends instead of this write, counted from 1

 protected:
  int write_text(const std::string& absolute, std::string_view text) override {
    if (++writes == killed_at) ::_exit(99);
    const std::filesystem::path path = absolute;
    if (!root().exists(absolute)) return ENOENT;
    const std::string name = path.filename();
    if (name == "scheduler") return switch_scheduler(path.parent_path(), text);
    if (name.starts_with("dirty_")) return write_half(absolute, name, text);
    const long number = std::strtol(std::string(text).c_str(), nullptr, 10);
    if (name == "nr_requests") return write_requests(absolute, number);
    if (name == "read_ahead_kb") return put(absolute, std::to_string(number / 4 * 4));
    if (name == "max_sectors_kb" && number > 1280) return EINVAL;
    if (name == "wbt_lat_usec" && number == -1) return put(absolute, "2000");
    return put(absolute, text);
  }

 private:
  int put(const std::string& absolute, std::string_view text) {
    return SettingFiles::write_text(absolute, text);
  }

  int write_requests(const std::string& absolute, long number) {
    const std::string queue = std::filesystem::path(absolute).parent_path();
    const bool none = root().read(queue + "/scheduler").value_or("").find("[none]") != std::string::npos;
    if (none && number > 128) return EINVAL;
    return put(absolute, std::to_string(std::max(4L, number)));
  }

  int write_half(const std::string& absolute, const std::string& name, std::string_view text) {
    const bool bytes = name.ends_with("_bytes");
    if (!bytes && !name.ends_with("_ratio")) return put(absolute, text);
    if (bytes && text == "0") return EINVAL;
    const std::string other = absolute.substr(0, absolute.size() - 5) + (bytes ? "ratio" : "bytes");
    put(other, "0");
    return put(absolute, text);
  }

  int switch_scheduler(const std::string& queue, std::string_view name) {
    static const std::map<std::string_view, std::vector<std::pair<std::string, std::string>>> kDefaults{
        {"none", {}},
        {"mq-deadline", {{"read_expire", "500"}, {"write_expire", "5000"}, {"fifo_batch", "16"}}},
        {"kyber", {{"read_lat_nsec", "2000000"}, {"write_lat_nsec", "10000000"}}},
        {"bfq", {{"low_latency", "1"}, {"slice_idle", "8"}}}};
    const auto chosen = kDefaults.find(name);
    if (chosen == kDefaults.end()) return EINVAL;
    if (root().read(queue + "/scheduler") == "none") return 0;  // hands requests on: passed over in silence
    if (active_scheduler_of(std::filesystem::path(queue).parent_path().filename()) == name) return 0;
    std::string offered;
    for (const char* const one : {"none", "mq-deadline", "kyber", "bfq"}) {
      offered += one == name ? "[" + std::string(one) + "] " : std::string(one) + " ";
    }
    put(queue + "/scheduler", offered);
    std::filesystem::remove_all(root().path(queue + "/iosched"));
    if (!chosen->second.empty()) std::filesystem::create_directory(root().path(queue + "/iosched"));
    for (const auto& [file, value] : chosen->second) {
      std::ofstream(root().path(queue + "/iosched/" + file)) << value << "\n";
    }
    return put(queue + "/nr_requests", name == "none" ? "128" : "256");
  }
};

}  // namespace xrunlab::test
