// The block devices that the kernel shows in /sys/class/block: which names there are, what each one is and
// what it lies on. A name from outside becomes a path of sysfs only here, after it was found there. Used by
// block_device and by whatever reads or changes a queue; set-up code, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/model/storage.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// Whether /sys/class/block has a device of that name; of no name with a slash in it, nor of "..".
bool is_block_device(std::string_view name, const SysRoot& root = SysRoot());

/// "/sys/class/block/NAME". Throws Error{usage} unless is_block_device.
std::string block_device_directory(std::string_view name, const SysRoot& root = SysRoot());

/// The device with that number, or "".
std::string device_by_number(unsigned major, unsigned minor, const SysRoot& root = SysRoot());

/// The device behind "/dev/…": through links, such as /dev/disk/by-id/…, a name of device mapper, or the
/// file's own number; or "".
std::string device_by_node(const std::string& node, const SysRoot& root = SysRoot());

/// The disk of a partition; of any other device itself. Throws like block_device_directory.
std::string disk_of(const std::string& name, const SysRoot& root = SysRoot());

/// What it lies on by sysfs: a partition on its disk, dm and md on their slaves, a namespace of NVMe on its
/// paths. Not: a loop device on the device of its file. Sorted. Throws like block_device_directory.
std::vector<std::string> devices_below(const std::string& name, const SysRoot& root = SysRoot());

/// Throws like block_device_directory.
DeviceKind device_kind(const std::string& name, const SysRoot& root = SysRoot());

/// All of it, with `below` as devices_below gives it. Throws like block_device_directory.
BlockDeviceInfo describe_block_device(const std::string& name, const SysRoot& root = SysRoot());

}  // namespace xrunlab
