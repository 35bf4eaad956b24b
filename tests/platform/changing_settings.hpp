// A machine of files with a disk whose settings were tuned by hand, and ChangedSettings on it. For the tests
// of what is changed, put back and left.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/platform/kernel_on_tree.hpp"
#include "xrunlab/platform/changed_settings.hpp"
#include "xrunlab/platform/left_settings.hpp"

namespace xrunlab::test {

namespace fs = std::filesystem;

using Combination = std::vector<SettingValue>;

/// A disk with a tuned scheduler, tuned requests and the vm settings, in every file's value.
class Changing : public testing::Test {
 protected:
  Changing() {
    add_disk(tree_, "sda");
    add_vm(tree_);
    tree_.file("/proc/sys/kernel/random/boot_id", "11111111-2222\n");
    write("/sys/class/block/sda/queue/iosched/read_expire", "120\n");
    write("/sys/class/block/sda/queue/nr_requests", "62\n");
    before_ = all_values();
  }

  void write(const std::string& path, const std::string& text) { tree_.file(path, text); }
  std::string read(const std::string& path) const { return tree_.root().read(path).value_or("missing"); }
  std::string queue(const std::string& name) const { return read("/sys/class/block/sda/queue/" + name); }
  std::string journal_directory() const { return tree_.directory() + "/state/xrunlab"; }
  int journals() const {
    std::error_code error;
    fs::directory_iterator entry(journal_directory(), error);
    return error ? 0 : static_cast<int>(std::distance(entry, fs::directory_iterator()));
  }

  /// Every file of the tree but the journals: what must be the same afterwards.
  std::map<std::string, std::string> all_values() const {
    std::map<std::string, std::string> values;
    for (const char* const top : {"/sys", "/proc"}) {
      for (const auto& entry : fs::recursive_directory_iterator(tree_.directory() + top)) {
        if (!entry.is_regular_file()) continue;
        const std::string path = entry.path().string().substr(tree_.directory().size());
        values[path] = read(path);
      }
    }
    return values;
  }

  SettingTargets targets() const { return {{"sda"}, {"/sys/class/block/sda/queue/read_ahead_kb"}, ""}; }
  ChangedSettings make(int killed_at = -1) {
    auto kernel = std::make_unique<KernelOnTree>(tree_.root());
    kernel->killed_at = killed_at;
    return ChangedSettings(targets(), std::move(kernel), journal_directory());
  }
  std::vector<RestoreReport> restore_left(RestoreMode mode = RestoreMode::put_back) {
    KernelOnTree kernel(tree_.root());
    return restore_left_settings(kernel, {journal_directory()}, mode);
  }

  FakeTree tree_;
  std::map<std::string, std::string> before_;
};

inline const Combination kMany{{"scheduler", "bfq"},
                               {"iosched.slice_idle", "0"},
                               {"nr_requests", "64"},
                               {"read_ahead_kb", "512"},
                               {"max_sectors_kb", "256"},
                               {"vm.dirty_bytes", "1048576"},
                               {"vm.dirty_background_ratio", "3"},
                               {"vm.swappiness", "10"}};

}  // namespace xrunlab::test
