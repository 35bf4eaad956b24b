// The settings of a block device's queue, queue/* and queue/iosched/* in sysfs. Names are those that options
// take: "scheduler", "read_ahead_kb", "iosched.read_expire". Set-up code, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xrunlab/model/storage.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

/// Every setting of the device by name, those of the active scheduler behind the others; of a partition,
/// which has no queue, none. Throws Error{usage} unless is_block_device(device).
std::vector<QueueSetting> read_queue_settings(const std::string& device, const SysRoot& root = SysRoot());

/// The active one in a queue/scheduler file: "none [mq-deadline] kyber" gives "mq-deadline", a single word
/// itself, else "".
std::string active_scheduler(std::string_view text);

/// All in a queue/scheduler file, without the brackets.
std::vector<std::string> offered_schedulers(std::string_view text);

}  // namespace xrunlab
