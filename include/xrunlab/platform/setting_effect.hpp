// Whether a setting can act at all in a configuration: a sweep over one that cannot would compare noise with
// noise. Used by `sweep` for each combination before it runs any. Main thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "xrunlab/platform/setting_catalogue.hpp"
#include "xrunlab/platform/setting_targets.hpp"
#include "xrunlab/platform/sys_root.hpp"

namespace xrunlab {

enum class ReadKind { buffered, direct };

struct SettingContext {
  SettingTargets targets;
  ReadKind reads = ReadKind::direct;
};

struct InertSetting {
  std::string key;
  std::string reason;       ///< "read_ahead_kb cannot act: reads are direct …", one line
  bool can_be_set = false;  ///< it has a file, so that --force-inert can set it all the same
};

/// Those of a combination that cannot act together; the scheduler is the combination's, or else the one that
/// is active now. Empty when all can.
std::vector<InertSetting> inert_settings(std::span<const SettingValue> combination,
                                         const SettingContext& context, const SysRoot& root = SysRoot());

}  // namespace xrunlab
