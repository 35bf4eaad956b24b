// What `xrunlab disk` prints: files that lie on the same with the ways to their disks, then each device with
// the settings of its queue, in 80 columns.
#pragma once

#include <string>

#include "xrunlab/model/storage.hpp"

namespace xrunlab {

std::string disk_text(const DiskData& disks);

}  // namespace xrunlab
