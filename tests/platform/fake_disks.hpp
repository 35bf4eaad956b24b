// Block devices in a fake tree, as the kernel lays them out: a directory in /sys/devices, links to it from
// /sys/class/block and /sys/dev/block, queue/ and slaves/ below it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab::test {

class FakeDisks : public FakeTree {
 public:
  /// `home`: below /sys/devices, ends in the device's name. Without a `number` (a hidden device) there is no
  /// link by it.
  FakeDisks& device(const std::string& home, const std::string& number = "") {
    const std::string name = std::filesystem::path(home).filename();
    file(at(home, "size"), "2048\n");
    if (!number.empty()) {
      file(at(home, "dev"), number + "\n");
      link("/sys/dev/block/" + number, "../../devices/" + home);
    }
    link("/sys/class/block/" + name, "../../devices/" + home);
    return *this;
  }
  FakeDisks& partition(const std::string& home, const std::string& number) {
    device(home, number).file(at(home, "partition"), "1\n");
    return *this;
  }
  /// A queue with these schedulers to choose from and the settings of mq-deadline.
  FakeDisks& queue(const std::string& home, const std::string& schedulers) {
    file(at(home, "queue/scheduler"), schedulers + "\n");
    file(at(home, "queue/read_ahead_kb"), "128\n");
    file(at(home, "queue/rotational"), "1\n");
    file(at(home, "queue/hw_sector_size"), "512\n");
    read_only(at(home, "queue/hw_sector_size"));
    file(at(home, "queue/iosched/read_expire"), "500\n");
    return *this;
  }
  FakeDisks& slaves(const std::string& home, const std::vector<std::string>& names) {
    for (const auto& name : names) {
      link(at(home, "slaves/" + name), std::filesystem::path("/sys/class/block/" + name).string());
    }
    return *this;
  }
  FakeDisks& mounts(const std::string& text) {
    file("/proc/self/mountinfo", text);
    return *this;
  }
  void read_only(const std::string& path) {
    std::filesystem::permissions(directory() + path, std::filesystem::perms(0444));
  }

 private:
  static std::string at(const std::string& home, std::string_view file) {
    return "/sys/devices/" + home + "/" + std::string(file);
  }
};

}  // namespace xrunlab::test
