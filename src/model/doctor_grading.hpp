// How the checks of `doctor` write down what they find. Included by the doctor_*.cpp files of this room.
#pragma once

#include <string>
#include <utility>

#include "xrunlab/model/doctor_finding.hpp"

namespace xrunlab {

inline DoctorFinding good(std::string check, std::string reason) {
  return {std::move(check), DoctorGrade::ok, std::move(reason), {}};
}

inline DoctorFinding poor(std::string check, std::string reason, std::string mend) {
  return {std::move(check), DoctorGrade::warn, std::move(reason), std::move(mend)};
}

inline DoctorFinding bad(std::string check, std::string reason, std::string mend) {
  return {std::move(check), DoctorGrade::fail, std::move(reason), std::move(mend)};
}

inline DoctorFinding not_here(std::string check, std::string reason) {
  return {std::move(check), DoctorGrade::not_applicable, std::move(reason), {}};
}

inline DoctorFinding unreadable(std::string check, const std::string& file) {
  return not_here(std::move(check), file + " is not there or cannot be read");
}

}  // namespace xrunlab
