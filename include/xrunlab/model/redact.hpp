// Hides in a run what tells of its owner, for run files and summaries that are shown to others. Pure
// functions, called by main and by the reports.
#pragma once

#include <string>
#include <string_view>

#include "xrunlab/model/run.hpp"

namespace xrunlab {

/// `text` with each path that starts with /, ~/, ./ or ../ cut down to its base name. Paths under /proc,
/// /sys, /dev, /etc and /usr stay, as remedies name them; names below /dev/disk are hidden, they hold
/// serials.
std::string without_directories(std::string_view text);

/// The same run with every path in it cut down to its base name, as summaries show it.
RunData with_base_names(RunData run);

/// The same run with directories, the host's name, the boot id and UUIDs hidden; base names stay. The boot id
/// becomes "boot-" and eight digits of its hash, so that runs of one boot can still be told from others.
RunData redacted(RunData run);

}  // namespace xrunlab
