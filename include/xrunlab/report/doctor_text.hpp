// What `xrunlab doctor` prints, within 80 columns. Called by main.
#pragma once

#include <string>

#include "xrunlab/model/doctor_finding.hpp"

namespace xrunlab {

enum class DoctorRows { all, trouble };

/// What was looked at, the findings with the mend below each, and last a line that stands alone.
std::string doctor_text(const DoctorData& data, DoctorRows rows = DoctorRows::all);

}  // namespace xrunlab
