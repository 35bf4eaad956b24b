// What `xrunlab doctor` says: a finding for each check (schema xrunlab/doctor/1, docs/doctor.md). Made by
// doctor_checks, printed by the report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xrunlab {

enum class DoctorGrade {
  ok,
  warn,            ///< works, but not as well as it could
  fail,            ///< a run would be refused something that it needs, or would prove nothing
  not_applicable,  ///< nothing here to check, or the machine does not tell
};

/// "OK", "WARN", "FAIL", "n-a".
std::string_view to_string(DoctorGrade grade) noexcept;

struct DoctorFinding {
  std::string check;  ///< "rtprio": the same on every machine
  DoctorGrade grade = DoctorGrade::not_applicable;
  std::string reason;  ///< what was seen and what it means, one line
  std::string mend;    ///< command or setting; empty unless WARN or FAIL
};

struct DoctorData {
  std::string version;  ///< of the program
  std::string kernel;   ///< release and version, as uname gives them; empty when not known
  std::string directory;
  std::vector<DoctorFinding> findings;  ///< in the order of docs/doctor.md
};

std::int64_t count_of(DoctorGrade grade, const DoctorData& data) noexcept;

/// The document that `doctor --json` prints.
std::string to_json(const DoctorData& data);

}  // namespace xrunlab
